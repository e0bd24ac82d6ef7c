// The blocks of an explanation, as /explain gives them, to elements.

import { el } from "./commun.js";

const SIGNES = { remplie: "✓", "non remplie": "✗", "sans objet": "–" };

export function ecrirePage(page) {
  return page.map((bloc) => {
    if (bloc.bloc === "titre") return el(`h${bloc.niveau + 1}`, { tabindex: bloc.niveau === 1 ? -1 : null }, bloc.texte);
    if (bloc.bloc === "paragraphe") return el("p", { class: bloc.important ? "important" : null }, bloc.texte);
    if (bloc.bloc === "points") return points(bloc.points);
    return tableau(bloc);
  });
}

function points(liste) {
  const racine = el("ul");
  const ouvertes = [racine];
  for (const { niveau, texte, statut, reference } of liste) {
    while (ouvertes.length > niveau + 1) ouvertes.pop();
    while (ouvertes.length <= niveau) {
      const sous = el("ul");
      (ouvertes.at(-1).lastElementChild ?? ouvertes.at(-1)).append(sous);
      ouvertes.push(sous);
    }
    const signe = statut && el("span", { class: "statut", "aria-hidden": "true" }, SIGNES[statut]);
    const dite = statut && el("span", { class: "lecteur" }, `${statut} : `);
    const renvoi = reference && el("span", { class: "ref" }, ` (${reference})`);
    ouvertes.at(-1).append(el("li", { class: statut?.replace(" ", "-") }, signe, dite, el("span", { class: "phrase" }, texte), renvoi));
  }
  return racine;
}

function tableau({ entetes, lignes, retenue }) {
  const derniere = entetes.length - 1;
  const corps = lignes.map((ligne, rang) =>
    el("tr", { class: rang === retenue ? "retenue" : null }, ...ligne.map((cellule, i) => el(i ? "td" : "th", i ? { class: i === derniere ? "nombre" : null } : { scope: "row" }, cellule))));
  const tete = entetes.some(Boolean) ? el("thead", {}, el("tr", {}, ...entetes.map((entete, i) => (entete ? el("th", { scope: "col", class: i === derniere ? "nombre" : null }, entete) : el("td"))))) : null;
  return el("div", { class: "defile", role: "region", tabindex: 0, "aria-label": entetes.filter(Boolean).join(", ") || "Tableau" }, el("table", {}, tete, el("tbody", {}, ...corps)));
}
