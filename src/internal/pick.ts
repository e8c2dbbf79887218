/**
 * The named fields of an object; those it does not have are `undefined`.
 *
 * @remarks A loop, since what `Object.fromEntries` makes is slow to copy.
 */
export function pick<T extends object, K extends keyof T>(source: T, names: readonly K[]): Pick<T, K> {
  const picked = {} as Pick<T, K>;
  for (const name of names) picked[name] = source[name];
  return picked;
}
