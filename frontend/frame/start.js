// The first message sets everything up. With words, the frame is as high as its box, so that the work page scrolls.

let height = 0;
function tellHeight() {
  const now = Math.ceil(page.getBoundingClientRect().height);
  if (now !== height) say("height", { px: (height = now) });
}

hear("hello", (hello) => {
  setTheme(hello.theme);
  keys = new Set(hello.keys);
  material.setAttribute("aria-label", hello.label);
  tameTables(hello.table);
  nameLists();
  startBoxes(hello);
  if (hello.words) {
    startWords(hello);
    height = 0;
    new ResizeObserver(tellHeight).observe(page);
  }
  page.toggleAttribute("data-outlined", hello.outlined);
  page.setAttribute("data-ready", "");
  if (hello.scroll !== null) scrollTo(0, hello.scroll);
  section = null;
  tellSection();
});
addEventListener("resize", () => { tameTables(""); });
say("ready");
