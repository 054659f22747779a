"""Checks that play their games in the process of the test, for strategies that neither hang nor crash."""

import importlib
from collections.abc import Iterator

import pytest


def play_here(patched: pytest.MonkeyPatch) -> None:
    """Let checks play without a process of their own, which takes a second to start. What it is for is tested apart."""
    patched.setattr("ttrsim.checking.checks.talk", _talk)


def _talk(job: str, request: object, patience: float) -> Iterator[object]:
    module, _, name = job.partition(":")
    messages: list[object] = []
    getattr(importlib.import_module(module), name)(request, messages.append)
    yield from messages
