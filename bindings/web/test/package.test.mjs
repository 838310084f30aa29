// The packed package: which files it has, and whether it works in an empty folder.

import { execFileSync } from "node:child_process";
import { test } from "node:test";
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { readFileSync } from "node:fs";

const FILES = [
  "LICENSE",
  "README.md",
  "js/browser.js",
  "js/index.d.ts",
  "js/matesolve.wasm",
  "js/node.js",
  "js/results.d.ts",
  "js/solver.js",
  "js/worker-browser.js",
  "js/worker-node.js",
  "js/worker.js",
  "package.json",
];

test("the packed package has the files it needs, is small, and works in an empty folder", () => {
  const folder = mkdtempSync(join(tmpdir(), "matesolve-"));
  try {
    const pack = ["pack", "--json", "--pack-destination", folder];
    const [{ filename, files }] = JSON.parse(execFileSync("npm", pack, { cwd: join(import.meta.dirname, ".."), encoding: "utf8" }));
    assert.deepEqual(files.map((file) => file.path).sort(), FILES);
    const module = readFileSync(join(import.meta.dirname, "../js/matesolve.wasm"));
    assert.ok(gzipSync(module).length < 1_000_000);

    writeFileSync(join(folder, "package.json"), "{}");
    execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", join(folder, filename)], { cwd: folder, stdio: "pipe" });
    // The first example of the readme.
    const [, example] = /```js\n(.*?)```/s.exec(readFileSync(join(import.meta.dirname, "../README.md"), "utf8"));
    writeFileSync(join(folder, "example.mjs"), example);
    const printed = execFileSync(process.execPath, ["example.mjs"], { cwd: folder, encoding: "utf8" });
    const expected = [...example.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map(([, comment]) => comment);
    assert.equal(expected.length, 2);
    assert.deepEqual(printed.trim().split("\n").filter((line) => expected.includes(line)), expected);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
