# Ask the aid of one enterprise, then of a table of enterprises.  Rscript client.R http://localhost:5000
library(httr2)

serveur <- commandArgs(trailingOnly = TRUE)[1]

demander <- function(route, corps) {
  request(serveur) |>
    req_url_path_append(route) |>
    req_body_json(corps, null = "null", digits = NA) |>
    req_error(body = \(reponse) resp_body_json(reponse)$error) |>
    req_perform() |>
    resp_body_json(simplifyVector = TRUE)
}

cafe <- list(
  code_naf = list(ETERNITY = "56.30Z"),
  chiffre_affaires = list(`2019` = 360000, `2021-03` = 9000),
  fds_volet_1 = list(`2021-03` = NULL)
)
reponse <- demander("calculate", list(entreprises = list(cafe = cafe)))
print(reponse$entreprises$cafe$fds_volet_1)

table <- data.frame(
  id = c("a", "b"), code_naf = c("56.30Z", "47.71Z"),
  `chiffre_affaires:2019-03` = c(30000, 20000), `chiffre_affaires:2021-03` = c(9000, 19000),
  check.names = FALSE
)
resultats <- demander("simulate", list(mois = "2021-03", sorties = list("fds_volet_1"), colonnes = as.list(table)))
print(as.data.frame(resultats$mensuels[c("id", "mois", "fds_volet_1")]))
