import { expected } from "./expected";

/** Gives the array back, or throws an error that names the part and what it should hold. */
export function arrayOf<T>(name: string, items: string, value: T[] | undefined): T[] {
  if (!Array.isArray(value)) throw expected(name, `an array of ${items}`, value);
  return value;
}
