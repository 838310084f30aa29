"""What pip says when it builds the package from source without Rust."""

import importlib.util
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tarfile

import pytest

PACKAGE = pathlib.Path(__file__).parents[1]


def backend():
    """Loads the build backend, which is not installed."""
    pytest.importorskip("maturin")
    place = PACKAGE / "backend" / "matesolve_backend.py"
    spec = importlib.util.spec_from_file_location("matesolve_backend", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_pip_says_in_one_sentence_that_rust_is_missing(tmp_path):
    if os.environ.get("CI") != "true" and shutil.which("cargo") is None:
        pytest.skip("making a source distribution needs cargo")
    pytest.importorskip("maturin")
    places = ["--manifest-path", str(PACKAGE / "Cargo.toml"), "--out", str(tmp_path)]
    subprocess.run([sys.executable, "-m", "maturin", "sdist", *places], check=True, capture_output=True)
    (sdist,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        assert any(name.endswith("/backend/matesolve_backend.py") for name in archive.getnames())
    # Neither cargo nor rustc is in this folder.
    path = tmp_path / "bin"
    path.mkdir()
    arguments = ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(tmp_path), str(sdist)]
    done = subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": str(path)},
        check=False,
    )
    said = done.stdout + done.stderr
    assert done.returncode != 0 and "Traceback" not in said, said
    sentences = [line for line in said.splitlines() if "matesolve: this package is built from source" in line]
    assert len(sentences) == 1 and "https://rustup.rs" in sentences[0], said


def test_a_rust_that_is_too_old_is_named(tmp_path):
    cargo = tmp_path / "cargo"
    cargo.write_text("#!/bin/sh\necho 'cargo 1.70.0 (abc 2023-01-01)'\n")
    cargo.chmod(cargo.stat().st_mode | stat.S_IXUSR)
    made = backend()
    assert made.needed() >= (1, 95)
    assert "Rust 1.70 is too old" in made.complaint(str(cargo), made.needed())
    assert made.complaint(str(cargo), (1, 70)) is None
    cargo.write_text("#!/bin/sh\necho 'no toolchain' >&2\n")
    assert "no toolchain" in made.complaint(str(cargo), (1, 70))
