// What the tests of the page share: the page in Chromium, and what they do on it again and again.

import { after, afterEach, before, beforeEach } from "node:test";
import assert from "node:assert/strict";
import { start } from "./browser.mjs";

export let browser;
export let page;
let failures;
before(async () => (browser = await start()));
after(() => browser?.stop());
beforeEach(async () => {
  page = await browser.context.newPage();
  failures = [];
  page.on("pageerror", (error) => failures.push(error.message));
  // A test may go on while the page of a report is still being loaded into its frame.
  const isCutShort = (request) => request.url().startsWith("blob:") && request.failure()?.errorText === "net::ERR_ABORTED";
  page.on("requestfailed", (request) => isCutShort(request) || failures.push(request.url()));
  page.on("console", (message) => message.type() === "error" && failures.push(message.text()));
});
afterEach(async () => {
  await page.close();
  assert.deepEqual(failures, []);
});

/** Opens the page with a question in its address, and waits until the board shows it. */
export async function open(fen, moves = "", size = { width: 1280, height: 800 }) {
  await page.setViewportSize(size);
  await page.goto(`${browser.address}#fen=${fen.replaceAll(" ", "_")}&moves=${moves}`);
  await page.waitForFunction((text) => document.getElementById("text").value === text, fen);
  await page.waitForSelector("#solve:enabled");
}

/** Waits for the verdict of an answer, which is announced. */
export const answered = () => page.waitForFunction(() => !document.getElementById("result").hidden && document.getElementById("announce").textContent);
/** Waits for the whole solution that follows an answer, and for its tree. */
export const followed = async () => {
  await page.waitForFunction(() => document.getElementById("sound").textContent);
  await page.frameLocator("#solution").locator("[role=treeitem]").first().waitFor();
};
/** Uses a control under More, which may be folded. */
export async function more(act) {
  if (await page.getAttribute("#more", "aria-expanded") === "false") await page.click("#more");
  return act();
}
export const whole = () => more(() => page.click("#whole"));
export const listMoves = () => more(() => page.click("#moves-list"));

export const square = (name) => page.locator(`[data-square=${name}]`);
export const text = () => page.inputValue("#text");
export const verdict = () => page.locator("#verdict:visible").innerText();
export const HARD = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq -";

/** Drags from the middle of one element to that of another, or to a place beside the board. */
export async function drag(from, to) {
  const middle = async (locator) => {
    const box = await locator.boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  await page.mouse.move(...(await middle(from)));
  await page.mouse.down();
  await page.mouse.move(...(to ? await middle(to) : [5, 300]), { steps: 4 });
  await page.mouse.up();
}

/** The windows of a laptop, of a large screen and of a phone. */
export const SIZES = [{ width: 1280, height: 800 }, { width: 1920, height: 1080 }, { width: 390, height: 844 }];
