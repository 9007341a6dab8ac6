// The page of an import that has not ended: it is fetched again every other second. What has the focus stays.

const EVERY = 2000; // ms

const place = document.querySelector("#import");

async function look() {
  const answer = await fetch(location.href, { headers: { "X-Requested-With": "fetch" } }).catch(() => null);
  if (answer?.ok) {
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const now = page.querySelector("#import");
    if (!now?.hasAttribute("data-import")) return location.reload();
    const focused = place.contains(document.activeElement) && document.activeElement.closest("[data-keep]");
    if (focused) {
      const kept = now.querySelector("[data-keep]");
      kept.replaceWith(focused.cloneNode(true));
    }
    place.replaceChildren(...now.childNodes);
    if (focused) place.querySelector("[data-keep] button").focus({ preventScroll: true });
  } else if (answer && answer.status < 500) return location.reload();
  return setTimeout(look, EVERY);
}

setTimeout(look, EVERY);
