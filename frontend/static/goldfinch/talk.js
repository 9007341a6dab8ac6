// What all pages of a conversation have: the talk so far, the live part, and Alt+P.
import { Live } from "./live.js";
/** @import { Screen } from "./screen.js" */

const END = 40; // this close to the end, the newest turn stays in view

// Show the newest turn, and keep it in view while the box below grows, unless somebody reads earlier turns.
/** @param {Screen} screen */
export function keepAtTheEnd(screen) {
  const turns = screen.find("[data-turns]");
  if (!turns) return;
  const down = () => { turns.scrollTop = turns.scrollHeight; };
  let atEnd = true;
  let height = 0;
  turns.addEventListener("scroll", () => {
    // A smaller box is no scrolling of somebody's.
    if (turns.clientHeight === height) atEnd = turns.scrollTop + turns.clientHeight > turns.scrollHeight - END;
  }, { signal: screen.signal, passive: true });
  const watch = new ResizeObserver(() => {
    height = turns.clientHeight;
    if (atEnd) down();
  });
  watch.observe(turns);
  screen.signal.addEventListener("abort", () => watch.disconnect());
  down();
}

/** @param {Screen} screen */
export function bindPassage(screen) {
  screen.keys.bind("Alt+p", () => screen.find("#material").focus(), { label: screen.voice.text("key-passage") });
}

// Follow the partner; somebody who plays both parts has none, and who reads an earlier step stays there.
/** @param {Screen} screen */
export function follow(screen) {
  const { voice } = screen;
  bindPassage(screen);
  keepAtTheEnd(screen);
  const { urlNow, waits } = screen.root.dataset;
  if (!urlNow || screen.asSeen || (screen.readonly && waits === undefined)) return null;
  return new Live(screen, {
    speak: (texts) => voice.text("partner-said", { what: texts.join(" ") }),
    swapped: () => keepAtTheEnd(screen),
  });
}
