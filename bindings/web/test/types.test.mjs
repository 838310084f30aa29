// The TypeScript compiler accepts a program that uses the package rightly, and notices what is wrong in it.

import { spawnSync } from "node:child_process";
import { test } from "node:test";
import assert from "node:assert/strict";
import { join } from "node:path";

const folder = join(import.meta.dirname, "..");
const tsc = (...words) => {
  const { stdout, stderr } = spawnSync(process.execPath, [join(folder, "node_modules/typescript/bin/tsc"), ...words], { encoding: "utf8", cwd: folder });
  return stdout + stderr;
};

test("a program in TypeScript is checked", () => {
  assert.equal(tsc("-p", folder), "");
});

test("the types need neither those of browsers nor those of Node", () => {
  const alone = ["--noEmit", "--strict", "--typeRoots", "test", "--lib", "ES2022", "--module", "NodeNext", "--target", "ES2022"];
  assert.equal(tsc(...alone, "js/index.d.ts"), "");
});
