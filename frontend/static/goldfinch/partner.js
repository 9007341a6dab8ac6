// Shared work: say that this person is here, and show how the partner is.
import { newestMessage } from "./chat.js";

const POLL = 5000;

let underWay = false;

async function poll() {
  const line = document.querySelector("[data-partner]");
  if (!line || underWay) return;
  underWay = true;
  try {
    const answer = await fetch(line.dataset.partner, { headers: { "X-Part": "1", "X-Requested-With": "fetch" } });
    if (!answer.ok || answer.redirected) return; // the work page itself says what is wrong
    newestMessage(Number(answer.headers.get("X-Chat")));
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (page.querySelector("[data-gone]")) return location.assign(line.dataset.partner);
    const found = page.body.textContent.trim() ? [...page.body.children] : [];
    if (line.textContent.trim() === page.body.textContent.trim() || !line.isConnected) return;
    line.replaceChildren(...found.map((each) => document.adoptNode(each)));
    const live = document.querySelector("#screen [data-live]");
    if (found.length && live) live.textContent = line.querySelector(".alert > div").textContent.trim();
  } catch {
    // not connected: the next poll tries again, and the work page says so
  } finally {
    underWay = false;
  }
}

setInterval(poll, POLL);
poll();
