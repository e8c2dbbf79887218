import { describe, expect, it } from "@jest/globals";
import { renderDiagram } from "pi-agent-rx/testing";

const text = `Held & <told>

hold: m 3
b = call read

user:      P
tool read: ---r
  sub:     --^!
tool grep: r
  sub:
listener:  m--X
events:    ---(mX)
settled:   -------|
`;

/** Elements of the picture, by their class. */
const count = (svg: string, name: string) => svg.split(`class="${name}"`).length - 1;

describe("renderDiagram", () => {
  const svg = renderDiagram(text);

  it("is a picture for light and dark pages, named by its title", () => {
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    expect(svg).toContain("prefers-color-scheme: dark");
    expect(svg).toContain('aria-label="Held &#38; &#60;told&#62;"');
  });

  it("colours events by what they are about", () => {
    expect([count(svg, "message"), count(svg, "tool"), count(svg, "user"), count(svg, "end")]).toEqual([
      2, 4, 1, 1,
    ]);
  });

  it("frames what happens in the same frame, and begins it there", () => {
    expect(count(svg, "group")).toBe(1);
    const letters = [...svg.matchAll(/<rect class="message" x="(\d+)"/g)].map(([, x]) => Number(x));
    expect(letters[1]! - letters[0]!).toBe(3 * 17);
  });

  it("draws the barrier as a gap from told to passed", () => {
    const [, x, width] = /<rect class="barrier" x="(\d+)" y="\d+" width="(\d+)"/.exec(svg) ?? [];
    expect(count(svg, "barrier")).toBe(1);
    expect([Number(width), Number(x) > 0]).toEqual([3 * 17, true]);
  });

  it("draws when an input was subscribed, or that it never was", () => {
    expect(count(svg, "sub")).toBe(1);
    expect(svg).toContain(">never</text>");
  });

  it("shows settings and legend", () => {
    expect(svg).toContain(">hold: m 3</text>");
    expect(svg).toContain(">b = call read</text>");
  });
});
