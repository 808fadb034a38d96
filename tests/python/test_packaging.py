"""The recipes of packages: one version everywhere, the right names, what a release refuses."""

import ast
import os
import re
import shutil
import subprocess
import sys

import pytest
from conftest import root

try:
    import tomllib
except ImportError:
    import tomli as tomllib


def said(path, expression):
    return re.search(expression, (root / path).read_text(), re.MULTILINE)[1]


def test_all_files_name_one_version():
    version = said("CMakeLists.txt", r"^project\(watersmeet VERSION ([0-9.]+)")
    places = {"pyproject.toml": r'^version = "(.*)"$', "python/watersmeet/__init__.py": r'^__version__ = "(.*)"$', "CITATION.cff": r"^version: (.*)$",
              "packaging/conda/recipe.yaml": r"^  version: (.*)$", "packaging/spack/packages/watersmeet/package.py": r'^    version\("(.*)"\)$',
              "CHANGELOG.md": r"^## (\S+)"}  # fmt: skip
    assert {path: said(path, expression) for path, expression in places.items()} == dict.fromkeys(places, version)


def test_the_wheel_is_made_with_what_the_package_is_built_with():
    """packaging/wheel.txt, packaging/nanobind.txt and pyproject.toml ask for the same versions."""
    wanted = set(tomllib.loads((root / "pyproject.toml").read_text())["build-system"]["requires"])
    given = {line for line in (root / "packaging/wheel.txt").read_text().splitlines() if not line.startswith("#")}
    assert wanted <= given
    assert {line for line in (root / "packaging/nanobind.txt").read_text().splitlines() if not line.startswith("#")} <= given


def test_recipes_set_options_that_the_build_has():
    options = set(re.findall(r"^(?:option|set)\((WATERSMEET_\w+)", (root / "cmake/options.cmake").read_text(), re.MULTILINE))
    found = {f"WATERSMEET_{name}" for name in ("KISSFFT_INCLUDE",)}
    used = set()
    for path in ("packaging/spack/packages/watersmeet/package.py", "packaging/conda/recipe.yaml", "packaging/Containerfile", "tools/deb.sh"):
        used |= set(re.findall(r"(?:-D|\")(WATERSMEET_[A-Z0-9_]+)", (root / path).read_text()))
    assert used and used <= options | found


def test_the_recipe_of_spack_is_python():
    tree = ast.parse((root / "packaging/spack/packages/watersmeet/package.py").read_text())
    (package,) = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    assert package.name == "Watersmeet" and ast.get_docstring(package)


def test_the_command_of_a_wheel_is_the_program_beside_it(tmp_path):
    """With its own words, and with the interpreter of the environment for pictures."""
    shutil.copytree(root / "python/watersmeet", tmp_path / "watersmeet", ignore=shutil.ignore_patterns("__pycache__"))
    line = [sys.executable, "-c", "import sys; from watersmeet.program import main; sys.argv = ['watersmeet', 'run', 'a b']; main()"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    environment.pop("WATERSMEET_PYTHON", None)
    missing = subprocess.run(line, env=environment, capture_output=True, text=True)
    assert missing.returncode == 1 and "is built, and its program run, by ./wm" in missing.stderr
    program = tmp_path / "watersmeet/bin/watersmeet"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\necho "$WATERSMEET_PYTHON [$1] [$2]"\n')
    program.chmod(0o755)
    assert subprocess.run(line, env=environment, capture_output=True, text=True, check=True).stdout == f"{sys.executable} [run] [a b]\n"


@pytest.fixture
def clone(tmp_path):
    """The tracked files as they are here, in a repository of one commit."""
    if not (root / ".git").exists():
        pytest.skip("no clone")
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z", "--cached"], capture_output=True, text=True)
    if listed.returncode != 0:
        pytest.skip("git refuses this clone")
    for name in filter(None, listed.stdout.split("\0")):
        if (root / name).is_file():
            (tmp_path / "clone" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, tmp_path / "clone" / name)
    folder = tmp_path / "clone"
    for words in (["init", "-q"], ["add", "--force", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "a"]):
        subprocess.run(["git", "-C", folder, *words], check=True)
    return folder


def test_a_release_has_checksums_of_all_its_files(clone):
    def release(*words):
        return subprocess.run([clone / "tools/release.sh", *words], cwd=clone, capture_output=True, text=True)

    def edit(name, old, new):
        text = (clone / name).read_text()
        assert old in text
        (clone / name).write_text(text.replace(old, new, 1))

    made = release()
    assert made.returncode == 0, made.stderr
    version = said("CMakeLists.txt", r"^project\(watersmeet VERSION ([0-9.]+)")
    (folder,) = clone.glob("build/release-*")
    files = {path.name for path in folder.iterdir()}
    assert files == {f"watersmeet-{version}.tar.gz", "notes.md", "SHA256SUMS"}
    subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=folder, check=True)
    assert set((folder / "SHA256SUMS").read_text().split()[1::2]) == files - {"SHA256SUMS"}
    notes = (folder / "notes.md").read_text()
    assert "The first version" in notes or version != "0.1.0"
    assert "## Records" in notes and "isothermal" in notes.split("## Records")[1]

    assert "is not empty" in release().stderr
    edit("README.md", "# Watersmeet", "# Watersmeet ")
    refused = release("build/other")
    assert refused.returncode == 1 and "the work tree has changes" in refused.stderr
    edit("CHANGELOG.md", f"## {version}", "## 0.0.0")
    assert f"add a section ## {version}" in release("build/other").stderr
    edit("CITATION.cff", f"version: {version}", "version: 9")
    assert "CITATION.cff has another version" in release("build/other").stderr
