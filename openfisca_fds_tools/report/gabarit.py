"""Typst template of the printed report: page, headings, boxes, tables. Its fonts are those of the Typst wheel."""

GABARIT = r"""
#let bleu = rgb("#000091")
#let discret = rgb("#55555f")
#let trait = rgb("#d4d4de")
#let note(contenu) = text(size: 7.5pt, fill: discret, contenu)

#let rapport(titre, sous_titre, pied, corps) = {
  set document(title: titre, author: "openfisca-fds")
  set text(font: "Libertinus Serif", size: 10pt, lang: "fr", region: "FR")
  set par(justify: true, leading: 0.62em)
  set page(
    paper: "a4",
    margin: (x: 20mm, top: 20mm, bottom: 22mm),
    footer: context [
      #set text(size: 7.5pt, fill: discret)
      #set par(justify: false, leading: 0.5em)
      #grid(columns: (1fr, auto), column-gutter: 8mm, pied, [#counter(page).display() / #counter(page).final().first()])
    ],
  )
  show heading: titre_de_section => block(above: 9mm, below: 4mm, sticky: true, width: 100%)[
    #line(length: 100%, stroke: 1.2pt + bleu)
    #v(-1.5mm)
    #text(size: 14pt, weight: "bold", titre_de_section.body)
  ]
  block(below: 2mm, text(size: 20pt, weight: "bold", fill: bleu, par(justify: false, leading: 0.4em, titre)))
  block(below: 6mm, text(fill: discret, sous_titre))
  corps
}

#let encadre(..phrases) = block(
  width: 100%, above: 4mm, below: 5mm, inset: (x: 5mm, y: 3.5mm), fill: rgb("#f5f5fe"), stroke: (left: 2.5pt + bleu),
  for phrase in phrases.pos() { block(above: 3.2mm, below: 3.2mm, text(size: 10.5pt, phrase)) },
)

#let notes(source, limite) = {
  set par(justify: false, leading: 0.5em)
  if source != "" { block(above: 1.8mm, below: 0mm, note([Source : #source])) }
  if limite != "" { block(above: 1.2mm, below: 0mm, note([À savoir : #limite])) }
}

#let dessin(titre, fichier, description, source, limite) = block(above: 5mm, below: 7mm, breakable: false, width: 100%)[
  #block(below: 2.5mm, strong(titre))
  #image(fichier, width: 100%, alt: description)
  #notes(source, limite)
]

#let tableau(titre, largeurs, sens, entetes, cellules, totaux, source, limite) = {
  let nombre = entetes.len()
  let lignes = calc.quo(cellules.len(), nombre)
  block(above: 5mm, below: 7mm, breakable: lignes > 24, width: 100%)[
    #block(below: 2.5mm, sticky: true, strong(titre))
    #set text(size: 8pt)
    #set par(justify: false, leading: 0.5em)
    #table(
      columns: largeurs,
      align: (colonne, ligne) => sens.at(colonne) + (if ligne == 0 { bottom } else { top }),
      inset: (x: 1.4mm, y: 1.15mm),
      stroke: (colonne, ligne) => (
        bottom: if ligne == 0 { 0.8pt + black } else if ligne < lignes { 0.4pt + trait },
        top: if totaux > 0 and ligne == lignes + 1 - totaux { 0.8pt + black },
      ),
      table.header(..entetes.map(entete => text(size: 7.5pt, strong(entete)))),
      ..cellules.enumerate().map(((rang, cellule)) => {
        if calc.quo(rang, nombre) >= lignes - totaux { strong(cellule) } else { cellule }
      }),
    )
    #notes(source, limite)
  ]
}
"""
