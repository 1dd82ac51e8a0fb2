// A browser without a window, drawn in software, and the pages that it opens.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "./server.mjs";

const BROWSERS = ["/usr/bin/chromium", "/usr/bin/google-chrome", "/usr/bin/chromium-browser"];
const PICTURES = fileURLToPath(new URL("../target/pictures/", import.meta.url));
// The stage has 1280 x 720 pixels below the bar.
export const BAR = 34;
const WINDOW = { viewport: { width: 1280, height: 720 + BAR } };
const PHONE = { hasTouch: true, isMobile: true, deviceScaleFactor: 3 };
export const UPRIGHT = { ...PHONE, viewport: { width: 390, height: 844 } };
export const ON_ITS_SIDE = { ...PHONE, viewport: { width: 844, height: 390 } };
// Software draws a few frames a second.
export const PATIENCE = Number(process.env.PATIENCE ?? 180_000);
// What the browser, not the page, says about drawing in software.
const OF_THE_BROWSER = /GPU stall|swiftshader|fallback|GL Driver Message|software/i;

const executablePath = process.env.BROWSER ?? BROWSERS.find((browser) => existsSync(browser));
assert(executablePath, `no browser: install one of ${BROWSERS.join(", ")}, or name one in BROWSER`);
await mkdir(PICTURES, { recursive: true });
const { server, address } = await serve();
const ARGUMENTS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"];
const browsers = new Map();

/** Returns the browser of a screen. What a page emulates does not reach the pixels of a canvas. */
function browserOf(pixelRatio) {
  const args = [...ARGUMENTS, `--force-device-scale-factor=${pixelRatio}`];
  if (!browsers.has(pixelRatio)) browsers.set(pixelRatio, chromium.launch({ executablePath, args }));
  return browsers.get(pixelRatio);
}

export { address };

export async function closeBrowser() {
  for (const browser of browsers.values()) await (await browser).close();
  server.close();
}

/** A page with what its program has written. */
export class Opened {
  /** Opens an address of the page. `prepare` gets the page before that. */
  static async at(query, options = WINDOW, prepare = async () => {}) {
    const browser = await browserOf(options.deviceScaleFactor ?? 1);
    const context = await browser.newContext({ ...options, permissions: ["clipboard-read", "clipboard-write"] });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    const opened = Object.assign(new Opened(), { context, page, log: [], errors: [] });
    opened.bar = options === WINDOW ? BAR : 0;
    Opened.last = opened;
    page.on("console", (message) => {
      opened.log.push(message.text());
      if (message.type() === "error" && !OF_THE_BROWSER.test(message.text())) opened.errors.push(message.text());
    });
    page.on("pageerror", (error) => opened.errors.push(error.message));
    page.on("requestfailed", (request) => opened.errors.push(`${request.url()}: ${request.failure()?.errorText}`));
    page.on("response", (response) => {
      if (response.status() >= 400) opened.errors.push(`${response.url()}: ${response.status()}`);
    });
    await prepare(page);
    await page.goto(address + query);
    return opened;
  }

  /** Opens an example and waits for its first complete frame. */
  static async example(query, options, prepare) {
    const begun = performance.now();
    const opened = await Opened.at(query, options, prepare);
    await opened.hasFirstFrame();
    opened.seconds = (performance.now() - begun) / 1000;
    return opened;
  }

  hasFirstFrame() {
    return this.page.waitForSelector("body[data-first-frame]", { timeout: PATIENCE, state: "attached" });
  }

  picture(name) {
    return this.page.screenshot({ path: `${PICTURES}${name}.png`, timeout: PATIENCE });
  }

  /** Waits until the program writes a line with this text, after the lines that are there. */
  async says(text, from = 0) {
    const end = performance.now() + PATIENCE;
    while (!this.log.slice(from).some((line) => line.includes(text))) {
      assert(performance.now() < end, `the log has no "${text}":\n${this.log.join("\n")}`);
      await this.page.waitForTimeout(200);
    }
  }

  /** Waits until the page itself shows a text in this element. */
  shows(selector, hasText) {
    return this.page.locator(selector, { hasText }).waitFor({ timeout: PATIENCE });
  }

  /** Lets some frames pass, as a slow machine draws them. */
  async frames(count = 4) {
    for (let frame = 0; frame < count; frame += 1) {
      await this.page.evaluate(() => new Promise(requestAnimationFrame));
    }
  }

  async move(x, y) {
    await this.page.mouse.move(x, y + this.bar);
    await this.frames();
  }

  async press(button = "left") {
    await this.page.mouse.down({ button });
    await this.frames();
  }

  async release(button = "left") {
    await this.page.mouse.up({ button });
    await this.frames();
  }

  async click(x, y, button = "left") {
    await this.move(x, y);
    await this.press(button);
    await this.release(button);
  }

  /** Returns the picture of a small place. */
  around({ x, y }) {
    return this.page.screenshot({ clip: { x: x - 24, y: y - 24 + this.bar, width: 48, height: 48 }, timeout: PATIENCE });
  }

  /** Returns the place at these parts of the stage's width and height. */
  async place(across, down) {
    const box = await this.page.locator("#window").boundingBox();
    return { x: box.x + box.width * across, y: box.y + box.height * down - this.bar };
  }

  async touch(type, fingers) {
    this.input ??= this.context.newCDPSession(this.page);
    const input = await this.input;
    const touchPoints = fingers.map(({ x, y }, id) => ({ x, y: y + this.bar, id }));
    await input.send("Input.dispatchTouchEvent", { type, touchPoints });
  }

  /** Touches a place for a moment: a click; or until the finger is the right button. */
  async tap(place, { isHeld = false } = {}) {
    const begun = this.touch("touchStart", [place]);
    if (isHeld) {
      await begun;
      await this.page.waitForTimeout(1000);
      await this.frames(2);
    }
    // A slow frame between the two would make the finger held.
    await Promise.all([begun, this.touch("touchEnd", [])]);
    await this.frames(4);
  }

  /** Returns the id, or else the text, of the element with the focus. */
  focused() {
    return this.page.evaluate(() => document.activeElement.id || document.activeElement.textContent.trim());
  }

  /** Closes the page. Returns what the test prints. */
  async close() {
    assert.deepEqual(this.errors, [], "errors on the console");
    await this.context.close();
    return this.seconds ? `${this.seconds.toFixed(1)} s to the first frame` : "";
  }
}
