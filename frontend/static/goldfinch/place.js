// Where a person was on the page of a stage: kept on this device, told to the server, and gone back to on any other.
import { kept, keepView, viewKey } from "./storage.js";

// What this device kept, unless another page load has told the server since.
export function placeOf(screen, draft) {
  const [there, left] = [screen.json("place"), kept(viewKey(screen.id, screen.stage))];
  const { restoredAt } = screen.drafts;
  if (restoredAt) return { ...(left?.at >= restoredAt ? left.view : draft._view) };
  const newer = left && (!there || left.client === there.client || left.heard === there.client);
  return { ...(newer ? left.view : there?.view) };
}

export function keepPlace(screen) {
  const heard = screen.json("place")?.client; // the page load that the server had heard of last
  keepView(viewKey(screen.id, screen.stage), { client: screen.client, heard, at: Date.now(), view: screen.view() });
}

// As far down as they were, once the text has grown that long; whoever moves by themselves is left alone.
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
