"""What an explanation is made of: plain typed data, ready for JSON."""

from dataclasses import asdict, dataclass, field

REMPLIE, NON_REMPLIE, SANS_OBJET = "remplie", "non remplie", "sans objet"
CONVENTION = "C"  # a value that no text gives


@dataclass(frozen=True)
class Reference:
    """A text: its title, and its address when known."""

    titre: str
    href: str | None = None


@dataclass(frozen=True)
class Source:
    """A parameter as the formula read it: value, unit, text, confidence (T read, S secondary, M memory, CONVENTION)."""

    parametre: str
    description: str
    valeur: object
    unite: str | None = None
    confiance: str | None = None
    references: list[Reference] = field(default_factory=list)


@dataclass(frozen=True)
class Fait:
    """A value that matters, with its name; ``par_defaut``: nobody gave it; ``sinon``: the threshold it put aside."""

    libelle: str
    valeur: object
    unite: str | None = None
    variable: str | None = None
    periode: str | None = None
    par_defaut: bool = False
    sinon: str | None = None


@dataclass(frozen=True)
class Comparaison:
    """A value set against a threshold.

    Attributes:
        valeur: value of the enterprise; for a rate of loss, the rate (fraction).
        mot: « au moins », « moins de », « avant le »…, empty when a yes or a no is expected.
        seuil: threshold, same unit.
        ecart: distance to the other side of the threshold, in ``unite_ecart`` (euros for a rate of loss), never
            negative; None when it has no measure (a list of codes).
        detail: what a rate is made of.
        sources: parameters that the threshold comes from.
        en_mots: what to say instead of the value, when its figure would say nothing (no reference, a rise).
        par_defaut: nobody gave the value.
    """

    libelle: str
    valeur: object
    mot: str
    seuil: object
    unite: str | None = None
    ecart: float | None = None
    unite_ecart: str | None = None
    detail: str | None = None
    sources: list[Source] = field(default_factory=list)
    en_mots: str | None = None
    par_defaut: bool = False


@dataclass(frozen=True)
class Condition:
    """A condition, in the order of the text, and the alternatives or parts it is made of.

    Attributes:
        numero: ``3``, ``3.2``…: rank in the text of the article, then among the alternatives.
        statut: « remplie », « non remplie », or « sans objet » (an alternative that another one makes useless).
        sens: how ``sous_conditions`` combine: « toutes », « une », or None.
        constats: values read that decide which rule applies.
    """

    numero: str
    libelle: str
    statut: str
    variable: str | None = None
    periode: str | None = None
    references: list[str] = field(default_factory=list)
    comparaison: Comparaison | None = None
    constats: list[Fait] = field(default_factory=list)
    sens: str | None = None
    sous_conditions: list["Condition"] = field(default_factory=list)


@dataclass(frozen=True)
class Calcul:
    """An amount and its formula in figures, then the amounts it uses.

    Attributes:
        formule: empty when the amount is passed on from its only step.
        constats: names, yes and no that chose the rule.
        reserve: how many months of the turnover it rests on nobody gave, or « par défaut » when it is all of it.
    """

    variable: str | None
    libelle: str
    valeur: float
    unite: str | None
    formule: str
    references: list[str] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)
    constats: list[Fait] = field(default_factory=list)
    etapes: list["Calcul"] = field(default_factory=list)
    reserve: str | None = None


@dataclass(frozen=True)
class Branche:
    """One way an article pays: open or not, what it gives or would have given, applied or not.

    ``condition`` is None for an option, that nothing but the article's own conditions opens; ``obstacle`` is the
    condition, with all that fails in it, of a closed branch that would pay more than the open ones, or of any closed
    one of a refused article; ``exigence`` that, met, of the branch applied, or of an open one of a refused article.
    """

    libelle: str
    condition: str | None
    ouverte: bool
    montant: float
    retenue: bool
    calcul: Calcul
    obstacle: Condition | None = None
    exigence: Condition | None = None


@dataclass(frozen=True)
class Saisie:
    """What to give the model for a change to be made: variable, period (None if it never changes), value."""

    variable: str
    periode: str | None
    valeur: object


@dataclass(frozen=True)
class Changement:
    """What would have had to differ.

    Attributes:
        ecart: how far, in ``unite``; None for what is not a number (a sector, a closure).
        sens: « au moins », « au plus », « moins de », « avant le »…, « sans » for a sum that an aid deducts.
        activite: what the enterprise is (activity, territory, legal form), that nobody changes for an aid.
        saisie: how the model was asked what the change gives.
        par_defaut: nobody gave the present value.
        suivi: euros of a sum beyond which the aid follows it; None if it does not.
    """

    libelle: str
    actuel: object
    requis: object
    sens: str
    ecart: float | None = None
    unite: str | None = None
    variable: str | None = None
    periode: str | None = None
    activite: bool = False
    saisie: Saisie | None = None
    par_defaut: bool = False
    suivi: float | None = None


@dataclass(frozen=True)
class Article:
    """An article for a month: conditions, branches, amount, and for a refusal what would have opened the right.

    Attributes:
        numero: number, or name of the text of a right that is not an article of décret 2020-371.
        refus: numbers of the failing conditions, in the order of the text.
        changements: the nearest set of changes that really opens the right, and if some do that raise the aid of
            the month the one with the fewest, the model being run again on it; for a right open for nothing, one that
            pays; for an article that pays, one that opens a better regime without change of activity, empty without;
            None when none was found.
        montant: euros of the article.
        montant_si_change: euros that the article gives once the changes are made; None without changes.
        aide_si_change: euros paid for the month, then; None for an aid that is no part of it (volet 2…).
        premier_si_change: number of the article that then gives the most, and its euros; None if it is this one.
        gain_si_change: euros that all the aids together gain then, those that are not monthly included.
        declaree: the case gives an input of that text.
    """

    numero: str
    variable: str
    variable_montant: str
    libelle: str
    references: list[str]
    eligible: bool
    conditions: list[Condition]
    refus: list[str]
    changements: list[Changement] | None
    montant: float
    branches: list[Branche]
    calcul: Calcul
    montant_si_change: float | None = None
    aide_si_change: float | None = None
    gain_si_change: float | None = None
    premier_si_change: Fait | None = None
    declaree: bool = False

    @property
    def decret(self):
        """Text that gives the right, as its references name it."""
        return self.references[0].partition(", art. ")[0]

    @property
    def retenue(self):
        """Branch that is applied; None if none is."""
        return next((branche for branche in self.branches if branche.retenue), None)


@dataclass(frozen=True)
class Pente:
    """How an aid follows the turnover of its month, as this one goes down.

    Attributes:
        par_euro: euros of aid that each euro less adds, at most one.
        au_plus: euros of aid where it stops, at the turnover ``chiffre_affaires``.
        au_dessous: euros of aid one cent of turnover below.
    """

    par_euro: float
    au_plus: float
    chiffre_affaires: float
    au_dessous: float


@dataclass(frozen=True)
class Ouverture:
    """A change that alone would have given more, and the right that it would have been by.

    Attributes:
        numero: number of the article, or name of its text.
        variable_montant: variable of the amount of that right.
        montant: euros that it gives now.
        changements: the only change, in a list as in an Article.
        montant_si_change, aide_si_change, gain_si_change, premier_si_change: see Article.
    """

    numero: str
    variable_montant: str
    montant: float
    changements: list[Changement]
    montant_si_change: float
    aide_si_change: float | None
    gain_si_change: float
    premier_si_change: Fait | None = None


@dataclass(frozen=True)
class Anterieure:
    """An earlier month, whose aid a condition asks for and the model works out to be nothing.

    Attributes:
        periode: month.
        ouvertures: the nearest change, and the rights that it opens that month.
        du: without a request, the right that one would have opened, and its euros.
    """

    periode: str
    ouvertures: list[Ouverture] = field(default_factory=list)
    du: Fait | None = None


@dataclass(frozen=True)
class Explication:
    """One enterprise, one month: every article in force, the turnover figures, and the amount paid.

    Attributes:
        faits: turnover, reference, loss, rate of the month; then the days of closure, if more than the text counts.
        reference: how the reference turnover was found.
        articles: the articles of décret 2020-371 in force for the month, in the order of the decree.
        autres: the rights of the other texts, those that are not monthly included (volet 2, multi-activités).
        sans_objet: texts that are not for such an enterprise, each with the reason.
        options: the references that the text compares, when it compares some.
        motif_de_l_option: why an option is kept, when it is not because it is the best of the month.
        total: from the articles to the amount paid (best article, request, ceiling of the group, complement).
        montant: euros paid for the month, unrounded.
        retenu: variable of the amount of the article that pays, None if none does.
        demande: a request was filed for the month.
        avant_plafond: euros, before the ceiling of the group.
        membres: enterprises in the group.
        plafond_du_groupe: the aids of the group and their ceiling, in words; None alone, or without a ceiling.
        reserves: inputs that contradict each other, said in a sentence each.
        pente: how the aid follows the turnover of the month; None if it does not.
        a_distance: euros of distance sales in the turnover of the month.
        leviers: the changes that alone would have given more, the nearest of each kind.
        anterieure: the earlier month nearest to an aid, when the changes told ask for one.
    """

    entreprise: str
    groupe: str
    periode: str
    faits: list[Fait]
    reference: Calcul
    options: list[Branche]
    motif_de_l_option: str | None
    articles: list[Article]
    autres: list[Article]
    sans_objet: list[str]
    total: Calcul
    montant: float
    retenu: str | None
    demande: bool
    avant_plafond: float
    membres: int
    plafond_du_groupe: str | None = None
    reserves: list[str] = field(default_factory=list)
    pente: Pente | None = None
    a_distance: float = 0.0
    leviers: list[Ouverture] = field(default_factory=list)
    anterieure: Anterieure | None = None

    @property
    def droits(self):
        """Every right, those of the articles first."""
        return *self.articles, *self.autres

    @property
    def payant(self):
        """Right that pays the aid of the month; None if none does."""
        return next((droit for droit in self.droits if droit.variable_montant == self.retenu), None)

    def en_dictionnaire(self):
        """Plain dictionaries and lists, that ``json.dumps`` takes."""
        return asdict(self)
