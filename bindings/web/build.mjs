// Builds the package and the page: compiles the module, writes the types, and puts the page with all it needs into
// `site/`, which any static host can serve.

import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Host } from "./js/worker.js";

const TARGET = "wasm32-unknown-unknown";
const here = import.meta.dirname;
const cargo = (...words) => execFileSync("cargo", words, { cwd: here, stdio: ["ignore", "pipe", "inherit"] });

cargo("build", "--profile", "web", "--locked", "--target", TARGET);
const { target_directory: folder } = JSON.parse(cargo("metadata", "--format-version", "1", "--no-deps", "--locked"));
const module = join(folder, TARGET, "web", "matesolve_web.wasm");
copyFileSync(module, join(here, "js/matesolve.wasm"));
copyFileSync(join(here, "../../LICENSE"), join(here, "LICENSE"));
await import("./types.mjs");

const host = new Host(new WebAssembly.Module(readFileSync(module)));
const call = (op) => JSON.parse(host.answer({ op })).value;
const site = join(here, "site");
rmSync(site, { recursive: true, force: true });
mkdirSync(join(site, "matesolve"), { recursive: true });
cpSync(join(here, "page"), site, { recursive: true });
for (const file of ["browser.js", "solver.js", "worker.js", "worker-browser.js", "matesolve.wasm"]) {
  copyFileSync(join(here, "js", file), join(site, "matesolve", file));
}
copyFileSync(join(here, "LICENSE"), join(site, "LICENSE"));
// The marks of a move are those of the pages of reports, whose script is no module.
const marks = readFileSync(join(here, "../../crates/results/src/output/html/marks.js"), "utf8");
writeFileSync(join(site, "marks.js"), `${marks}\nexport { markMoves };\n`);
// The manual, if `mdbook build` has written it. A page without one has no link to it, rather than one that leads nowhere.
const manual = join(here, "../../target/book");
const hasManual = existsSync(join(manual, "index.html"));
if (hasManual) cpSync(manual, join(site, "manual"), { recursive: true });
else console.log("the page has no manual: run `mdbook build` in the main folder first");
const page = readFileSync(join(here, "page/index.html"), "utf8");
// Without a repository there is no link to the source.
const { repository } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
const address = (repository?.url ?? repository ?? "").replace(/^git\+/, "").replace(/\.git$/, "");
const filled = page
  .replace("<!-- the shapes of the men -->", () => call("shapes"))
  .replace("{version}", call("version"))
  .replace("<!-- the manual -->", () => (hasManual ? '<a href="manual/solve.html">manual</a>' : ""))
  .replace("<!-- the source -->", () => (address ? `; <a href="${address}">source code</a>` : ""));
writeFileSync(join(site, "index.html"), filled);

const bytes = readFileSync(module);
console.log(`matesolve.wasm: ${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} with gzip`);
