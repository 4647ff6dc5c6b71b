# Generated from wit/ by guest-sdk/bindings; do not edit.
"""The contract, as componentize-py's bindings have it; `contract.pyi` has its types."""

from wit_world.imports import (
    body,
    bulk,
    clock,
    commands,
    events,
    lane,
    log,
    params,
    requests,
    script,
    sensors,
    state,
    types,
)
from wit_world.imports.types import Answer, State
from wit_world.imports.commands import Merge
from wit_world.imports.log import Level
from wit_world.imports.requests import Outcome
