// Guessing: as in a conversation, but Enter locks the answer, also in the box.
import { answering } from "./rationale.js";
import { bindPassage, keepAtTheEnd } from "./talk.js";
/** @import { Screen } from "../goldfinch/screen.js" */

/** @param {Screen} screen */
export function start(screen) {
  bindPassage(screen);
  keepAtTheEnd(screen);
  if (!screen.form) return null;
  const stage = answering(screen);
  const lock = () => (stage.picker.spans.pending ? stage.picker.add() : screen.commit());
  screen.keys.bind("Enter", lock, { label: screen.voice.text("key-lock") });
  screen.form.elements.text.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.ctrlKey || event.metaKey || event.isComposing) return;
    event.preventDefault();
    screen.commit();
  }, { signal: screen.signal });
  return stage;
}
