// While somebody composes a character (an IME, or an accent by two keys), the keys are the input method's: none of our
// scripts sees them, so that nothing is sent, marked or moved by the Enter, the arrows or the digits that choose a
// character. Where the browser ends the composition before it tells of the key (Safari), the key's code says so.

const KEY_OF_AN_INPUT_METHOD = 229;

addEventListener("keydown", (event) => {
  if (event.isComposing || event.keyCode === KEY_OF_AN_INPUT_METHOD) event.stopImmediatePropagation();
}, { capture: true });
