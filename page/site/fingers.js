// Fingers as a mouse, for programs that know mice: one finger is the main button, held still first the second one.
// Two fingers move the view, as the middle button does, and zoom it, as the wheel does.

const HOLD_MILLISECONDS = 450;
const STILL_PIXELS = 10;
// Fingers that come or go this much nearer turn the wheel by one notch.
const PIXELS_A_NOTCH = 40;

const BUTTONS = { main: [0, 1], middle: [1, 4], second: [2, 2] };

export function letFingersBeAMouse(canvas) {
  const fingers = new Map();
  let held = null; // the button that is down
  let hold = null; // a finger that holds still, and its timer
  let began = null; // where the first finger went down
  let spread = 0; // the distance of two fingers at the last notch

  // A program sees the mouse once a frame: two events of one frame could be a click at the place before.
  const queue = [];
  const send = (type, at, button = null) => {
    const entry = { type, at, button, buttons: type !== "pointerup" && held ? BUTTONS[held][1] : 0 };
    const last = queue.at(-1);
    if (queue.length > 1 && type === "pointermove" && last.type === type) {
      queue[queue.length - 1] = entry;
    } else if (queue.push(entry) === 1) {
      requestAnimationFrame(dispatchNext);
    }
  };
  const dispatchNext = () => {
    const { type, at, button, buttons } = queue[0];
    const event = new PointerEvent(type, {
      bubbles: true,
      cancelable: true,
      pointerType: "mouse",
      isPrimary: true,
      pointerId: 1,
      clientX: at.x,
      clientY: at.y,
      button: button ? BUTTONS[button][0] : -1,
      buttons,
    });
    event.getCoalescedEvents = () => [event];
    // Chromium divides the offset of such an event by the pixels of the screen for each of the page.
    const box = canvas.getBoundingClientRect();
    Object.defineProperty(event, "offsetX", { value: at.x - box.left });
    Object.defineProperty(event, "offsetY", { value: at.y - box.top });
    canvas.dispatchEvent(event);
    queue.shift();
    if (queue.length > 0) requestAnimationFrame(dispatchNext);
  };
  const press = (button, at) => {
    send("pointermove", at);
    held = button;
    send("pointerdown", at, button);
  };
  const release = (at) => {
    if (held) send("pointerup", at, held);
    held = null;
  };
  const middle = () => {
    const [a, b] = [...fingers.values()];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  };
  const distance = () => {
    const [a, b] = [...fingers.values()];
    return Math.hypot(a.x - b.x, a.y - b.y);
  };
  const stopHold = () => {
    clearTimeout(hold?.timer);
    hold = null;
  };

  const down = (event, at) => {
    fingers.set(event.pointerId, at);
    stopHold();
    if (fingers.size === 1) {
      began = at;
      send("pointermove", at);
      const mine = {};
      // After a slow frame a finger may be up already: its event comes before the next frame.
      mine.timer = setTimeout(() => {
        requestAnimationFrame(() => {
          if (hold !== mine) return;
          hold = null;
          press("second", began);
        });
      }, HOLD_MILLISECONDS);
      hold = mine;
    } else if (fingers.size === 2) {
      release(at);
      spread = distance();
      press("middle", middle());
    }
  };
  const move = (event, at) => {
    if (!fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, at);
    if (fingers.size === 1) {
      if (hold && Math.hypot(at.x - began.x, at.y - began.y) > STILL_PIXELS) {
        stopHold();
        press("main", began);
      }
      if (!hold) send("pointermove", at);
    } else if (fingers.size === 2) {
      send("pointermove", middle());
      const notches = Math.trunc((distance() - spread) / PIXELS_A_NOTCH);
      if (notches !== 0) {
        spread += notches * PIXELS_A_NOTCH;
        const { x, y } = middle();
        canvas.dispatchEvent(
          new WheelEvent("wheel", { bubbles: true, cancelable: true, clientX: x, clientY: y, deltaMode: 1, deltaY: -notches }),
        );
      }
    }
  };
  const up = (event, at) => {
    if (!fingers.delete(event.pointerId)) return;
    // A short touch that held still is a click.
    if (hold) {
      stopHold();
      press("main", began);
    }
    release(at);
  };

  for (const [type, handle] of [
    ["pointerdown", down],
    ["pointermove", move],
    ["pointerup", up],
    ["pointercancel", up],
  ]) {
    canvas.addEventListener(
      type,
      (event) => {
        if (event.pointerType !== "touch") return;
        event.preventDefault();
        event.stopImmediatePropagation();
        handle(event, { x: event.clientX, y: event.clientY });
      },
      { capture: true },
    );
  }
}
