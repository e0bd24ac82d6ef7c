"""The web API and its page: openfisca-core's application, made safe, with explanations and populations."""
