// Starts Chromium and serves the page to it, for the browser tests.

import { createServer } from "node:http";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { chromium } from "playwright-core";

const SITE = join(import.meta.dirname, "../site");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

/** Serves `site/` below a folder name, as static hosts do. */
async function serve() {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url, "http://localhost").pathname.replace(/^\/chess\//, "/"));
    try {
      const body = readFileSync(join(SITE, path.endsWith("/") ? `${path}index.html` : path));
      response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "text/html" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

/** Returns the browser, the address of the page, and a function that ends both. */
export async function start() {
  const server = await serve();
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
    server.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { context, address: `http://127.0.0.1:${server.address().port}/chess/`, stop };
}
