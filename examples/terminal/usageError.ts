/** The command line asked for something that cannot be had: a message for people, and exit code 2. */
export class UsageError extends Error {}
