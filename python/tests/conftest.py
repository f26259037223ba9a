"""The shaders that tests convert."""

from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of the corpus."""
    return REPOSITORY / "corpus" / "shaders"


@pytest.fixture(scope="session")
def shader(corpus: Path) -> bytes:
    """A compute shader with two nested loops."""
    return (corpus / "control_flow" / "fig_nested_returns.dxil").read_bytes()


@pytest.fixture(scope="session")
def library(corpus: Path) -> bytes:
    """A library with several entry points."""
    return (corpus / "raytracing" / "any_hit_loop.dxil").read_bytes()
