import type { Screen } from "../../../examples/terminal/render/screen";

const tag = (name: string) => (text: string) => (text === "" ? "" : `<${name}>${text}</${name}>`);

/** A screen without colours, or a live one whose colours can be read. */
export const testScreen = (live: boolean, columns = 80): Screen => ({
  live,
  size: () => ({ columns, rows: 24 }),
  style: live
    ? {
        dim: tag("dim"),
        bold: tag("bold"),
        red: tag("red"),
        green: tag("green"),
        yellow: tag("yellow"),
        cyan: (text) => text,
      }
    : { dim: String, bold: String, red: String, green: String, yellow: String, cyan: String },
});
