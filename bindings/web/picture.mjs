// Draws docs/pictures/report.png: the page that `matesolve report --format html` writes, in Chromium. `npm run picture`
// writes the file; a test in `test/browser.test.mjs` draws it again and compares.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { launch } from "./test/browser.mjs";
import { ROOT, matesolve } from "./test/support.mjs";

export const FILE = join(ROOT, "docs/pictures/report.png");
/** Sam Loyd, "Love Chase", 1869. */
const PROBLEM = '5N1k/5Ppp/8/8/2Q3p1/8/8/b6K w - - id "Sam Loyd, 1869";';
const SIZE = { width: 980, height: 730 };

/** Returns the picture as the bytes of a PNG: a variation is open, and the board shows its last move. */
export async function picture(context) {
  const folder = mkdtempSync(join(tmpdir(), "matesolve-picture-"));
  const page = await context.newPage();
  try {
    const file = join(folder, "report.html");
    writeFileSync(file, matesolve("report", PROBLEM, "-s", "#3", "--tries", "--format", "html"));
    await page.setViewportSize(SIZE);
    await page.goto(pathToFileURL(file).href);
    const variation = page.getByRole("treeitem").filter({ hasText: "1...Be5 2.Qf5" }).last();
    await variation.locator(".row").first().click();
    return await page.screenshot();
  } finally {
    await page.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) {
  const { context, stop } = await launch();
  try {
    writeFileSync(FILE, await picture(context));
  } finally {
    await stop();
  }
}
