// The mark beside people's scores as a line to move: a slider, which the field follows. What passes, the server says.
for (const form of document.querySelectorAll("[data-marks]")) {
  const slide = /** @type {HTMLInputElement | null} */ (form.querySelector("[data-slide]"));
  if (!slide) continue;
  const field = /** @type {HTMLInputElement} */ (form.querySelector("input[name]"));
  const plot = /** @type {SVGElement} */ (form.querySelector("svg"));
  const line = plot.querySelector("line.mark");
  const { left, right, most } = plot.dataset;
  const move = () => {
    const share = Number(slide.value) / Number(most);
    const x = String(Number(left) + (Number(right) - Number(left)) * share);
    line.setAttribute("x1", x);
    line.setAttribute("x2", x);
  };
  const follow = () => {
    const [whole, parts] = field.value.replace(",", ".").split("/").map(Number);
    slide.value = String(parts ? whole / parts : whole);
  };
  follow();
  slide.hidden = false;
  slide.addEventListener("input", () => { field.value = slide.value; move(); });
  field.addEventListener("input", () => { follow(); move(); });
}
