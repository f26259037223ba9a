"""What the wheel has in addition to the code."""

from importlib.metadata import distribution

from conftest import REPOSITORY


def test_the_wheel_has_the_licences() -> None:
    files = distribution("trellis-dxil").files or []
    for name in ("LICENSE-MIT", "LICENSE-APACHE"):
        (found,) = [file for file in files if file.name == name]
        assert ".dist-info" in str(found.parent)
        text = (REPOSITORY / name).read_text(encoding="utf-8")
        assert found.read_text(encoding="utf-8") == text
