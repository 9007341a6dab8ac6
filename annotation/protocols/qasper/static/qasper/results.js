// The results of a search: their formulas and references are drawn as on the screens that they lead to.
import { setMaths } from "./maths.js";
import { drawReferences, markPieces } from "./paper.js";

for (const text of document.querySelectorAll("[data-result] :is(h2, p)")) markPieces(text);
drawReferences(document.querySelector(".results"), document.querySelector("[data-references]"));
setMaths(document);
