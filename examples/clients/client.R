# Ask the aid of one enterprise, then of a table of enterprises.  Rscript client.R http://localhost:5000 [reform]
library(httr2)

arguments <- commandArgs(trailingOnly = TRUE)

demander <- function(route, corps) {
  request(arguments[1]) |>
    req_url_path_append(route) |>
    req_url_query(reforme = if (length(arguments) > 1) arguments[2]) |>
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

table <- data.frame(id = c("a", "b"), code_naf = c("56.30Z", "47.71Z"))
table[sprintf("chiffre_affaires:2019-%02d", 1:12)] <- rep(list(c(30000, 20000)), 12)
table[["chiffre_affaires:2021-03"]] <- c(9000, 19000)
resultats <- demander("simulate", list(mois = "2021-03", sorties = list("fds_volet_1"), colonnes = as.list(table)))
print(as.data.frame(resultats$mensuels[c("id", "mois", "fds_volet_1")]))
