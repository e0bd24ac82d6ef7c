// The chart of the aid against the turnover, as an inline SVG.

import { el, euros, eurosRonds, nomDuMois } from "./commun.js";

const [LARGEUR_MAXIMALE, HAUTEUR, GAUCHE, DROITE, HAUT, BAS] = [720, 320, 84, 24, 26, 48];
const LARGEUR_D_UN_PAS = 100; // enough for « 100 000 € »

function forme(nom, attributs, texte) {
  const creee = document.createElementNS("http://www.w3.org/2000/svg", nom);
  for (const [cle, valeur] of Object.entries(attributs)) creee.setAttribute(cle, valeur);
  if (texte) creee.textContent = texte;
  return creee;
}

// Round steps (1, 2 or 5 times a power of ten) for about as many graduations as asked.
function graduations(maximum, nombre) {
  const brut = maximum / nombre;
  const puissance = 10 ** Math.floor(Math.log10(brut));
  const pas = puissance * [1, 2, 5, 10].find((facteur) => facteur * puissance >= brut);
  return Array.from({ length: Math.floor(maximum / pas) + 1 }, (_, rang) => rang * pas);
}

// Drawn at the width of its place, so that its texts keep their size on a phone.
export function tracer({ valeurs, aides, marches, periode }, chiffre, aide, place) {
  const largeur = Math.min(LARGEUR_MAXIMALE, place);
  const finX = valeurs.at(-1);
  const finY = Math.max(1, ...aides, aide) * 1.05;
  const x = (valeur) => GAUCHE + (valeur / finX) * (largeur - GAUCHE - DROITE);
  const y = (valeur) => HAUTEUR - BAS - (valeur / finY) * (HAUTEUR - HAUT - BAS);
  const titre = `Aide de ${nomDuMois(periode)} selon le chiffre d'affaires du mois`;
  const description = `De ${eurosRonds(0)} à ${eurosRonds(finX)} de chiffre d'affaires, l'aide va de ${eurosRonds(Math.min(...aides))} au moins à ${eurosRonds(Math.max(...aides))} au plus. Au chiffre d'affaires donné, ${euros(chiffre)}, elle est de ${euros(aide)}.`;
  const svg = forme("svg", { viewBox: `0 0 ${largeur} ${HAUTEUR}`, role: "img", "aria-label": `${titre}. ${description}` });
  for (const pas of graduations(finX, Math.max(2, Math.floor((largeur - GAUCHE - DROITE) / LARGEUR_D_UN_PAS)))) {
    svg.append(forme("line", { class: "axe", x1: x(pas), x2: x(pas), y1: HAUT, y2: HAUTEUR - BAS }),
      forme("text", { x: x(pas), y: HAUTEUR - BAS + 18, "text-anchor": "middle" }, eurosRonds(pas)));
  }
  for (const pas of graduations(finY, 5)) {
    svg.append(forme("line", { class: "axe", x1: GAUCHE, x2: largeur - DROITE, y1: y(pas), y2: y(pas) }),
      forme("text", { x: GAUCHE - 8, y: y(pas) + 4, "text-anchor": "end" }, eurosRonds(pas)));
  }
  const bords = new Set(marches.map((marche) => marche.apres));
  const trace = valeurs.map((valeur, rang) => `${rang && !bords.has(valeur) ? "L" : "M"}${x(valeur).toFixed(1)} ${y(aides[rang]).toFixed(1)}`);
  svg.append(forme("path", { class: "ligne", d: trace.join("") }));
  for (const { apres, aide_avant, aide_apres } of marches) {
    svg.append(forme("line", { class: "marche", x1: x(apres), x2: x(apres), y1: y(aide_avant), y2: y(aide_apres) }));
  }
  svg.append(forme("circle", { class: "point", cx: x(chiffre), cy: y(aide), r: 6 }),
    forme("text", { x: (GAUCHE + largeur - DROITE) / 2, y: HAUTEUR - 8, "text-anchor": "middle" }, "Chiffre d'affaires du mois"),
    forme("text", { x: 8, y: 14 }, "Aide du mois"));
  const seuils = marches.map((marche) =>
    el("li", {}, `à partir de ${euros(marche.apres)} de chiffre d'affaires : ${euros(marche.aide_apres)}, au lieu de ${euros(marche.aide_avant)}`));
  const legende = el("figcaption", {}, el("p", { class: "aide" }, description), seuils.length ? el("p", {}, "L'aide change brusquement :") : null, seuils.length ? el("ul", {}, ...seuils) : null);
  return el("figure", {}, el("h2", {}, titre), svg, legende);
}
