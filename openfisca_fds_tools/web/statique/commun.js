// What both pages share: elements, requests, figures.

export const $ = (id) => document.getElementById(id);

// An element: attributes, then children (texts or elements); never HTML from a string.
export function el(nom, attributs = {}, ...enfants) {
  const cree = document.createElement(nom);
  for (const [cle, valeur] of Object.entries(attributs)) {
    if (valeur === true) cree.setAttribute(cle, "");
    else if (valeur !== false && valeur != null) cree.setAttribute(cle, valeur);
  }
  cree.append(...enfants.filter((enfant) => enfant != null));
  return cree;
}

// The answer of a route; a refusal throws an Error that bears chemin (path of the key), probleme and attendu.
export async function demander(route, corps) {
  const options = corps && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(corps) };
  let reponse;
  try {
    reponse = await fetch(route, options || {});
  } catch {
    throw new Error("Le serveur ne répond pas. Réessayer dans un instant.");
  }
  const contenu = await reponse.json().catch(() => ({ error: `Réponse illisible (${reponse.status}).` }));
  if (!reponse.ok) throw Object.assign(new Error(contenu.error), contenu);
  return contenu;
}

export function signaler(message) {
  const zone = $("erreur");
  zone.textContent = message;
  zone.hidden = !message;
}

const EUROS = new Intl.NumberFormat("fr-FR", { style: "currency", currency: "EUR" });
const EUROS_RONDS = new Intl.NumberFormat("fr-FR", { style: "currency", currency: "EUR", maximumFractionDigits: 0 });
const TAUX = new Intl.NumberFormat("fr-FR", { style: "percent", maximumFractionDigits: 2 });
export const euros = (valeur) => EUROS.format(valeur);
export const eurosRonds = (valeur) => EUROS_RONDS.format(valeur);
export const taux = (valeur) => TAUX.format(valeur);
export const nomDuMois = (mois) =>
  new Date(`${mois}-15`).toLocaleDateString("fr-FR", { month: "long", year: "numeric" });
export const jour = (date) => new Date(`${date}T12:00`).toLocaleDateString("fr-FR");
