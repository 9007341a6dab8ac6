// Whether another page is about to come instead of this one. Until it is there this page goes on for a moment, and what
// its polls learn meanwhile must neither turn it round nor be said.

const LONGEST = 30_000; // ms: after that the page has stayed after all, as it does where a file was sent

let since = -Infinity;
/** @type {(() => void)[]} */
const told = [];

export const isLeaving = () => performance.now() - since < LONGEST;

// The page leaves, which not every browser tells at once.
export function leaves() {
  since = performance.now();
  for (const run of told) run();
}

/** @param {() => void} run */
export function whenLeaving(run) { told.push(run); }

addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  /** @param {string} name */
  const said = (name) => event.submitter?.getAttribute(`form${name}`) ?? form.getAttribute(name);
  if (!event.defaultPrevented && said("method") !== "dialog" && !said("target")) leaves();
});
globalThis.navigation?.addEventListener("navigate", ({ destination, downloadRequest }) => {
  if (downloadRequest === null && !destination.sameDocument) leaves();
});
addEventListener("beforeunload", leaves); // where there is no `navigation`
// This page is there again if the person goes back to it.
addEventListener("pageshow", ({ persisted }) => { if (persisted) since = -Infinity; });
