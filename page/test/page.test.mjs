// Tries the finished page in a browser without a window, drawn in software: `HASHES=… node page/test/page.test.mjs`.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "./server.mjs";

const BROWSERS = ["/usr/bin/chromium", "/usr/bin/google-chrome", "/usr/bin/chromium-browser"];
const PICTURES = fileURLToPath(new URL("../target/pictures/", import.meta.url));
// The stage has 1280 x 720 pixels below the bar.
const BAR = 34;
const VIEWPORT = { width: 1280, height: 720 + BAR };
// Software draws a few frames a second.
const PATIENCE = Number(process.env.PATIENCE ?? 180_000);
// What the browser, not the page, says about drawing in software.
const OF_THE_BROWSER = /GPU stall|swiftshader|fallback|GL Driver Message|software/i;

const executablePath = process.env.BROWSER ?? BROWSERS.find((browser) => existsSync(browser));
assert(executablePath, `no browser: install one of ${BROWSERS.join(", ")}, or name one in BROWSER`);
assert(process.env.HASHES, "HASHES must have the hashes of this machine, as `tasks page-test` gives them");
await mkdir(PICTURES, { recursive: true });
const { server, address } = await serve();
const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});

/** A page with what its program has written. */
class Opened {
  static async at(query, { touch = false } = {}) {
    const context = await browser.newContext({
      viewport: VIEWPORT,
      hasTouch: touch,
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const page = await context.newPage();
    const opened = Object.assign(new Opened(), { context, page, log: [], errors: [] });
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
    await page.goto(address + query);
    return opened;
  }

  /** Opens an example and waits for its first complete frame. */
  static async example(query, options) {
    const begun = performance.now();
    const opened = await Opened.at(query, options);
    await opened.page.waitForSelector("body[data-first-frame]", { timeout: PATIENCE, state: "attached" });
    opened.seconds = (performance.now() - begun) / 1000;
    return opened;
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

  /** Lets some frames pass, as a slow machine draws them. */
  async frames(count = 4) {
    for (let frame = 0; frame < count; frame += 1) {
      await this.page.evaluate(() => new Promise(requestAnimationFrame));
    }
  }

  async move(x, y) {
    await this.page.mouse.move(x, y + BAR);
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

  async drag([x, y], [toX, toY], button = "left") {
    await this.move(x, y);
    await this.press(button);
    await this.move((x + toX) / 2, (y + toY) / 2);
    await this.move(toX, toY);
    await this.release(button);
  }

  /** Returns the picture of a small place. */
  around({ x, y }) {
    return this.page.screenshot({ clip: { x: x - 24, y: y - 24 + BAR, width: 48, height: 48 }, timeout: PATIENCE });
  }

  async touch(type, fingers) {
    this.input ??= await this.context.newCDPSession(this.page);
    const touchPoints = fingers.map(({ x, y }, id) => ({ x, y: y + BAR, id }));
    await this.input.send("Input.dispatchTouchEvent", { type, touchPoints });
  }

  /** Closes the page. Returns what the test prints. */
  async close() {
    assert.deepEqual(this.errors, [], "errors on the console");
    await this.context.close();
    return this.seconds ? `${this.seconds.toFixed(1)} s to the first frame` : "";
  }
}

/** Returns a test: a click at a place of an example sends a unit, which arrives. */
function sends(example, x, y, button) {
  return async () => {
    const opened = await Opened.example(`?example=${example}`);
    await opened.picture(example);
    const from = opened.log.length;
    await opened.click(x, y, button);
    await opened.picture(`${example}_clicked`);
    await opened.says("arrived", from);
    return opened.close();
  };
}

const tests = {
  async "the menu shows every example"() {
    const menu = await Opened.at("");
    await menu.page.waitForLoadState("networkidle");
    assert.equal(await menu.page.locator("#menu a").count(), 6);
    await menu.picture("menu");
    await menu.page.locator("#menu a").nth(1).click();
    assert(menu.page.url().endsWith("?example=squad"));
    await menu.context.close();
  },

  "soldier: a click sends it, and it arrives": sends("soldier", 450, 360),
  "squad: the right button sends all twelve": sends("squad", 560, 500, "right"),
  "shapes: a click sends the soldier of a map": sends("shapes", 210, 170),
  "waypoints: a click sends the traveller along the streets": sends("waypoints", 412, 353),

  async "towers: a click builds one"() {
    const opened = await Opened.example("?example=towers");
    await opened.picture("towers");
    const place = { x: 560, y: 500 };
    const before = await opened.around(place);
    await opened.click(place.x, place.y);
    await opened.move(20, 700);
    await opened.picture("towers_clicked");
    assert.notDeepEqual(await opened.around(place), before, "there is a tower now");
    return opened.close();
  },

  async "laboratory: a link is copied, stands in the address, and opens the same race"() {
    const opened = await Opened.example("?example=path_lab");
    await opened.picture("path_lab");
    // The rival in the row "race".
    await opened.click(1080, 270);
    await opened.click(1196, 590);
    await opened.picture("path_lab_clicked");
    const link = opened.page.url();
    assert.match(link, /\?example=path_lab#map=16x12\*.*&race=/);
    assert.equal(await opened.page.evaluate(() => navigator.clipboard.readText()), link);
    const again = await Opened.example(link.slice(address.length));
    await again.picture("path_lab_link");
    await again.click(1196, 590);
    assert.equal(again.page.url(), link);
    await again.close();
    return opened.close();
  },

  async "laboratory: a damaged link is refused in words"() {
    const opened = await Opened.at("?example=path_lab#map=4x2*1x7&from=0.0&to=3.1");
    const text = opened.page.locator("#progress-text", { hasText: "7 numbers instead of 8" });
    await text.waitFor({ timeout: PATIENCE });
    await opened.picture("damaged_link");
    await opened.context.close();
  },

  async "fingers: a tap is a click, a finger held still the right button, and two fingers zoom"() {
    const opened = await Opened.example("?example=soldier", { touch: true });
    const from = opened.log.length;
    await opened.page.touchscreen.tap(450, 360 + BAR);
    await opened.says("arrived", from);
    const meadow = { x: 150, y: 460 };
    const before = await opened.around(meadow);
    await opened.touch("touchStart", [meadow]);
    await opened.page.waitForTimeout(1000);
    await opened.frames();
    await opened.touch("touchEnd", []);
    await opened.frames();
    assert.notDeepEqual(await opened.around(meadow), before, "a rock is painted");
    await opened.picture("fingers_painted");
    const whole = await opened.picture("fingers");
    await opened.touch("touchStart", [{ x: 350, y: 300 }, { x: 450, y: 300 }]);
    for (const spread of [80, 120, 160, 200]) {
      await opened.touch("touchMove", [{ x: 400 - spread, y: 300 }, { x: 400 + spread, y: 300 }]);
      await opened.frames();
    }
    await opened.touch("touchEnd", []);
    await opened.frames();
    assert.notDeepEqual(await opened.picture("fingers_zoomed"), whole);
    return opened.close();
  },

  async "searches and a game have the hashes of this machine"() {
    const hashes = await Opened.at("?example=determinism");
    const body = await hashes.page.waitForSelector("body[data-hashes]", { timeout: PATIENCE, state: "attached" });
    assert.equal(await body.getAttribute("data-hashes"), process.env.HASHES);
    await hashes.close();
  },
};

let failed = 0;
const chosen = process.argv.slice(2);
for (const [name, test] of Object.entries(tests)) {
  if (chosen.length > 0 && !chosen.some((part) => name.includes(part))) continue;
  try {
    const told = await test();
    console.log(`ok: ${name}${told ? `: ${told}` : ""}`);
  } catch (error) {
    failed += 1;
    console.log(`failed: ${name}\n${error.stack}`);
    console.log(["its log:", ...Opened.last.log.slice(-20), "its errors:", ...Opened.last.errors].join("\n"));
  }
}
await browser.close();
server.close();
process.exitCode = failed > 0 ? 1 : 0;
