// Menus (popovers): the browser closes them by Escape and clicks of the page, but not by those in a frame.

// Whether a menu was open.
export function closeMenus() {
  const open = [...document.querySelectorAll(":popover-open")];
  for (const menu of open) menu.hidePopover();
  return open.length > 0;
}
