// Starts Chromium and serves files to it, for the browser tests.

import { createServer } from "node:http";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { chromium } from "playwright-core";

const SITE = join(import.meta.dirname, "../site");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

/** Serves the files of a folder below a path, as static hosts do. Returns the server and its address. */
export async function serve(folder, below = "/") {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const path = normalize(pathname.startsWith(below) ? `/${pathname.slice(below.length)}` : pathname);
    try {
      const body = readFileSync(join(folder, path.endsWith("/") ? `${path}index.html` : path));
      response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "text/html" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, address: `http://127.0.0.1:${server.address().port}${below}` };
}

/** Starts Chromium with a new profile. Returns it, and a function that ends it. */
export async function launch() {
  const folder = mkdtempSync(join(tmpdir(), "matesolve-browser-"));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    acceptDownloads: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  const stop = async () => {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { context, stop };
}

/** Returns the browser, the address of the page, and a function that ends both. */
export async function start() {
  const { server, address } = await serve(SITE, "/chess/");
  const { context, stop } = await launch();
  return { context, address, stop: () => stop().finally(() => server.close()) };
}
