// Keys: those that the browser keeps, and buttons for those that a touch screen does not have.

// What a browser does with these is worth more than what an example does.
const OF_THE_BROWSER = new Set(["F5", "F6", "F11", "F12"]);

// Each example's keys that no widget of its own window stands for.
const KEYS = {
  soldier: [["stop, go on", "Space", " "], ["next unit", "Tab", "Tab"], ["last search", "F8", "F8"]],
  squad: [["stop, go on", "Space", " "], ["hold shift", "ShiftLeft", "Shift"]],
  shapes: [["enlarge", "Tab", "Tab"]],
  towers: [["stop, go on", "Space", " "]],
  waypoints: [
    ["stop, go on", "Space", " "],
    ["new waypoint", "KeyN", "n"],
    ["remove", "KeyX", "x"],
    ["supplies", "KeyG", "g"],
    ["to supplies", "KeyQ", "q"],
    ["reset", "KeyR", "r"],
    ["hold shift", "ShiftLeft", "Shift"],
  ],
  doors: [["stop, go on", "Space", " "], ["door 1", "Digit1", "1"], ["door 2", "Digit2", "2"], ["door 3", "Digit3", "3"]],
  crowd: [["stop, go on", "Space", " "], ["next square", "Tab", "Tab"]],
  path_lab: [["keys", "F1", "F1"], ["next widget", "Tab", "Tab"], ["close", "Escape", "Escape"]],
};

/**
 * Lets the browser's own keys reach the browser, and Escape and Tab leave the canvas. While something in the program is
 * selected or open, it marks the body, and these two keys are the program's.
 */
export function letKeysLeave(canvas, place) {
  const keep = (event) => {
    if (!event.isTrusted || event.target !== canvas) return;
    const isKept = document.body.dataset.keepsKeys === "true";
    const leaves = !isKept && (event.key === "Escape" || event.key === "Tab");
    if (!leaves && !OF_THE_BROWSER.has(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey) return;
    event.stopImmediatePropagation();
    if (leaves && event.key === "Escape" && event.type === "keydown") place().focus();
  };
  for (const type of ["keydown", "keyup"]) document.addEventListener(type, keep, { capture: true });
}

/** Fills the toolbar with a button for each key of the example. A key that is held stays down until the next press. */
export function showKeys(toolbar, canvas, example) {
  const keys = KEYS[example] ?? [];
  toolbar.hidden = keys.length === 0;
  for (const [text, code, key] of keys) {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: text });
    const isHeld = key === "Shift";
    if (isHeld) button.setAttribute("aria-pressed", "false");
    button.addEventListener("click", () => {
      if (!isHeld) {
        send(canvas, "keydown", code, key);
        // A program sees keys once a frame.
        requestAnimationFrame(() => requestAnimationFrame(() => send(canvas, "keyup", code, key)));
        canvas.focus({ preventScroll: true });
        return;
      }
      const isDown = button.getAttribute("aria-pressed") === "true";
      button.setAttribute("aria-pressed", String(!isDown));
      send(canvas, isDown ? "keyup" : "keydown", code, key);
    });
    toolbar.append(button);
  }
}

function send(canvas, type, code, key) {
  const location = key === "Shift" ? 1 : 0;
  const shiftKey = key === "Shift" && type === "keydown";
  canvas.dispatchEvent(new KeyboardEvent(type, { bubbles: true, cancelable: true, code, key, location, shiftKey }));
}
