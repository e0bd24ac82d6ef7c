// What is typed or pasted: numbers as people write them, blocks of cells copied from a spreadsheet.

const MILLIERS = { ".": /^-?[1-9]\d{0,2}(\.\d{3})+$/, ",": /^-?[1-9]\d{0,2}(,\d{3})+$/ };
const AMBIGU = /^-?[1-9]\d{0,2}[.,]\d{3}$/; // 30.000: thirty, or thirty thousand

const nettoyer = (texte) => texte.replace(/[\s\u00a0\u202f€]/g, "").replace(/^\((.*)\)$/, "-$1").replace("−", "-");

// "1 234,56 €", "1.234,56", "1,234.56" → 1234.56; "- €", the nought of accountants → 0; NaN if it is no number, or two.
export function lireNombre(texte) {
  let net = nettoyer(texte);
  if (/^[-–]$/.test(net)) return 0;
  if (AMBIGU.test(net)) return NaN;
  const decimal = Math.max(net.lastIndexOf("."), net.lastIndexOf(","));
  const milliers = net[decimal] === "." ? "," : ".";
  if (MILLIERS[net[decimal]]?.test(net)) net = net.replaceAll(net[decimal], "");
  else if (MILLIERS[milliers].test(net.slice(0, decimal))) net = net.replaceAll(milliers, "");
  net = net.replace(",", ".");
  return /^-?(\d+\.?\d*|\.\d+)$/.test(net) ? Number(net) : NaN;
}

export function reproche(texte) {
  const net = nettoyer(texte);
  if (!AMBIGU.test(net)) return `« ${texte} » n'est pas un nombre`;
  const [entier, decimales] = net.split(/[.,]/);
  return `« ${texte} » se lit de deux façons : écrire ${entier}${decimales} ou ${entier},${decimales}0`;
}

// A number as lireNombre reads it back.
export function ecrire(valeur) {
  const texte = String(valeur).replace(".", ",");
  return AMBIGU.test(texte) ? `${texte}0` : texte;
}

export const cases = (grille) => [...grille.querySelectorAll("input")].sort((a, b) => (a.dataset.mois < b.dataset.mois ? -1 : 1));

// Paste in a grid of months (down) and years (across), from the cell that has the focus; returns what to tell, or null if
// the browser may paste by itself. A line or a column is read from month to month; a block wider than the years that
// are left has its years down.
export function coller(evenement, apresChaque) {
  const entree = evenement.target.closest("[data-grille] input");
  const texte = evenement.clipboardData.getData("text/plain").replace(/\r?\n$/, "");
  if (!entree || !/[\t\n]/.test(texte)) return null;
  evenement.preventDefault();
  const lignes = texte.split(/\r?\n/).map((ligne) => ligne.split("\t"));
  const largeur = Math.max(...lignes.map((ligne) => ligne.length));
  const couples = lignes.length === 1 || largeur === 1 ? suite(entree, lignes.flat()) : bloc(entree, lignes, largeur);
  const collees = couples.filter(([cible]) => cible);
  for (const [cible, valeur] of collees) {
    cible.value = valeur.trim();
    apresChaque(cible);
  }
  const perdues = couples.filter(([cible, valeur]) => !cible && valeur.trim()).length;
  return `${compter(collees.length, "collée")}${perdues ? ` ; ${compter(perdues, "laissée")} de côté, hors du tableau à partir de cette case` : ""}.`;
}

const compter = (nombre, participe) => (nombre > 1 ? `${nombre} valeurs ${participe}s` : `${nombre} valeur ${participe}`);

function suite(entree, valeurs) {
  const mois = cases(entree.closest("[data-grille]"));
  const debut = mois.indexOf(entree);
  return valeurs.map((valeur, rang) => [mois[debut + rang], valeur]);
}

function bloc(entree, lignes, largeur) {
  const grille = entree.closest("[data-grille]");
  const [ligne, colonne] = [entree.closest("tr").rowIndex, entree.closest("td").cellIndex];
  const annees = grille.rows[0].cells.length - colonne;
  const enLignes = largeur > annees && lignes.length <= annees;
  return lignes.flatMap((valeurs, i) => valeurs.map((valeur, j) => {
    const [bas, droite] = enLignes ? [j, i] : [i, j];
    return [grille.rows[ligne + bas]?.cells[colonne + droite]?.querySelector("input"), valeur];
  }));
}
