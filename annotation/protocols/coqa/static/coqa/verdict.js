// After the reveal: do the two answers mean the same?
import { start as plain } from "../goldfinch/plain_stage.js";
/** @import { Screen } from "../goldfinch/screen.js" */

/** @param {Screen} screen */
export function start(screen) {
  screen.find(".passage-mark")?.scrollIntoView({ block: "nearest" });
  screen.voice.live(screen.voice.text("original-is", { what: screen.find("[data-original]").textContent.trim() }));
  return plain(screen);
}
