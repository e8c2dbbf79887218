import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { projectRoot } from "./projectRoot";
import { runOk } from "./run";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The browser that `.ci/browser` finds, or installs. */
const findBrowser = async () =>
  (await runOk("bash", [join(projectRoot, ".ci/browser")], { timeoutMs: 240_000 })).trim();

/** Serves one script on a page of this machine; gives the page's address and the way to end it. */
async function serve(script: string): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer(({ url }, response) => {
    const isScript = url === "/main.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? script : `<!doctype html><script type="module" src="/main.js"></script>`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close };
}

export interface BrowserOutcome {
  /** What the script's `globalThis.main()` resolved to. */
  result: unknown;
  /** Uncaught errors of the page, and what it logged as one. */
  errors: string[];
}

/** Loads a module script in a real browser and calls the `main` that it puts on `globalThis`. */
export async function inBrowser(script: string): Promise<BrowserOutcome> {
  const site = await serve(script);
  const browser = await chromium.launch({ executablePath: await findBrowser(), headless: true, args: FLAGS });
  try {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    await page.goto(site.url, { waitUntil: "load" });
    const result: unknown = await page.evaluate("globalThis.main()");
    return { result, errors };
  } finally {
    await browser.close();
    await site.close();
  }
}
