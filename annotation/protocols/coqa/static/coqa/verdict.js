// After the reveal: do the two answers mean the same?
import { choosing } from "./choosing.js";
import { bindPassage, keepAtTheEnd } from "./talk.js";
/** @import { Screen } from "../goldfinch/screen.js" */

/** @param {Screen} screen */
export function start(screen) {
  const { form, voice } = screen;
  bindPassage(screen);
  keepAtTheEnd(screen);
  screen.find(".coqa-mark")?.scrollIntoView({ block: "nearest" });
  voice.live(voice.text("original-is", { what: screen.find("[data-original]").textContent.trim() }));
  if (!form) return null;
  return choosing(screen, { name: "verdict", missing: "say-verdict" });
}
