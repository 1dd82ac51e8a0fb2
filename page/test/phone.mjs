// Tests with fingers alone, on a phone that is turned.

import assert from "node:assert/strict";
import { ON_ITS_SIDE, Opened, PATIENCE, UPRIGHT } from "./browser.mjs";

// Where a finger goes, in parts of the stage's width and height: on a phone on its side, and upright.
// The places are near the units: a browser that draws in software is slow.
const PLAY = {
  soldier: { taps: [[0.22, 0.45], [0.235, 0.33]] },
  squad: { taps: [[0.22, 0.58], [0.25, 0.5]], isHeld: true },
  shapes: { taps: [[0.12, 0.25], [0.2, 0.25]] },
  waypoints: { taps: [[0.3, 0.5], [0.25, 0.45]] },
  doors: { taps: [[0.17, 0.85], [0.12, 0.84]] },
  // These come to their goals without a finger, and go on when it has done something.
  towers: { taps: [[0.45, 0.75], [0.4, 0.2]], isSelfGoing: true },
  crowd: { taps: [[0.3, 0.3], [0.5, 0.6]], isSelfGoing: true },
};

/** Touches a place of the stage, and waits for an arrival after that. */
async function play(opened, name, turn) {
  const { taps, isHeld = false, isSelfGoing = false } = PLAY[name];
  const place = await opened.place(...taps[turn]);
  const from = opened.log.length;
  const before = isSelfGoing && (await opened.around(place));
  await opened.tap(place, { isHeld });
  if (isSelfGoing) assert.notDeepEqual(await opened.around(place), before, "the finger does something");
  await opened.says("arrived", from);
}

/** Checks that the canvas has all pixels of the screen. */
async function isSharp({ page }) {
  const [width, shown] = await page.locator("#window").evaluate((canvas) => [canvas.width, canvas.clientWidth]);
  assert(Math.abs(width - shown * 3) <= 3, `${width} pixels for ${shown} of the page`);
}

/** Returns a test: an example is played on a phone on its side, which is then turned, and played on. */
function isPlayed(name) {
  return async () => {
    const opened = await Opened.example(`?example=${name}`, ON_ITS_SIDE);
    await isSharp(opened);
    const text = Number(await opened.page.locator("body").getAttribute("data-smallest-text"));
    assert(text >= 7.99, `texts of ${text} pixels`);
    assert(!(await opened.page.locator("#turn").isVisible()));
    for (const id of ["home", "keys", "window"]) {
      const box = await opened.page.locator(`#${id}`).boundingBox();
      assert(box.y >= 0 && box.y + box.height <= 390 && box.x + box.width <= 844, `${id} is in view`);
    }
    await play(opened, name, 0);
    await opened.picture(`phone_${name}_played`);
    await opened.page.setViewportSize(UPRIGHT.viewport);
    await opened.frames(3);
    assert(await opened.page.locator("#turn").isVisible(), "the page asks to be turned");
    await isSharp(opened);
    await play(opened, name, 1);
    await opened.picture(`phone_${name}_upright`);
    assert.equal(await opened.page.locator("#loading").count(), 0, "it is the same run");
    return opened.close();
  };
}

export const phoneTests = {
  ...Object.fromEntries(Object.keys(PLAY).map((name) => [`phone, ${name}: to an arrival, and after a turn again`, isPlayed(name)])),

  async "phone, laboratory: a finger paints the board"() {
    const opened = await Opened.example("?example=path_lab", ON_ITS_SIDE);
    await isSharp(opened);
    await opened.picture("phone_path_lab");
    for (const [viewport, at] of [[ON_ITS_SIDE.viewport, [0.2, 0.4]], [UPRIGHT.viewport, [0.3, 0.5]]]) {
      await opened.page.setViewportSize(viewport);
      await opened.frames(6);
      const place = await opened.place(...at);
      const before = await opened.around(place);
      await opened.tap(place);
      assert.notDeepEqual(await opened.around(place), before, "a wall is painted");
      await opened.picture(`phone_path_lab_${viewport.width}`);
    }
    return opened.close();
  },

  async "phone: two fingers zoom the map and scroll the panel"() {
    const opened = await Opened.example("?example=soldier", ON_ITS_SIDE);
    const pinch = async (middle, spreads, down = 0) => {
      const fingers = (spread, y) => [-1, 1].map((side) => ({ x: middle.x + side * spread, y: middle.y + y }));
      await opened.touch("touchStart", fingers(spreads[0], 0));
      for (const [index, spread] of spreads.entries()) {
        await opened.touch("touchMove", fingers(spread, (down * index) / spreads.length));
        await opened.frames();
      }
      await opened.touch("touchEnd", []);
      await opened.frames(6);
    };
    const whole = await opened.picture("fingers");
    await pinch(await opened.place(0.3, 0.5), [40, 80, 120, 160]);
    assert.notDeepEqual(await opened.picture("fingers_zoomed"), whole);
    const panel = await opened.place(0.87, 0.6);
    const before = await opened.around(panel);
    await pinch(panel, [20, 20, 20, 20], -150);
    assert.notDeepEqual(await opened.around(panel), before, "the panel is scrolled");
    await opened.picture("fingers_scrolled");
    return opened.close();
  },

  async "phone: a finger held still is the right button, and a key is a button"() {
    const opened = await Opened.example("?example=soldier", ON_ITS_SIDE);
    const meadow = await opened.place(0.15, 0.75);
    const before = await opened.around(meadow);
    await opened.tap(meadow, { isHeld: true });
    assert.notDeepEqual(await opened.around(meadow), before, "a rock is painted");
    const from = opened.log.length;
    await opened.tap(await opened.place(0.3, 0.5));
    const stop = opened.page.locator("#keys button").first();
    await stop.tap();
    await opened.frames(8);
    await opened.picture("fingers_stopped");
    const [walker, here] = [await opened.place(0.2, 0.5), opened.log.length];
    const still = await opened.around(walker);
    await opened.frames(8);
    assert(!opened.log.slice(here).some((line) => line.includes("arrived")), "it stands");
    assert(still);
    await stop.tap();
    await opened.says("arrived", from);
    return opened.close();
  },
};

export { PATIENCE };
