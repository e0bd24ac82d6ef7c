// The page of one enterprise: results, explanation, permalink, file, and what each button does.

import { $, demander, el, euros, jour, nomDuMois, signaler, taux } from "./commun.js";
import { EXEMPLE, coder, decoder, enPlages, moisDonnes } from "./cas.js";
import { tracer } from "./courbe.js";
import { ecrirePage } from "./explication.js";
import {
  DONNEES, abandonner, changer, choisirLaReforme, collecter, identifiant, libelle, marquer, montree, noter, refuser, refuserCommeLeServeur, remplir, vider,
} from "./formulaire.js";
import { coller } from "./saisie.js";

const { mois: MOIS, payeurs: PAYEURS, uniques: UNIQUES, version: VERSION } = DONNEES;
const SORTIES = ["chiffre_affaires_reference", "perte_chiffre_affaires", "taux_perte_chiffre_affaires", "fds_volet_1_avant_plafond", "fds_volet_1", "fonds_de_solidarite"];
const SIGNES = new Intl.NumberFormat("fr-FR", { style: "currency", currency: "EUR", signDisplay: "exceptZero" });
const NOMBRES = new Intl.NumberFormat("fr-FR", { maximumFractionDigits: 6 });
let calcule = null; // what the results on screen are of: situation, id of the enterprise, months given, reform
const demandes = { calcul: 0, explication: 0 }; // of each kind, only the answer to the last one is shown

// ---- results ----

async function calculer() {
  const situation = collecter();
  if (!situation) return;
  marquer([]);
  signaler("");
  $("etat").textContent = "Calcul en cours…";
  const demande = (demandes.calcul += 1);
  const [id, reforme] = [identifiant(), $("reforme")?.value];
  const donnes = moisDonnes(situation.entreprises[id].chiffre_affaires);
  const saisis = MOIS.filter((mois) => donnes.has(mois));
  const question = interroger(situation, id, saisis);
  $("perime").hidden = true; // a change during the request shows it again
  try {
    const [droit, reformee] = await Promise.all([demander("calculate", question), reforme ? demander(`calculate?${new URLSearchParams({ reforme })}`, question) : null]);
    if (demande !== demandes.calcul) return;
    calcule = { situation, id, saisis, reforme };
    history.replaceState(null, "", lien());
    afficher(droit.entreprises[id], reformee?.entreprises[id]);
    $("etat").textContent = "Calcul terminé.";
  } catch (erreur) {
    if (demande !== demandes.calcul) return;
    $("etat").textContent = "";
    $("perime").hidden = false;
    refuserCommeLeServeur(erreur);
  }
}

// The situation with what is asked: nothing of a month whose turnover is unknown, nor of what the case itself gives.
function interroger(situation, id, saisis) {
  const question = structuredClone(situation);
  const entreprise = question.entreprises[id];
  const demanderLe = (nom, mois) => {
    entreprise[nom] = { ...Object.fromEntries(mois.map((un) => [un, null])), ...entreprise[nom] };
  };
  for (const nom of ["chiffre_affaires", ...SORTIES]) demanderLe(nom, saisis);
  for (const payeur of PAYEURS) demanderLe(payeur.variable, payeur.mois.filter((mois) => saisis.includes(mois)));
  for (const nom of Object.keys(UNIQUES)) demanderLe(nom, [MOIS[0]]);
  return question;
}

function lien() {
  const { situation, id, reforme } = calcule;
  const parties = { cas: coder(situation), ...(Object.keys(situation.entreprises).length > 1 && { entreprise: id }), ...(reforme && { reforme }) };
  return `#${new URLSearchParams(parties)}`;
}

// The aids that are not monthly and are due.
const uniquesDues = (valeurs) => Object.keys(UNIQUES).filter((nom) => valeurs[nom][MOIS[0]] > 0);

function enTout(valeurs) {
  const montants = [...calcule.saisis.map((mois) => valeurs.fonds_de_solidarite[mois]), ...uniquesDues(valeurs).map((nom) => valeurs[nom][MOIS[0]])];
  return montants.reduce((somme, montant) => somme + montant, 0);
}

const ecart = (avant, apres) => (Math.abs(apres - avant) < 0.005 ? "–" : SIGNES.format(apres - avant));

// The results under the law and, if one is chosen, under a reform (otherwise undefined).
function afficher(valeurs, sousReforme) {
  const { id, saisis } = calcule;
  let cumul = 0;
  const lignes = MOIS.map((mois) => {
    if (!saisis.includes(mois)) return el("tr", { "data-ligne": mois, class: "nul" }, el("th", { scope: "row" }, nomDuMois(mois)), el("td", { class: "non-saisi", colspan: 10 }, "chiffre d'affaires non saisi"));
    const aide = valeurs.fonds_de_solidarite[mois];
    const autre = sousReforme?.fonds_de_solidarite[mois];
    const article = articlePaye(valeurs, mois);
    cumul += aide;
    const bouton = el("button", { type: "button", "aria-label": `Expliquer ${nomDuMois(mois)}`, "data-expliquer": mois }, "Expliquer");
    return el("tr", { "data-ligne": mois, class: aide || autre ? null : "nul" },
      el("th", { scope: "row" }, nomDuMois(mois), el("small", {}, article)),
      ...[valeurs.chiffre_affaires_reference, valeurs.chiffre_affaires, valeurs.perte_chiffre_affaires].map((serie) => el("td", {}, euros(serie[mois]))),
      el("td", {}, taux(valeurs.taux_perte_chiffre_affaires[mois])),
      el("td", {}, article),
      el("td", {}, el("b", {}, euros(aide))), el("td", {}, euros(cumul)),
      ...(sousReforme ? [euros(autre), ecart(aide, autre)] : ["", ""]).map((texte) => el("td", { class: "reforme" }, texte)),
      el("td", { class: "ecran" }, bouton));
  });
  $("mois").tBodies[0].replaceChildren(...lignes);
  $("mois").classList.toggle("comparee", Boolean(sousReforme));
  $("uniques").replaceChildren(...uniquesDues(valeurs).map((nom) => el("p", {}, `${UNIQUES[nom]} : `, el("b", {}, euros(valeurs[nom][MOIS[0]])))));
  const [total, autre] = [enTout(valeurs), sousReforme && enTout(sousReforme)];
  const suite = sousReforme ? ` ; ${euros(autre)} sous la réforme « ${$("reforme").selectedOptions[0].textContent} », écart ${ecart(total, autre)}` : "";
  const partiel = saisis.length < MOIS.length ? ` pour ${saisis.length} mois sur ${MOIS.length}` : "";
  $("total").textContent = `${id} : ${euros(total)} en tout${partiel}${suite}`;
  const absents = enPlages(MOIS.filter((mois) => !saisis.includes(mois)), MOIS);
  $("absents").textContent = `Chiffre d'affaires non saisi : ${absents}. Ces mois ne comptent pas dans le total ; les aides qui dépendent d'autres mois y lisent 0\u00a0€. Saisir 0 pour un mois sans chiffre d'affaires.`;
  $("absents").hidden = !absents;
  $("donnees-du-cas").querySelector("dl").replaceChildren(...resume());
  $("edition").textContent = `Calculé le ${new Date().toLocaleDateString("fr-FR", { dateStyle: "long" })} avec openfisca-fds ${VERSION}.`;
  $("resultats").hidden = false;
  demandes.explication += 1;
  $("explication").hidden = true;
  $("titre-resultats").focus();
}

// What pays: the greatest amount, and of two the first in the order of the decree, as in the explanation.
function articlePaye(valeurs, mois) {
  if (!valeurs.fds_volet_1[mois]) return valeurs.fonds_de_solidarite[mois] ? "complément" : "–";
  const montant = (payeur) => valeurs[payeur.variable]?.[mois] ?? 0;
  const meilleur = PAYEURS.reduce((a, b) => (montant(a) >= montant(b) ? a : b));
  return montant(meilleur) === valeurs.fds_volet_1_avant_plafond[mois] ? meilleur.numero : "autre texte";
}

// What the case gives, for the printed sheet.
function resume() {
  const donnees = Object.entries(calcule.situation.entreprises[calcule.id]);
  return donnees.map(([nom, periodes]) => {
    const ecrites = Object.entries(periodes).map(([periode, valeur]) => (periode === "ETERNITY" ? "" : `${/^\d{4}-\d{2}$/.test(periode) ? nomDuMois(periode) : periode} : `) + imprimer(valeur));
    return el("div", {}, el("dt", {}, libelle(nom)), el("dd", {}, ecrites.join(" ; ")));
  });
}

function imprimer(valeur) {
  if (typeof valeur === "boolean") return valeur ? "oui" : "non";
  if (typeof valeur === "number") return NOMBRES.format(valeur);
  return /^\d{4}-\d{2}-\d{2}$/.test(valeur) ? jour(valeur) : String(valeur);
}

async function expliquer(mois) {
  const zone = $("explication");
  const demande = (demandes.explication += 1);
  const question = { situation: calcule.situation, mois, entreprise: calcule.id };
  zone.hidden = false;
  zone.setAttribute("aria-busy", "true");
  $("courbe").replaceChildren();
  $("texte").replaceChildren(el("p", {}, `Explication de ${nomDuMois(mois)} en cours…`));
  for (const ligne of document.querySelectorAll("[data-ligne]")) ligne.classList.toggle("choisi", ligne.dataset.ligne === mois);
  try {
    const { explication, page } = await demander("explain", question);
    if (demande !== demandes.explication) return;
    const mise = calcule.reforme ? el("p", { class: "avis" }, "Cette explication est celle du droit, sans la réforme.") : "";
    $("texte").replaceChildren(mise, ...ecrirePage(page));
    $("texte").querySelector("h2")?.focus();
    zone.setAttribute("aria-busy", "false");
    await dessiner(question, explication, demande);
  } catch (erreur) {
    if (demande !== demandes.explication) return;
    zone.hidden = true;
    refuserCommeLeServeur(erreur);
  }
}

async function dessiner(question, explication, demande) {
  const [chiffre, reference] = explication.faits.map((fait) => fait.valeur);
  const fin = Math.ceil(Math.max(1000, 1.25 * chiffre, 1.25 * reference) / 1000) * 1000;
  let dessin;
  try {
    dessin = tracer(await demander("sweep", { ...question, debut: 0, fin }), chiffre, explication.montant, $("courbe").clientWidth);
  } catch (erreur) {
    dessin = el("p", { class: "aide" }, `La courbe n'a pas pu être tracée : ${erreur.message}`);
  }
  if (demande === demandes.explication) $("courbe").replaceChildren(dessin);
}

// ---- permalink and file ----

function ouvrirLeLien() {
  const parties = new URLSearchParams(location.hash.slice(1));
  if (!parties.has("cas")) return;
  try {
    remplir(decoder(parties.get("cas")), parties.get("entreprise"));
    choisirLaReforme(parties.get("reforme") ?? "");
  } catch {
    refuser("Ce lien est incomplet : le cas n'a pas pu être lu.");
    return;
  }
  calculer();
}

function enregistrer() {
  const situation = collecter();
  if (!situation) return;
  const adresse = URL.createObjectURL(new Blob([JSON.stringify(situation, null, 2)], { type: "application/json" }));
  el("a", { href: adresse, download: `${identifiant().replace(/[^\p{L}\p{N}-]+/gu, "-")}.json` }).click();
  setTimeout(() => URL.revokeObjectURL(adresse), 1000);
  noter(false);
}

async function ouvrir(evenement) {
  const [fichier] = evenement.target.files;
  evenement.target.value = "";
  if (!fichier || !abandonner()) return;
  try {
    const texte = await fichier.text();
    remplir(JSON.parse(texte));
  } catch (erreur) {
    refuser(erreur instanceof SyntaxError ? `« ${fichier.name} » n'est pas un fichier JSON.` : erreur.message);
    return;
  }
  calculer();
}

// Another enterprise of the case takes the place of the one on screen, whose changes are kept.
function montrer(id) {
  const situation = collecter();
  if (!situation) {
    $("entreprise").value = montree;
    return;
  }
  remplir(situation, id);
  noter(true);
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
$("cas").addEventListener("input", ({ target }) => {
  if (target.matches("[data-champ], [data-mois], #identifiant")) changer(target);
});
$("cas").addEventListener("paste", (evenement) => {
  const bilan = coller(evenement, changer);
  if (bilan) $("etat").textContent = bilan;
});
$("exemple").addEventListener("click", () => {
  if (!abandonner()) return;
  remplir(EXEMPLE);
  calculer();
});
$("effacer").addEventListener("click", () => {
  if (!abandonner()) return;
  vider();
  choisirLaReforme("");
  history.replaceState(null, "", location.pathname);
  $("identifiant").focus();
});
$("entreprise").addEventListener("change", () => montrer($("entreprise").value));
$("reforme")?.addEventListener("change", () => {
  choisirLaReforme($("reforme").value);
  $("perime").hidden = false;
});
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
