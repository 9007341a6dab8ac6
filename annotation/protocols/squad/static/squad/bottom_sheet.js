// The answer of a narrow screen is a sheet over the text: it goes down where the text is needed.

export function lower(screen) {
  const sheet = screen.find(".answer");
  const grip = sheet.querySelector(".grip");
  if (sheet.hasAttribute("data-open") && grip.checkVisibility()) grip.click();
}
