"""Builds the package by maturin. If Rust is missing or too old, it says so in one sentence before anything is built.

This is a build backend (PEP 517): pip calls these functions.
"""

import functools
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import maturin


def with_rust(hook):
    """Makes a hook that looks for Rust before it does what `hook` does. pip's options decide which hook it calls first."""

    @functools.wraps(hook)
    def checked(*arguments, **options):
        require_rust()
        return hook(*arguments, **options)

    return checked


get_requires_for_build_wheel = with_rust(maturin.get_requires_for_build_wheel)
get_requires_for_build_editable = with_rust(maturin.get_requires_for_build_editable)
get_requires_for_build_sdist = with_rust(maturin.get_requires_for_build_sdist)
prepare_metadata_for_build_wheel = with_rust(maturin.prepare_metadata_for_build_wheel)
prepare_metadata_for_build_editable = with_rust(maturin.prepare_metadata_for_build_editable)
build_wheel = with_rust(maturin.build_wheel)
build_editable = with_rust(maturin.build_editable)
build_sdist = with_rust(maturin.build_sdist)


def require_rust():
    """Ends the build with a sentence if there is no Rust, or an older one than the crate needs."""
    why = complaint(shutil.which("cargo"), needed())
    if why is not None:
        # pip shows what the backend writes. A traceback would bury it.
        print(f"matesolve: {why}", file=sys.stderr)
        sys.exit(1)


def complaint(cargo, least):
    """Returns why this cargo (a path or None) cannot build the package; None if it can. `least`: the oldest version."""
    version = ".".join(map(str, least))
    if cargo is None:
        return (
            f"this package is built from source and needs Rust {version} or later, which is not installed: install it "
            "from https://rustup.rs and run pip again, or let pip take a ready-made wheel "
            "(pip install --only-binary :all: matesolve)"
        )
    said = subprocess.run([cargo, "--version"], capture_output=True, text=True, check=False)
    found = re.match(r"cargo (\d+)\.(\d+)", said.stdout)
    if found is None:
        why = said.stderr.strip()
        return f"{cargo} does not say its version ({why}): install Rust {version} or later from https://rustup.rs"
    if (int(found[1]), int(found[2])) < least:
        return f"Rust {found[1]}.{found[2]} is too old for this package, which needs {version}: run `rustup update`"
    return None


def needed():
    """Returns the oldest version of Rust that the crate allows, from the nearest Cargo.toml above this file."""
    for folder in Path(__file__).resolve().parents:
        manifest = folder / "Cargo.toml"
        if manifest.is_file() and (version := manifest_version(manifest)):
            return version
    return (1, 0)


def manifest_version(manifest):
    """Returns the `rust-version` of a Cargo.toml, or of the workspace that stands in it; None if it has none."""
    with manifest.open("rb") as file:
        fields = tomllib.load(file)
    text = fields.get("package", {}).get("rust-version")
    if isinstance(text, dict):
        text = fields.get("workspace", {}).get("package", {}).get("rust-version")
    return None if text is None else tuple(map(int, text.split(".")[:2]))
