// The lobby: fetch the part that changes, count the seconds in between, blink the title when a partner was found.
const POLL = 2; // seconds

const root = document.querySelector("[data-url]");
const [connection, live] = ["[data-connection]", "[data-live]"].map((name) => root.querySelector(name));
const title = document.title;
const part = () => root.querySelector("[data-lobby]");
let [shownAt, ticks, underWay] = [performance.now(), 0, false];

const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

function count() {
  const { state, waited, left, confirmed } = part().dataset;
  const passed = Math.floor((performance.now() - shownAt) / 1000);
  const rest = Math.max(0, Number(left) - passed);
  for (const each of part().querySelectorAll("[data-clock]")) each.textContent = clock(Number(waited) + passed);
  for (const each of part().querySelectorAll("[data-seconds]")) each.textContent = rest;
  for (const each of part().querySelectorAll("[data-countdown]")) each.value = rest;
  const calls = state === "offered" && confirmed === undefined;
  document.title = calls && ticks % 2 ? `★ ${root.dataset.found} ★` : title;
}

// Buttons stay the same elements while only numbers change, so that a press or the focus is never lost.
function show(fresh) {
  const old = part();
  shownAt = performance.now();
  if (fresh.dataset.version === old.dataset.version) {
    Object.assign(old.dataset, fresh.dataset);
    old.querySelector("[data-facts]").replaceWith(fresh.querySelector("[data-facts]"));
  } else {
    const key = old.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
    old.replaceWith(fresh);
    if (key) fresh.querySelector(`[data-key="${key}"]`)?.focus();
    live.textContent = fresh.querySelector("h1").textContent.trim().replace(/\s+/g, " ");
  }
  count();
}

async function poll() {
  if (underWay) return;
  underWay = true;
  try {
    const answer = await fetch(root.dataset.url, { headers: { "X-Part": "1", "X-Requested-With": "fetch" } });
    const go = answer.headers.get("X-Go");
    if (go) return location.assign(go);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.querySelector("[data-lobby]");
    if (answer.ok && fresh && !answer.redirected) {
      connection.textContent = "";
      show(document.adoptNode(fresh));
    } else if (answer.status < 500) location.reload(); // signed out, or no longer a member: the page says so
  } catch {
    connection.textContent = root.dataset.lost;
  } finally {
    underWay = false;
  }
}

function tick() {
  ticks += 1;
  count();
  if (part().dataset.state && ticks % POLL === 0) poll();
}

if (part().dataset.state) {
  const ticker = new Worker(root.dataset.ticker);
  ticker.onmessage = tick;
  ticker.onerror = () => setInterval(tick, 1000);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) poll(); });
}
