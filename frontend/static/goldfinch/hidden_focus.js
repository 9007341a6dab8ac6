// A key may hide what has the focus, which a browser then gives to nothing.

/** @param {HTMLElement} to what has the focus instead */
export function leaveHidden(to) {
  if (document.activeElement?.closest("[hidden]")) to.focus({ preventScroll: true });
}
