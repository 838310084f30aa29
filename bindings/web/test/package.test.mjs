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

// A build for development is larger.
const isQuick = Boolean(process.env.CARGO_PROFILE_WEB_LTO);

test("the sizes in the readme are those of the module, within a twentieth", { skip: isQuick && "not the profile of a release" }, () => {
  const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");
  const [, ...stated] = /size of the module \| ([\d,]+) kB; (\d+) kB with gzip/.exec(readme);
  const module = readFileSync(join(import.meta.dirname, "../js/matesolve.wasm"));
  const sizes = [module.length, gzipSync(module, { level: 9 }).length].map((bytes) => bytes / 1000);
  stated.map((text) => Number(text.replaceAll(",", ""))).forEach((kilobytes, index) => {
    assert.ok(Math.abs(sizes[index] / kilobytes - 1) < 0.05, `${kilobytes} kB is ${sizes[index]} kB`);
  });
});

test("all packages and the changelog have one version", () => {
  const root = join(import.meta.dirname, "../../..");
  const read = (file) => readFileSync(join(root, file), "utf8");
  const version = (file) => /^version = "(.*)"$/m.exec(read(file))[1];
  const { version: expected } = JSON.parse(read("bindings/web/package.json"));
  for (const file of ["Cargo.toml", "bindings/web/Cargo.toml", "bindings/python/Cargo.toml"]) assert.equal(version(file), expected, file);
  assert.equal(JSON.parse(read("bindings/web/package-lock.json")).version, expected);
  const [first, ...released] = [...read("CHANGELOG.md").matchAll(/^## (.*)$/gm)].map(([, title]) => title);
  // A title is a version, perhaps with a date.
  const newest = first === "Unreleased" ? released[0] : first;
  assert.equal(newest.split(" ")[0], expected);
});

test("the packed package has the files it needs, is small, and works in an empty folder", () => {
  const folder = mkdtempSync(join(tmpdir(), "matesolve-"));
  try {
    // The script `prepack` builds what is missing; here it is there.
    const pack = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
    const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8"));
    assert.equal(scripts.prepack, "npm run --silent build");
    const [{ filename, files }] = JSON.parse(execFileSync("npm", pack, { cwd: join(import.meta.dirname, ".."), encoding: "utf8" }));
    assert.deepEqual(files.map((file) => file.path).sort(), FILES);
    const module = readFileSync(join(import.meta.dirname, "../js/matesolve.wasm"));
    assert.ok(gzipSync(module).length < 1_200_000);

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
