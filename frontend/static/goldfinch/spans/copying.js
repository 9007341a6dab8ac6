// A copied quote has the text as it is stored, so that it is found again: equations and references are drawn in
// another way.
/** @import { Passages } from "./passages.js" */

/** @param {Passages} passages @param {AbortSignal} signal */
export function copyAsStored(passages, signal) {
  document.addEventListener("copy", (event) => {
    const selection = getSelection();
    if (selection.isCollapsed) return;
    const { startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0);
    const passage = passages.passageAt(startContainer);
    if (!passage || passage !== passages.passageAt(endContainer)) return;
    const end = passage.offset(endContainer, endOffset, { end: true });
    event.clipboardData.setData("text/plain", passage.slice(passage.offset(startContainer, startOffset), end));
    event.preventDefault();
  }, { signal });
}
