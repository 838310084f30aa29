// The TypeScript compiler accepts a program that uses the package rightly, and notices what is wrong in it.

import { spawnSync } from "node:child_process";
import { test } from "node:test";
import assert from "node:assert/strict";
import { join } from "node:path";

test("a program in TypeScript is checked", () => {
  const folder = join(import.meta.dirname, "..");
  const tsc = spawnSync(process.execPath, [join(folder, "node_modules/typescript/bin/tsc"), "-p", folder], { encoding: "utf8" });
  assert.equal(tsc.stdout + tsc.stderr, "");
});
