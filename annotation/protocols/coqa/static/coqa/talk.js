// What all pages of a conversation have: the talk so far, scrolled to its end, the live part, and Alt+P.
import { Live } from "../goldfinch/live.js";

const END = 40; // this close to the end, the newest turn stays in view

export function toTheEnd(screen) {
  const turns = screen.find("[data-turns]");
  if (turns) turns.scrollTop = turns.scrollHeight;
}

export function bindPassage(screen) {
  screen.keys.bind("Alt+p", () => screen.find("#material").focus(), { label: screen.voice.text("key-passage") });
}

// Follow the partner; somebody who reads earlier turns is not scrolled away from them.
export function follow(screen) {
  const { voice } = screen;
  bindPassage(screen);
  toTheEnd(screen);
  let atEnd = true;
  const watch = () => {
    const turns = screen.find("[data-turns]");
    turns.addEventListener("scroll", () => {
      atEnd = turns.scrollTop + turns.clientHeight > turns.scrollHeight - END;
    }, { signal: screen.signal, passive: true });
    return turns;
  };
  watch();
  return new Live(screen, {
    speak: (texts) => voice.text("partner-said", { what: texts.join(" ") }),
    swapped() {
      const before = atEnd;
      watch();
      if (before) toTheEnd(screen);
    },
  });
}
