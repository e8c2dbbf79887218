/** How often and when something that failed is tried again. */
export interface RetryOptions {
  /** Most attempts, the first one included. @defaultValue 3 */
  attempts?: number;
  /** Ms before the second attempt, doubled for each one after it; or what gives the ms after so many attempts. @defaultValue 1000 */
  backoff?: number | ((failed: number) => number);
  /** Longest wait, in ms. @defaultValue 60000 */
  maxDelay?: number;
  /** Which part of a wait is left to chance, from 0 to 1, so that many agents do not come back at once. @defaultValue 0.25 */
  jitter?: number;
  /** Gives that chance. @defaultValue `Math.random` */
  random?: () => number;
}
