/** `1 file`, `2 files`, `1,200 files`, `3 matches`. */
export const plural = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
