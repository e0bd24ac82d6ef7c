"""What the tests of the page do and read, as a user would."""

COLONNE_2019 = "\n".join(["30 000,00 €"] * 12)


def coller(page, selecteur, texte):
    """Paste as from a spreadsheet."""
    page.evaluate("texte => navigator.clipboard.writeText(texte)", texte)
    page.focus(selecteur)
    page.keyboard.press("Control+V")


def case(mois, grille="chiffre_affaires"):
    return f"[data-grille={grille}] [data-mois='{mois}']"


def remplir_un_cafe(page):
    page.goto("/")
    page.get_by_label("Nom ou numéro").fill("Café")
    page.get_by_label("Date de création").fill("2015-04-01")
    page.get_by_label("Code de l'activité").fill("5630Z")
    page.get_by_label("Département").select_option("29")
    coller(page, case("2019-01"), COLONNE_2019)
    page.fill(case("2021-03"), "9 000,00")


def calculer(page):
    page.get_by_role("button", name="Calculer", exact=True).click()
    page.wait_for_selector("#resultats:not([hidden])")


def ligne(page, mois):
    return page.locator(f"[data-ligne='{mois}']").inner_text().replace("\u202f", " ").replace("\xa0", " ")


def texte(page, selecteur):
    """Text of an element, its no-break spaces made plain."""
    return page.locator(selecteur).first.inner_text().replace("\u202f", " ").replace("\xa0", " ")
