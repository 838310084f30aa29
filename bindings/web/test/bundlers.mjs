// The packed package with bundlers, each in a fresh folder: Vite 5, 6 and 7 (server for development, and build),
// esbuild, and Node without a bundler. What they make runs in Chromium. Needs the registry of npm, so `npm test` leaves it out.

import { execFileSync, spawn } from "node:child_process";
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch, serve } from "./browser.mjs";

const README = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");
const PRINZ = "5Kbk/6pp/6P1/8/8/8/8/7R w - -";
const ANSWER = "mate in 2: 1. Rh6 Ba2 2. Rxh7#; sound";

/** A program that solves a problem, makes a report and passes the answer to `show`. */
const program = (show) => `
import { createSolver } from "matesolve";

async function main() {
  const solver = await createSolver();
  const { result } = await solver.solve("${PRINZ}", { nodes: 1_000_000 });
  const report = await solver.report("${PRINZ}", { stipulation: "#2" });
  solver.close();
  return \`mate in \${result.mate_in}: \${result.pv_san}; \${report.result.soundness}\`;
}

main().catch((error) => \`failed: \${error}\`).then((text) => ${show}(text));
`;
const PAGE = "<!doctype html><title>searching</title><script type=module src=main.js></script>";

let place;
let tarball;
let browser;

before(async () => {
  place = mkdtempSync(join(tmpdir(), "matesolve-bundlers-"));
  // The script `prepack` builds what is missing; here it is there.
  const pack = ["pack", "--json", "--ignore-scripts", "--pack-destination", place];
  const [{ filename }] = JSON.parse(run(join(import.meta.dirname, ".."), "npm", ...pack));
  tarball = join(place, filename);
  browser = await launch();
});
after(async () => {
  await browser?.stop();
  if (place) rmSync(place, { recursive: true, force: true });
});

/** Makes a folder with a page and its program, and installs the packed package and others. */
function fresh(name, ...packages) {
  const folder = join(place, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  writeFileSync(join(folder, "index.html"), PAGE);
  writeFileSync(join(folder, "main.js"), program("((text) => (document.title = text))"));
  run(folder, "npm", "install", "--no-audit", "--no-fund", tarball, ...packages);
  return folder;
}

function run(folder, command, ...words) {
  return execFileSync(command, words, { cwd: folder, encoding: "utf8", stdio: "pipe" });
}

/** Opens a page and returns its answer. */
async function answer(address) {
  const page = await browser.context.newPage();
  const failures = [];
  page.on("pageerror", (error) => failures.push(error.message));
  page.on("response", (response) => {
    const isWanted = !response.url().endsWith("/favicon.ico");
    if (response.status() >= 400 && isWanted) failures.push(response.url());
  });
  try {
    await page.goto(address);
    await page.waitForFunction(() => document.title !== "searching", null, { timeout: 60_000 });
    return await page.title();
  } catch (error) {
    throw new Error(`${error.message}; ${failures.join("; ")}`);
  } finally {
    await page.close();
  }
}

/** Returns the answer of a folder that a static host serves below a path. */
async function answerOf(folder) {
  const { server, address } = await serve(folder, "/app/");
  try {
    return await answer(address);
  } finally {
    server.close();
  }
}

/** Returns a port that is free now. */
async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Waits until a server answers, and fails if its process ends first. */
async function waitFor(address, child) {
  for (let tries = 0; tries < 300; tries++) {
    if (child.exitCode !== null) break;
    if (await fetch(address).then((response) => response.ok, () => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no server at ${address}`);
}

for (const version of [5, 6, 7]) {
  test(`Vite ${version} serves and builds a page that solves`, async () => {
    const folder = fresh(`vite-${version}`, `vite@${version}`);
    const vite = join(folder, "node_modules/vite/bin/vite.js");
    assert.match(run(folder, process.execPath, vite, "--version"), new RegExp(`^vite/${version}\\.`));
    // The line of the readme.
    const [, line] = /```json\n\s*(.*optimizeDeps.*)\n/.exec(README);
    writeFileSync(join(folder, "vite.config.js"), `export default ${line};`);
    const port = await freePort();
    const words = [vite, "--host", "127.0.0.1", "--port", String(port), "--strictPort"];
    const server = spawn(process.execPath, words, { cwd: folder, stdio: "ignore" });
    try {
      const address = `http://127.0.0.1:${port}/`;
      await waitFor(address, server);
      assert.equal(await answer(address), ANSWER, "served");
    } finally {
      server.kill();
    }
    // A build needs no line; its addresses are relative, so that it can lie below any path.
    rmSync(join(folder, "vite.config.js"));
    run(folder, process.execPath, vite, "build", "--base", "./", "--logLevel", "error");
    assert.equal(await answerOf(join(folder, "dist")), ANSWER, "built");
  });
}

test("esbuild bundles a page that solves, with the files of the readme beside it", async () => {
  const folder = fresh("esbuild", "esbuild");
  const site = join(folder, "site");
  const [, option] = /build with `(--format=\w+)`/.exec(README);
  run(folder, "npx", "esbuild", "main.js", "--bundle", option, `--outfile=${join(site, "main.js")}`);
  writeFileSync(join(site, "index.html"), PAGE);
  const [, named] = /Put three files of `node_modules\/matesolve\/js\/` beside the bundle: (.*?);/s.exec(README);
  const files = [...named.matchAll(/`(.*?)`/g)].map(([, file]) => file);
  assert.equal(files.length, 3);
  for (const file of files) copyFileSync(join(folder, "node_modules/matesolve/js", file), join(site, file));
  assert.equal(await answerOf(site), ANSWER);
});

test("Node runs the package without a bundler", () => {
  const folder = fresh("node");
  writeFileSync(join(folder, "main.js"), program("console.log"));
  assert.equal(run(folder, process.execPath, "main.js").trim(), ANSWER);
});
