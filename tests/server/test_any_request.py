"""Whatever is asked within the description, nothing breaks and every answer is one that it tells.

With schemathesis, where it is installed; more of the same by `schemathesis run` on a server.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from kg.server.app import create_app
from kg.server.settings import Settings
from tests.helpers.served import listening

schemathesis = pytest.importorskip("schemathesis")
checks = pytest.importorskip("schemathesis.checks")
specified = pytest.importorskip("schemathesis.specs.openapi.checks")

HELD = (
    checks.not_a_server_error,
    specified.status_code_conformance,
    specified.content_type_conformance,
    specified.response_schema_conformance,
)


@pytest.fixture(scope="module")
def described(held):
    """The description of a real server."""
    with listening(create_app(Settings(), held)) as port:
        yield schemathesis.openapi.from_url(f"http://127.0.0.1:{port}/openapi.json")


def test_every_answer_is_one_that_the_description_tells(described):
    count = 0
    for found in described.get_all_operations():

        @given(case=found.ok().as_strategy())
        @settings(
            max_examples=5, deadline=None, derandomize=True, database=None,
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        def holds(case):
            case.call_and_validate(checks=list(HELD))

        holds()
        count += 1
    assert count == 16
