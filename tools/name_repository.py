#!/usr/bin/env python3
"""Names the repository and the homepage in every package: Cargo.toml, package.json and pyproject.toml.

    python3 tools/name_repository.py REPOSITORY [HOMEPAGE]

The homepage is the repository unless it is given. A second run replaces what the first has written. A test runs it on
a copy. Until it is run, no package and no page has a link that leads nowhere.
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path.cwd()


def in_workspace(repository, homepage):
    """Writes the addresses once, in the workspace, and makes every crate take them from there."""
    path = ROOT / "Cargo.toml"
    text = re.sub(r"^(repository|homepage) = .*\n", "", path.read_text(), flags=re.M)
    named = f'[workspace.package]\nrepository = "{repository}"\nhomepage = "{homepage}"\n'
    path.write_text(text.replace("[workspace.package]\n", named, 1))
    for crate in sorted([path, *ROOT.glob("crates/*/Cargo.toml"), *ROOT.glob("bindings/*/Cargo.toml")]):
        text = re.sub(r"^(repository|homepage)\.workspace = true\n", "", crate.read_text(), flags=re.M)
        taken = "license.workspace = true\nrepository.workspace = true\nhomepage.workspace = true\n"
        crate.write_text(text.replace("license.workspace = true\n", taken, 1))


def in_npm(repository, homepage):
    path = ROOT / "bindings/web/package.json"
    text = re.sub(r'^  "(repository|homepage)": .*\n', "", path.read_text(), flags=re.M)
    url = json.dumps({"type": "git", "url": f"git+{repository}.git", "directory": "bindings/web"})
    named = f'  "repository": {url},\n  "homepage": "{homepage}",\n  "license"'
    path.write_text(text.replace('  "license"', named, 1))


def in_python(repository, homepage):
    path = ROOT / "bindings/python/pyproject.toml"
    text = re.sub(r"\[project\.urls\]\n(?:.+\n)*\n", "", path.read_text())
    named = f'[project.urls]\nRepository = "{repository}"\nHomepage = "{homepage}"\n\n[project.optional-dependencies]'
    path.write_text(text.replace("[project.optional-dependencies]", named, 1))


def main():
    if len(sys.argv) not in (2, 3) or not all(word.startswith("https://") for word in sys.argv[1:]):
        sys.exit(__doc__)
    repository, homepage = sys.argv[1].rstrip("/"), sys.argv[-1].rstrip("/")
    for write in (in_workspace, in_npm, in_python):
        write(repository, homepage)


main()
