// A case outside the form: an example, its link, the months that a period covers, months told by ranges.

import { nomDuMois } from "./commun.js";

export const EXEMPLE = {
  entreprises: {
    "Café du Port": {
      date_creation: { ETERNITY: "2015-04-01" }, code_naf: { ETERNITY: "56.30Z" }, departement: { ETERNITY: "29" },
      effectif_salarie: { 2019: 3, 2020: 3, 2021: 3, 2022: 3 },
      chiffre_affaires: {
        2019: 360000, "2020-01": 28000, "2020-02": 29000, "2020-03": 14000, "2020-04": 0, "2020-05": 2000, "2020-06": 21000, "2020-07": 27000,
        "2020-08": 31000, "2020-09": 24000, "2020-10": 18000, "2020-11": 1500, "2020-12": 2000, "2021-01": 1800, "2021-02": 1700,
        "2021-03": 9000, "2021-04": 2500, "2021-05": 11000, "2021-06": 24000, "2021-07": 28000, "2021-08": 33000, "2021-09": 27000,
        "2021-10": 26000, "2021-11": 25000, "2021-12": 14000, "2022-01": 12000, "2022-02": 22000,
      },
      jours_interdiction_accueil_public: { "2020-11": 30, "2020-12": 31, "2021-01": 31, "2021-02": 28 },
    },
  },
};

// The case stays in the browser: a fragment is never sent.
export function coder(situation) {
  const octets = new TextEncoder().encode(JSON.stringify(situation));
  return btoa(Array.from(octets, (octet) => String.fromCharCode(octet)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

export function decoder(texte) {
  const binaire = atob(texte.replaceAll("-", "+").replaceAll("_", "/"));
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(binaire, (lettre) => lettre.charCodeAt(0))));
}

// "2021-03", "2021", "month:2021-01:3", "year:2021-03" → the months, as text.
function moisDe(periode) {
  const [, unite, annee, mois, taille] = periode.match(/^(?:(month|year):)?(\d{4})(?:-(\d{2}))?(?::(\d+))?$/) ?? [];
  if (!annee) return [];
  const nombre = Number(taille ?? 1) * (unite === "year" || !mois ? 12 : 1);
  const debut = 12 * Number(annee) + Number(mois ?? 1) - 1;
  return Array.from({ length: Math.min(nombre, 120) }, (_, rang) => `${Math.floor((debut + rang) / 12)}-${String(((debut + rang) % 12) + 1).padStart(2, "0")}`);
}

// The months for which {period: value} gives a value.
export const moisDonnes = (donnees) => new Set(Object.entries(donnees ?? {}).flatMap(([periode, valeur]) => (valeur === null ? [] : moisDe(periode))));

// « mars 2020, mai 2020 à août 2020 », of months in the order of the list that holds them all.
export function enPlages(mois, tous) {
  const plages = [];
  for (const un of mois) {
    const plage = plages.at(-1);
    if (plage && tous[tous.indexOf(plage.at(-1)) + 1] === un) plage.push(un);
    else plages.push([un]);
  }
  return plages.map((plage) => (plage.length > 1 ? `${nomDuMois(plage[0])} à ${nomDuMois(plage.at(-1))}` : nomDuMois(plage[0]))).join(", ");
}
