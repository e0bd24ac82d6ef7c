// The page of the parameters: list, history with texts, coverage of the articles.

import { $, demander, el, nomDuMois, signaler } from "./commun.js";

const CONFIANCES = { T: "texte officiel lu", S: "source secondaire", M: "de mémoire" };
const NOMBRE = new Intl.NumberFormat("fr-FR", { maximumFractionDigits: 4 });
const sansAccents = (texte) => texte.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
let parametres = [];

const jour = (date) => (/^\d{4}-\d{2}-\d{2}$/.test(date) ? new Date(`${date}T12:00`).toLocaleDateString("fr-FR", { dateStyle: "long" }) : date);
const confiance = (lettre) => (lettre ? el("abbr", { class: "confiance", title: CONFIANCES[lettre] }, lettre) : "–");

function lister() {
  const mots = sansAccents($("recherche").value).split(/\s+/).filter(Boolean);
  const trouves = parametres.filter(({ cle }) => mots.every((mot) => cle.includes(mot)));
  $("nombre").textContent = `${trouves.length} paramètre${trouves.length > 1 ? "s" : ""}`;
  $("liste").replaceChildren(...trouves.map(({ nom, description }) =>
    el("li", {}, el("button", { type: "button", "data-parametre": nom, "aria-current": String(location.hash === `#${nom}`) }, description ?? nom, el("small", {}, nom)))));
}

function valeur(brute, unite) {
  if (brute === null) return "sans objet";
  if (typeof brute === "boolean") return brute ? "oui" : "non";
  if (Array.isArray(brute)) return brute.length > 12 ? el("details", {}, el("summary", {}, `${brute.length} codes`), brute.join(", ")) : brute.join(", ") || "aucun";
  if (typeof brute !== "number") return String(brute);
  if (unite === "/1") return `${NOMBRE.format(100 * brute)} %`;
  return `${NOMBRE.format(brute)} ${unite === "currency-EUR" ? "€" : unite ?? ""}`.trim();
}

const texte = ({ titre, href, confiance: lettre }) => el("li", {}, href?.startsWith("https://") ? el("a", { href, rel: "noreferrer" }, titre) : titre, " ", confiance(lettre));

async function montrer(nom) {
  let parametre;
  try {
    parametre = await demander(`parameter/${encodeURIComponent(nom)}`);
  } catch (erreur) {
    signaler(erreur.message);
    return;
  }
  signaler("");
  const { unit: unite, doute } = parametre.metadata;
  const lignes = (parametre.historique ?? []).toReversed().map((datee) => {
    const avant = datee.versions_anterieures.map((version) => el("li", {}, "auparavant ", valeur(version.value, unite), version.decret ? ` (décret n° ${version.decret}${version.en_vigueur ? `, en vigueur le ${jour(version.en_vigueur)}` : ""})` : ""));
    return el("tr", {}, el("th", { scope: "row" }, nomDuMois(datee.date.slice(0, 7))), el("td", {}, valeur(datee.valeur, unite)), el("td", {}, confiance(datee.confiance)),
      el("td", {}, el("ul", {}, ...datee.references.map(texte), ...avant), datee.en_vigueur ? el("p", { class: "aide" }, `décret n° ${datee.decret}, en vigueur le ${jour(datee.en_vigueur)}`) : null));
  });
  const entetes = ["À partir de l'aide de", "Valeur", "Confiance", "Textes"].map((entete) => el("th", { scope: "col" }, entete));
  const incertain = doute && [el("h4", {}, `Doute ${doute.numero ?? ""}`), el("p", {}, doute.question ?? ""), el("p", {}, `Lecture retenue : ${doute.lecture_retenue ?? ""} Autre lecture : ${doute.autre_lecture ?? ""}`)];
  $("detail").replaceChildren(el("h3", {}, parametre.description ?? nom), el("p", { class: "aide" }, nom), ...(incertain ?? []),
    el("div", { class: "defile", role: "region", tabindex: 0, "aria-label": "Historique" }, el("table", {}, el("thead", {}, el("tr", {}, ...entetes)), el("tbody", {}, ...lignes))));
  for (const bouton of $("liste").querySelectorAll("button")) bouton.setAttribute("aria-current", String(bouton.dataset.parametre === nom));
  $("detail").focus();
}

function couvrir({ articles }) {
  const corps = articles.map(({ titre, paragraphes }) =>
    el("tbody", {}, el("tr", {}, el("th", { scope: "rowgroup", colspan: 5 }, titre)),
      ...paragraphes.map(({ paragraphe, sens, confiance: lettre, variables, parametres: lus }) => {
        const uniques = [...new Map(lus.map((lu) => [lu.id, lu])).values()];
        const liste = el("ul", {}, ...uniques.map(({ id, description }) => el("li", {}, el("a", { href: `#${id}` }, description ?? id))));
        return el("tr", {}, el("th", { scope: "row" }, paragraphe), el("td", {}, sens),
          el("td", {}, el("ul", {}, ...variables.map(({ nom, libelle }) => el("li", {}, libelle, el("div", { class: "ref" }, nom))))),
          el("td", {}, uniques.length > 6 ? el("details", {}, el("summary", {}, `${uniques.length} paramètres`), liste) : liste),
          el("td", {}, confiance(lettre)));
      })));
  $("couverture").append(...corps);
}

function choisir() {
  const nom = location.hash.slice(1);
  if (!nom) return;
  try {
    montrer(decodeURIComponent(nom));
  } catch {
    signaler("Adresse illisible : choisir un paramètre dans la liste.");
  }
}

$("recherche").addEventListener("input", lister);
$("liste").addEventListener("click", (evenement) => {
  const nom = evenement.target.closest("[data-parametre]")?.dataset.parametre;
  if (nom) location.hash = nom;
});
window.addEventListener("hashchange", choisir);
try {
  const liste = await demander("parameters");
  parametres = Object.entries(liste).map(([nom, { description }]) => ({ nom: nom.replaceAll("/", "."), description }));
  for (const un of parametres) un.cle = sansAccents(`${un.nom} ${un.description ?? ""}`);
  lister();
  choisir();
  couvrir(await demander("coverage"));
} catch (erreur) {
  signaler(erreur.message);
}
