// The page of one enterprise: form, results, explanation, permalink, file.

import { $, demander, el, euros, nomDuMois, signaler, taux } from "./commun.js";
import { tracer } from "./courbe.js";
import { ecrirePage } from "./explication.js";

const { mois: MOIS, moisDesDonnees, articles: ARTICLES, uniques: UNIQUES } = JSON.parse($("donnees").textContent);
const ANNEES = [...new Set(moisDesDonnees.map((mois) => mois.slice(0, 4)))];
const SORTIES = ["chiffre_affaires_reference", "perte_chiffre_affaires", "taux_perte_chiffre_affaires", "fds_volet_1", "fonds_de_solidarite"];
const EXEMPLE = {
  entreprises: {
    "Café du Port": {
      date_creation: { ETERNITY: "2015-04-01" }, code_naf: { ETERNITY: "56.30Z" }, departement: { ETERNITY: "29" },
      effectif_salarie: { 2020: 3, 2021: 3, 2022: 3 },
      chiffre_affaires: {
        2019: 360000, "2020-01": 28000, "2020-02": 29000, "2020-03": 14000, "2020-04": 0, "2020-05": 2000, "2020-06": 21000, "2020-07": 27000,
        "2020-08": 31000, "2020-09": 24000, "2020-10": 18000, "2020-11": 1500, "2020-12": 2000, "2021-01": 1800, "2021-02": 1700,
        "2021-03": 9000, "2021-04": 2500, "2021-05": 11000, "2021-06": 24000, "2021-07": 28000, "2021-08": 33000, "2021-09": 27000,
      },
      jours_interdiction_accueil_public: { "2020-11": 30, "2020-12": 31, "2021-01": 31, "2021-02": 28 },
    },
  },
};

const champs = [...document.querySelectorAll("[data-champ]")];
const grilles = [...document.querySelectorAll("[data-grille]")];
const cases = (grille) => [...grille.querySelectorAll("input")].sort((a, b) => (a.dataset.mois < b.dataset.mois ? -1 : 1));
const SIGNES = new Intl.NumberFormat("fr-FR", { style: "currency", currency: "EUR", signDisplay: "exceptZero" });
let reste = {}; // what the file of a case says and the form does not show
let calcule = null; // situation of the results on screen

// ---- from the form to the situation ----

// "1 234,56 €" → 1234.56; NaN if it is no number.
function lireNombre(texte) {
  let net = texte.replace(/[\s\u00a0\u202f€]/g, "").replace(/^\((.*)\)$/, "-$1").replace("−", "-");
  if (net.includes(",")) net = net.replaceAll(".", "").replace(",", ".");
  return /^-?(\d+\.?\d*|\.\d+)$/.test(net) ? Number(net) : NaN;
}

const identifiant = () => $("identifiant").value.trim() || "entreprise";

function collecter() {
  const fautes = [];
  const nombre = (entree) => {
    const valeur = lireNombre(entree.value);
    if (Number.isNaN(valeur)) fautes.push(entree);
    return valeur;
  };
  const situation = structuredClone(reste);
  const entreprise = Object.values(situation.entreprises || {})[0] || {};
  for (const champ of champs) {
    if (champ.dataset.genre === "booleen") {
      if (champ.checked !== (champ.dataset.defaut === "true")) entreprise[champ.id] = { ETERNITY: champ.checked };
      continue;
    }
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
  const autres = Object.entries(situation.entreprises || {}).slice(1);
  situation.entreprises = Object.fromEntries([[identifiant(), entreprise], ...autres]);
  return { situation, fautes };
}

// ---- from a situation to the form ----

function vider() {
  const reforme = $("reforme")?.value ?? "";
  $("cas").reset();
  choisirLaReforme(reforme);
  reste = {};
  $("conserve").hidden = true;
  marquer([]);
  signaler("");
  $("resultats").hidden = $("explication").hidden = true;
}

function remplir(situation) {
  const entreprises = situation?.entreprises;
  const [id, contenu] = Object.entries(entreprises ?? {})[0] ?? [];
  if (!contenu || typeof contenu !== "object") throw new Error("Ce fichier n'est pas un cas : {\"entreprises\": {…}} attendu.");
  vider();
  reste = structuredClone(situation);
  const entreprise = reste.entreprises[id];
  $("identifiant").value = id;
  for (const champ of champs) {
    const donnees = Object.values(entreprise[champ.id] ?? {});
    if (!donnees.length || new Set(donnees).size > 1) continue;
    if (champ.dataset.genre === "booleen") champ.checked = donnees[0] === true;
    else champ.value = champ.dataset.genre === "nombre" ? ecrire(donnees[0]) : donnees[0];
    if (champ.value !== "") delete entreprise[champ.id];
  }
  for (const grille of grilles) remplirGrille(grille, entreprise);
  for (const [nom, periodes] of Object.entries(entreprise)) if (Object.keys(periodes ?? {}).length === 0) delete entreprise[nom];
  const conserves = [...Object.keys(entreprise), ...Object.keys(entreprises).slice(1), ...Object.keys(reste.groupes ?? {})];
  $("conserve").textContent = `Le cas contient aussi, pris en compte dans le calcul : ${conserves.join(", ")}.`;
  $("conserve").hidden = !conserves.length;
}

const ecrire = (valeur) => (typeof valeur === "number" ? String(valeur).replace(".", ",") : String(valeur));

// A year is shared among its months that are not given, as the model does.
function remplirGrille(grille, entreprise) {
  const donnees = entreprise[grille.dataset.grille];
  if (!donnees) return;
  for (const entree of cases(grille)) {
    if (!(entree.dataset.mois in donnees)) continue;
    if (donnees[entree.dataset.mois] !== null) entree.value = ecrire(donnees[entree.dataset.mois]);
    delete donnees[entree.dataset.mois];
  }
  if (grille.dataset.grille !== "chiffre_affaires") return;
  for (const annee of ANNEES.filter((une) => une in donnees)) {
    const mois = cases(grille).filter((entree) => entree.dataset.mois.startsWith(annee));
    const vides = mois.filter((entree) => !entree.value);
    if (mois.length < 12 || !vides.length) continue;
    const connu = mois.reduce((somme, entree) => somme + (entree.value ? lireNombre(entree.value) : 0), 0);
    for (const entree of vides) entree.value = ecrire((donnees[annee] - connu) / vides.length);
    delete donnees[annee];
  }
}

// ---- paste from a spreadsheet ----

function coller(evenement) {
  const entree = evenement.target.closest("[data-grille] input");
  const texte = evenement.clipboardData.getData("text/plain").replace(/[\r\n]+$/, "");
  if (!entree || !/[\t\n]/.test(texte)) return;
  evenement.preventDefault();
  const lignes = texte.split(/\r?\n/).map((ligne) => ligne.split("\t"));
  const grille = entree.closest("[data-grille]");
  const plates = lignes.length === 1 || lignes.every((ligne) => ligne.length === 1) ? lignes.flat() : null;
  let collees = 0;
  const poser = (cible, valeur) => {
    if (!cible) return;
    cible.value = valeur.trim();
    collees += 1;
  };
  if (plates) { // a column or a line of months, from year to year
    const suite = cases(grille);
    plates.forEach((valeur, rang) => poser(suite[suite.indexOf(entree) + rang], valeur));
  } else { // a table: months down, years across
    const ligne = entree.closest("tr").rowIndex;
    const colonne = entree.closest("td").cellIndex;
    lignes.forEach((valeurs, i) => valeurs.forEach((valeur, j) => poser(grille.rows[ligne + i]?.cells[colonne + j]?.querySelector("input"), valeur)));
  }
  $("etat").textContent = `${collees} valeurs collées.`;
}

// ---- errors ----

function marquer(entrees) {
  for (const entree of document.querySelectorAll("[aria-invalid]")) entree.removeAttribute("aria-invalid");
  for (const entree of entrees) {
    entree.setAttribute("aria-invalid", "true");
    for (let parent = entree.parentElement; parent; parent = parent.parentElement) if (parent.tagName === "DETAILS") parent.open = true;
  }
}

function refuser(message, entrees = []) {
  marquer(entrees);
  signaler(message);
  (entrees[0] ?? $("erreur")).focus();
}

// The field that the server's refusal names, from the path of the key.
function champFautif(chemin) {
  const debut = chemin.indexOf("entreprises");
  const [, id, nom, periode] = debut < 0 ? [] : chemin.slice(debut);
  if (id !== undefined && nom === undefined) return [$("identifiant")];
  const grille = document.querySelector(`[data-grille="${CSS.escape(nom ?? "")}"]`);
  const trouve = grille?.querySelector(`[data-mois="${CSS.escape(periode ?? "")}"]`) ?? champs.find((champ) => champ.id === nom);
  return trouve ? [trouve] : [];
}

// ---- results ----

async function calculer() {
  const { situation, fautes } = collecter();
  if (fautes.length) {
    refuser(`« ${fautes[0].value} » n'est pas un nombre${fautes.length > 1 ? `, et ${fautes.length - 1} autre(s) case(s) non plus` : ""}.`, fautes);
    return;
  }
  marquer([]);
  signaler("");
  $("etat").textContent = "Calcul en cours…";
  const id = identifiant();
  const question = structuredClone(situation);
  const entreprise = question.entreprises[id];
  const nuls = (mois) => Object.fromEntries(mois.map((un) => [un, null]));
  for (const nom of SORTIES) entreprise[nom] = nuls(MOIS);
  for (const article of ARTICLES) entreprise[article.variable] = nuls(article.mois);
  for (const nom of Object.keys(UNIQUES)) entreprise[nom] = nuls([MOIS[0]]);
  entreprise.chiffre_affaires = { ...nuls(MOIS), ...entreprise.chiffre_affaires };
  const reforme = $("reforme")?.value;
  try {
    const [droit, reformee] = await Promise.all([demander("calculate", question), reforme ? demander(`calculate?${new URLSearchParams({ reforme })}`, question) : null]);
    calcule = situation;
    history.replaceState(null, "", `#cas=${coder(situation)}${reforme ? `&reforme=${encodeURIComponent(reforme)}` : ""}`);
    afficher(droit.entreprises[id], id, reformee?.entreprises[id]);
    $("etat").textContent = "Calcul terminé.";
  } catch (erreur) {
    $("etat").textContent = "";
    refuser(erreur.message, champFautif(erreur.chemin ?? []));
  }
}

// The aids that are not monthly and are due.
const uniquesDues = (valeurs) => Object.keys(UNIQUES).filter((nom) => valeurs[nom][MOIS[0]] > 0);

function enTout(valeurs) {
  const montants = [...MOIS.map((mois) => valeurs.fonds_de_solidarite[mois]), ...uniquesDues(valeurs).map((nom) => valeurs[nom][MOIS[0]])];
  return montants.reduce((somme, montant) => somme + montant, 0);
}

const ecart = (avant, apres) => (Math.abs(apres - avant) < 0.005 ? "–" : SIGNES.format(apres - avant));

// The results under the law and, if one is chosen, under a reform (otherwise undefined).
function afficher(valeurs, id, sousReforme) {
  let cumul = 0;
  const lignes = MOIS.map((mois) => {
    const aide = valeurs.fonds_de_solidarite[mois];
    const autre = sousReforme?.fonds_de_solidarite[mois];
    cumul += aide;
    const bouton = el("button", { type: "button", "aria-label": `Expliquer ${nomDuMois(mois)}`, "data-expliquer": mois }, "Expliquer");
    return el("tr", { "data-ligne": mois, class: aide || autre ? null : "nul" },
      el("th", { scope: "row" }, nomDuMois(mois)),
      ...[valeurs.chiffre_affaires_reference, valeurs.chiffre_affaires, valeurs.perte_chiffre_affaires].map((serie) => el("td", {}, euros(serie[mois]))),
      el("td", {}, taux(valeurs.taux_perte_chiffre_affaires[mois])),
      el("td", {}, articlePaye(valeurs, mois)),
      el("td", {}, el("b", {}, euros(aide))), el("td", {}, euros(cumul)),
      ...(sousReforme ? [euros(autre), ecart(aide, autre)] : ["", ""]).map((texte) => el("td", { class: "reforme" }, texte)),
      el("td", { class: "ecran" }, bouton));
  });
  $("mois").tBodies[0].replaceChildren(...lignes);
  $("mois").classList.toggle("comparee", Boolean(sousReforme));
  $("uniques").replaceChildren(...uniquesDues(valeurs).map((nom) => el("p", {}, `${UNIQUES[nom]} : `, el("b", {}, euros(valeurs[nom][MOIS[0]])))));
  const [total, autre] = [enTout(valeurs), sousReforme && enTout(sousReforme)];
  const suite = sousReforme ? ` ; ${euros(autre)} sous la réforme « ${$("reforme").selectedOptions[0].textContent} », écart ${ecart(total, autre)}` : "";
  $("total").textContent = `${id} : ${euros(total)} en tout${suite}`;
  $("donnees-du-cas").querySelector("dl").replaceChildren(...resume());
  $("resultats").hidden = false;
  $("explication").hidden = true;
  $("titre-resultats").focus();
}

// The article with the greatest amount, as the model chooses it.
function articlePaye(valeurs, mois) {
  if (!valeurs.fds_volet_1[mois]) return valeurs.fonds_de_solidarite[mois] ? "complément" : "–";
  const dus = ARTICLES.filter((article) => valeurs[article.variable]?.[mois] > 0);
  const meilleur = dus.reduce((a, b) => (a && valeurs[a.variable][mois] >= valeurs[b.variable][mois] ? a : b), null);
  return meilleur ? meilleur.numero : "autre texte";
}

// What the case gives, for the printed sheet.
function resume() {
  const entreprise = Object.values(calcule.entreprises)[0];
  return Object.entries(entreprise).map(([nom, periodes]) => {
    const libelle = document.querySelector(`label[for="${CSS.escape(nom)}"], [data-grille="${CSS.escape(nom)}"] caption`)?.textContent ?? nom;
    const ecrites = Object.entries(periodes).map(([periode, valeur]) => (periode === "ETERNITY" ? "" : `${periode} : `) + ecrire(valeur).replace("true", "oui").replace("false", "non"));
    return el("div", {}, el("dt", {}, libelle.trim()), el("dd", {}, ecrites.join(" ; ")));
  });
}

async function expliquer(mois) {
  const zone = $("explication");
  const question = { situation: calcule, mois, entreprise: Object.keys(calcule.entreprises)[0] };
  zone.hidden = false;
  zone.setAttribute("aria-busy", "true");
  $("courbe").replaceChildren();
  $("texte").replaceChildren(el("p", {}, `Explication de ${nomDuMois(mois)} en cours…`));
  for (const ligne of document.querySelectorAll("[data-ligne]")) ligne.classList.toggle("choisi", ligne.dataset.ligne === mois);
  try {
    const { explication, page } = await demander("explain", question);
    $("texte").replaceChildren(...ecrirePage(page));
    $("texte").querySelector("h2")?.focus();
    const [chiffre, reference] = explication.faits.map((fait) => fait.valeur);
    const fin = Math.ceil(Math.max(1000, 1.25 * chiffre, 1.25 * reference) / 1000) * 1000;
    const balayage = await demander("sweep", { ...question, debut: 0, fin });
    $("courbe").replaceChildren(tracer(balayage, chiffre, explication.montant));
  } catch (erreur) {
    zone.hidden = true;
    refuser(erreur.message);
  } finally {
    zone.setAttribute("aria-busy", "false");
  }
}

// ---- permalink and file: the case stays in the browser, a fragment is never sent ----

function coder(situation) {
  const octets = new TextEncoder().encode(JSON.stringify(situation));
  return btoa(Array.from(octets, (octet) => String.fromCharCode(octet)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function decoder(texte) {
  const binaire = atob(texte.replaceAll("-", "+").replaceAll("_", "/"));
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(binaire, (lettre) => lettre.charCodeAt(0))));
}

function ouvrirLeLien() {
  const lien = new URLSearchParams(location.hash.slice(1));
  if (!lien.has("cas")) return;
  try {
    remplir(decoder(lien.get("cas")));
    choisirLaReforme(lien.get("reforme") ?? "");
  } catch {
    refuser("Ce lien est incomplet : le cas n'a pas pu être lu.");
    return;
  }
  calculer();
}

// A reform that this server does not have leaves the law alone.
function choisirLaReforme(nom) {
  const menu = $("reforme");
  if (!menu) return;
  menu.value = nom;
  if (menu.selectedIndex < 0) menu.value = "";
  $("sens-reforme").textContent = menu.selectedOptions[0].dataset.sens ?? "";
}

function enregistrer() {
  const { situation, fautes } = collecter();
  if (fautes.length) return refuser(`« ${fautes[0].value} » n'est pas un nombre.`, fautes);
  const adresse = URL.createObjectURL(new Blob([JSON.stringify(situation, null, 2)], { type: "application/json" }));
  el("a", { href: adresse, download: `${identifiant().replace(/[^\p{L}\p{N}-]+/gu, "-")}.json` }).click();
  setTimeout(() => URL.revokeObjectURL(adresse), 1000);
  return undefined;
}

async function ouvrir(evenement) {
  const [fichier] = evenement.target.files;
  evenement.target.value = "";
  if (!fichier) return;
  try {
    const texte = await fichier.text();
    remplir(JSON.parse(texte));
  } catch (erreur) {
    refuser(erreur instanceof SyntaxError ? `« ${fichier.name} » n'est pas un fichier JSON.` : erreur.message);
    return;
  }
  calculer();
}

async function copierLeLien() {
  try {
    await navigator.clipboard.writeText(location.href);
    $("etat").textContent = "Lien copié.";
  } catch {
    $("etat").textContent = "Le lien est dans la barre d'adresse du navigateur.";
  }
}

$("cas").addEventListener("submit", (evenement) => {
  evenement.preventDefault();
  calculer();
});
$("cas").addEventListener("paste", coller);
$("exemple").addEventListener("click", () => {
  remplir(EXEMPLE);
  calculer();
});
$("effacer").addEventListener("click", () => {
  vider();
  choisirLaReforme("");
  history.replaceState(null, "", location.pathname);
  $("identifiant").focus();
});
$("reforme")?.addEventListener("change", () => choisirLaReforme($("reforme").value));
$("enregistrer").addEventListener("click", enregistrer);
$("fichier").addEventListener("change", ouvrir);
$("lien").addEventListener("click", copierLeLien);
$("imprimer").addEventListener("click", () => window.print());
$("mois").addEventListener("click", (evenement) => {
  const mois = evenement.target.closest("[data-expliquer]")?.dataset.expliquer;
  if (mois) expliquer(mois);
});
window.addEventListener("hashchange", ouvrirLeLien);
ouvrirLeLien();
