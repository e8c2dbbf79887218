/**
 * The text of an error, with that of its cause: `fetch` tells what happened only there.
 *
 * @remarks By shape: the errors of `fetch` may come from another realm, where `instanceof` fails.
 */
export function describeCause(error: unknown): string {
  const { message = String(error), cause } = Object(error) as { message?: string; cause?: unknown };
  const { message: reason } = Object(cause) as { message?: string };
  return reason ? `${message} (${reason})` : message;
}
