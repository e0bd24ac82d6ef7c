"""Requests drawn from the API's own description: no 5xx, and every answer as described."""

from pathlib import Path

import pytest
import schemathesis
import yaml
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

import openfisca_fds_tools.web

CONTROLES = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
DESCRIPTION = Path(openfisca_fds_tools.web.__file__).with_name("specification.yaml")
OPERATIONS = [
    (route, methode, mode)
    for route, methodes in yaml.safe_load(DESCRIPTION.read_text(encoding="utf-8"))["paths"].items()
    for methode in methodes
    for mode in (GenerationMode if methode == "post" else [GenerationMode.POSITIVE])  # a GET has nothing to get wrong
]
reglages = settings(
    max_examples=8, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)


@pytest.fixture(scope="module")
def description(application):
    return schemathesis.openapi.from_wsgi("/spec", application)


@pytest.mark.parametrize(("route", "methode", "mode"), OPERATIONS)
def test_les_reponses_sont_celles_que_la_description_annonce(description, route, methode, mode):
    @reglages
    @given(case=description[route][methode].as_strategy(generation_mode=mode))
    def verifier(case):
        case.call_and_validate(checks=CONTROLES)

    verifier()
