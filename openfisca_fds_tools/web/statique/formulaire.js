// The form of one enterprise: what it says as a situation, how a situation fills it, what is refused in it.

import { $, el, jour, nomDuMois, signaler } from "./commun.js";
import { cases, ecrire, lireNombre, reproche } from "./saisie.js";

export const DONNEES = JSON.parse($("donnees").textContent);
const ANNEES = [...new Set(DONNEES.moisDesDonnees.map((mois) => mois.slice(0, 4)))];
const champs = [...document.querySelectorAll("[data-champ]")];
const grilles = [...document.querySelectorAll("[data-grille]")];
let reste = {}; // what the file of a case says and the form does not show
export let montree = null; // id, in it, of the enterprise that the form shows: keys that look like integers lose their order
let touche = false; // something was typed that is nowhere else

// ---- from the form to the situation ----

export const identifiant = () => $("identifiant").value.replace(/\s+/g, " ").trim() || "entreprise";

const autres = () => Object.fromEntries(Object.entries(reste.entreprises ?? {}).filter(([id]) => id !== montree));

// The situation of the form; null once what is wrong in it is told.
export function collecter() {
  const fautes = []; // pairs of a field and a reproach
  const nombre = (entree) => {
    const valeur = lireNombre(entree.value);
    if (Number.isNaN(valeur)) fautes.push([entree, reproche(entree.value)]);
    return valeur;
  };
  const situation = structuredClone(reste);
  const entreprise = situation.entreprises?.[montree] ?? {};
  for (const champ of champs) {
    if (champ.dataset.genre === "booleen") {
      if (champ.checked !== (champ.dataset.defaut === "true")) entreprise[champ.id] = { ETERNITY: champ.checked };
      continue;
    }
    if (champ.dataset.genre === "date" && !champ.validity.valid) fautes.push([champ, fauteDeDate(champ)]);
    const texte = champ.value.trim();
    if (!texte || champ.selectedOptions?.[0].hasAttribute("data-defaut")) continue;
    const valeur = champ.dataset.genre === "nombre" ? nombre(champ) : texte;
    entreprise[champ.id] = "mensuel" in champ.dataset ? Object.fromEntries(ANNEES.map((annee) => [annee, valeur])) : { ETERNITY: valeur };
  }
  for (const grille of grilles) {
    const remplies = cases(grille).filter((entree) => entree.value.trim());
    if (!remplies.length) continue;
    const valeurs = Object.fromEntries(remplies.map((entree) => [entree.dataset.mois, nombre(entree)]));
    entreprise[grille.dataset.grille] = { ...entreprise[grille.dataset.grille], ...valeurs };
  }
  const id = identifiant();
  if (Object.hasOwn(autres(), id)) fautes.push([$("identifiant"), `« ${id} » est déjà une autre entreprise de ce cas`]);
  situation.entreprises = { [id]: entreprise, ...autres() };
  for (const groupe of Object.values(situation.groupes ?? {})) {
    if (Array.isArray(groupe?.membres)) groupe.membres = groupe.membres.map((membre) => (membre === montree ? id : membre));
  }
  if (fautes.length) refuserLaSaisie(fautes);
  return fautes.length ? null : situation;
}

const fauteDeDate = ({ validity, min, max }) => (validity.badInput ? "date incomplète, ou qui n'existe pas" : `date attendue du ${jour(min)} au ${jour(max)}`);

// ---- from a situation to the form ----

export function vider() {
  const reforme = $("reforme")?.value ?? "";
  $("cas").reset();
  choisirLaReforme(reforme);
  [reste, montree, touche] = [{}, null, false];
  direLeReste();
  marquer([]);
  signaler("");
  $("resultats").hidden = $("explication").hidden = true;
}

// Show an enterprise of a situation: the one asked, or the first.
export function remplir(situation, demandee) {
  const ids = Object.keys(situation?.entreprises ?? {});
  const id = ids.includes(demandee) ? demandee : ids[0];
  if (!situation?.entreprises?.[id] || typeof situation.entreprises[id] !== "object") throw new Error("Ce fichier n'est pas un cas : {\"entreprises\": {…}} attendu.");
  vider();
  [reste, montree] = [structuredClone(situation), id];
  const entreprise = reste.entreprises[id];
  $("identifiant").value = id;
  for (const champ of champs) remplirChamp(champ, entreprise);
  for (const grille of grilles) remplirGrille(grille, entreprise);
  for (const [nom, periodes] of Object.entries(entreprise)) if (Object.keys(periodes ?? {}).length === 0) delete entreprise[nom];
  $("entreprise").replaceChildren(...ids.map((un) => el("option", { value: un, selected: un === id }, un)));
  direLeReste();
}

function direLeReste() {
  const conserves = [...Object.keys(reste.entreprises?.[montree] ?? {}).map(libelle), ...Object.keys(autres()), ...Object.keys(reste.groupes ?? {})];
  $("conserve").textContent = `Le cas contient aussi, pris en compte dans le calcul : ${conserves.join(", ")}.`;
  $("conserve").hidden = !conserves.length;
  $("choix").hidden = !Object.keys(autres()).length;
}

const etiquette = (nom) => document.querySelector(`label[for="${CSS.escape(nom)}"], [data-grille="${CSS.escape(nom)}"] caption`);
export const libelle = (nom) => etiquette(nom)?.textContent.trim() ?? nom;

// What the field cannot hold as it was given, by its type or its periods, stays aside for the server to judge.
function remplirChamp(champ, entreprise) {
  const donnees = entreprise[champ.id] ?? {};
  const valeurs = new Set(Object.values(donnees));
  const periodes = "mensuel" in champ.dataset ? ANNEES : Object.keys(donnees).slice(0, 1);
  if (valeurs.size !== 1 || Object.keys(donnees).sort().join() !== periodes.join()) return;
  const { genre } = champ.dataset;
  let [valeur] = valeurs;
  if (genre === "liste" && typeof valeur === "number") valeur = String(valeur).padStart(2, "0"); // the code it writes
  if (typeof valeur !== ({ booleen: "boolean", nombre: "number" }[genre] ?? "string")) return;
  if (genre === "booleen") champ.checked = valeur;
  else champ.value = genre === "nombre" ? ecrire(valeur) : valeur;
  if (champ.value) delete entreprise[champ.id];
  else if (champ.options) champ.selectedIndex = [...champ.options].findIndex((option) => option.defaultSelected);
}

// A year is shared among its months that are not given, as the model does.
function remplirGrille(grille, entreprise) {
  const donnees = entreprise[grille.dataset.grille];
  if (!donnees || typeof donnees !== "object") return;
  for (const entree of cases(grille)) {
    const valeur = donnees[entree.dataset.mois];
    if (typeof valeur === "number") entree.value = ecrire(valeur);
    if (valeur === null || typeof valeur === "number") delete donnees[entree.dataset.mois];
  }
  if (grille.dataset.grille !== "chiffre_affaires") return;
  for (const annee of ANNEES.filter((une) => une in donnees)) {
    const mois = cases(grille).filter((entree) => entree.dataset.mois.startsWith(annee));
    const vides = mois.filter((entree) => !entree.value);
    if (mois.length < 12 || !vides.length || typeof donnees[annee] !== "number" || mois.some((entree) => entree.dataset.mois in donnees)) continue;
    const connu = mois.reduce((somme, entree) => somme + (entree.value ? lireNombre(entree.value) : 0), 0);
    for (const entree of vides) entree.value = ecrire((donnees[annee] - connu) / vides.length);
    delete donnees[annee];
  }
}

// ---- changes ----

// A reform that this server does not have leaves the law alone.
export function choisirLaReforme(nom) {
  const menu = $("reforme");
  if (!menu) return;
  menu.value = nom;
  if (menu.selectedIndex < 0) menu.value = "";
  $("sens-reforme").textContent = menu.selectedOptions[0].dataset.sens ?? "";
}

// A field that is changed says no more what the file said of it, and the results on screen are those of before.
export function changer(entree) {
  const donnees = reste.entreprises?.[montree];
  if (entree.dataset.mois) delete donnees?.[entree.closest("[data-grille]").dataset.grille]?.[entree.dataset.mois];
  else delete donnees?.[entree.id];
  touche = true;
  direLeReste();
  $("perime").hidden = false;
}

// Whether something typed would be lost with the case on screen.
export function noter(saisi) {
  touche = saisi;
}

export const abandonner = () => !touche || window.confirm("Les données saisies seront perdues. Continuer ?");

// ---- errors ----

export function marquer(entrees) {
  for (const entree of document.querySelectorAll("[aria-invalid]")) entree.removeAttribute("aria-invalid");
  for (const entree of entrees) {
    entree.setAttribute("aria-invalid", "true");
    for (let parent = entree.parentElement; parent; parent = parent.parentElement) if (parent.tagName === "DETAILS") parent.open = true;
  }
}

export function refuser(message, entrees = []) {
  marquer(entrees);
  signaler(message);
  (entrees[0] ?? $("erreur")).focus();
}

const nomDuChamp = (entree) => (entree.dataset.mois ? `${libelle(entree.closest("[data-grille]").dataset.grille)}, ${nomDuMois(entree.dataset.mois)}` : libelle(entree.id));

function refuserLaSaisie(fautes) {
  const [[entree, faute]] = fautes;
  refuser(`${nomDuChamp(entree)} : ${faute}${fautes.length > 1 ? `, et ${fautes.length - 1} autre(s) case(s) à revoir` : ""}.`, fautes.map(([une]) => une));
}

// A refusal of the server, told with the name of the field where the page has one.
export function refuserCommeLeServeur({ message, chemin = [], probleme, attendu }) {
  const entree = champFautif(chemin);
  if (!entree) return refuser(message);
  const lu = probleme.replace(/^valeur '(.*)'$/s, "« $1 »");
  const voulu = attendu.replace(/, (entre|sans) guillemets( ni calcul)?/, "");
  return refuser(`${nomDuChamp(entree)} : ${lu}${voulu ? ` ; attendu : ${voulu}` : ""}.`, [entree]);
}

// The field that the path of a key names, if it is one of the enterprise on screen.
function champFautif(chemin) {
  const debut = chemin.indexOf("entreprises");
  const [, id, nom, periode] = debut < 0 ? [] : chemin.slice(debut);
  if (id !== identifiant()) return null;
  if (nom === undefined) return $("identifiant");
  const grille = document.querySelector(`[data-grille="${CSS.escape(nom)}"]`);
  return grille?.querySelector(`[data-mois="${CSS.escape(periode ?? "")}"]`) ?? champs.find((champ) => champ.id === nom) ?? null;
}
