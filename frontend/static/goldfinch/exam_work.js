// An item of an exam in the work screen: what is entered is saved before the exam is handed in, and when time is over.
import { watchTheTime } from "./exam_clock.js";
import { setTimeout } from "./settled.js";

const LONGEST = 5000; // a connection that is lost keeps nobody from handing in

async function handIn() {
  const form = /** @type {HTMLFormElement} */ (document.querySelector("[data-hand-in-form]"));
  /** @type {Promise<void>[]} */
  const saves = [];
  document.dispatchEvent(new CustomEvent("goldfinch:save", { detail: saves }));
  await Promise.race([Promise.allSettled(saves), new Promise((done) => { setTimeout(done, LONGEST); })]);
  form.submit();
}

document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-hand-in-form]")) return;
  event.preventDefault();
  handIn();
});
watchTheTime(handIn);
