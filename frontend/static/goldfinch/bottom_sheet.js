// On a narrow screen the answer is a bottom sheet over the text; close it when the text is needed.
/** @import { Screen } from "./screen.js" */

/** @param {Screen} screen */
export function lower(screen) {
  const sheet = screen.find(".answer");
  const grip = sheet.querySelector(".grip");
  if (sheet.hasAttribute("data-open") && grip.checkVisibility()) grip.click();
}
