// Scroll position and focus at a stage: kept on this device and on the server, and restored on any device.

/**
 * How far the text is scrolled, and what a stage adds: its word, box, paragraph or row.
 * @typedef {{ y?: number, scroll?: number | null, focus?: number | null, at?: number, paragraph?: number,
 *   row?: number }} View
 */
/** @typedef {{ client: string, heard?: string, at: number, view: View }} KeptView */
import { kept, keepView, viewKey } from "./storage.js";
/** @import { DraftData } from "./drafts.js" */
/** @import { Screen } from "./screen.js" */

// The position kept on this device, unless the server has a newer one from another page load.
/** @param {Screen} screen @param {DraftData | null} draft */
export function placeOf(screen, draft) {
  const [there, left] = [screen.json("place"), kept(viewKey(screen.id, screen.stage))];
  const { restoredAt } = screen.drafts;
  if (restoredAt) return { ...(left?.at >= restoredAt ? left.view : draft._view) };
  const newer = left && (!there || left.client === there.client || left.heard === there.client);
  return { ...(newer ? left.view : there?.view) };
}

/** @param {Screen} screen */
export function keepPlace(screen) {
  const heard = screen.json("place")?.client; // the page load that reported to the server last
  keepView(viewKey(screen.id, screen.stage), { client: screen.client, heard, at: Date.now(), view: screen.view() });
}

// Scroll down again once the text is laid out that far, unless the person scrolls or types first.
/** @param {Screen} screen @param {number} y */
export function scrollTo(screen, y) {
  const text = screen.find(".material");
  if (!text || !y) return;
  const grown = new ResizeObserver(() => {
    text.scrollTop = y;
    if (text.scrollTop >= y - 1) grown.disconnect();
  });
  for (const child of text.children) grown.observe(child);
  for (const type of ["wheel", "pointerdown", "keydown"]) {
    screen.root.addEventListener(type, () => grown.disconnect(), { once: true, signal: screen.signal });
  }
}
