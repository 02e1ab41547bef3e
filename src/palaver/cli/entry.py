"""From a command line to an exit status: 0 fine, 1 something is wrong, 2 bad usage, 3 refused."""

from __future__ import annotations

import io
import os
import sys
import traceback
from collections.abc import Sequence
from typing import NoReturn

import typer

from palaver.cli.common import SHARED_OPTIONS
from palaver.cli.output import say_error, say_json
from palaver.errors import InputError, PalaverError, StorageFailed

INTERRUPTED = 130
PIPE_CLOSED = 141


def main() -> NoReturn:
    """Runs the command line of this process, and ends it."""
    _replace_closed()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    status = run(sys.argv[1:])
    try:
        sys.stdout.flush()
    except OSError:  # it was said already; Python would say it again, in its own words
        _discard_output()
    sys.exit(status)


def run(arguments: Sequence[str]) -> int:
    """Runs one command and returns its exit status; the only place that catches everything."""
    try:
        status = _invoke(arguments or ["--help"])
        sys.stdout.flush()
    except typer.TyperException as error:
        status = _report(_bad_usage(error), arguments)
    except PalaverError as error:
        status = _report(error, arguments)
    except (KeyboardInterrupt, typer.Abort):
        status = INTERRUPTED
    except BrokenPipeError:
        status = _pipe_closed()
    except OSError as error:
        status = _report(_refused_by_system(error), arguments)
    except Exception as error:  # noqa: BLE001 - nobody above could say it better
        traceback.print_exception(error)
        status = _report(PalaverError(f"Palaver has a bug: {error!r}."), arguments)
    return status


def _invoke(arguments: Sequence[str]) -> int:
    from palaver.cli.commands import app

    command = typer.main.get_command(app)
    try:
        with command.make_context("palaver", list(arguments)) as context:
            command.invoke(context)
    except typer.Exit as end:
        return end.exit_code
    return 0


def _report(error: PalaverError, arguments: Sequence[str]) -> int:
    """Says what went wrong: on standard output as JSON if that was asked for."""
    if "--json" in arguments:
        # What was typed may not be valid text, and JSON has to be.
        message = error.message.encode(errors="backslashreplace").decode()
        told = {"code": error.code, "message": message, "remedy": error.remedy}
        say_json({"error": told})
    else:
        say_error(error)
    return error.exit_status


def _bad_usage(error: typer.TyperException) -> InputError:
    context: typer.Context | None = getattr(error, "ctx", None)
    path = context.command_path if context else "palaver"
    remedy = f"`{path} --help` says how it is used."
    if path == "palaver" and getattr(error, "option_name", None) in SHARED_OPTIONS:
        remedy = "Write it after the command."
    return InputError(_plain(error.format_message()), remedy=remedy)


def _plain(message: str) -> str:
    """A sentence of the option parser without the words of the library it asks."""
    short = message.replace("Value error, ", "").partition(", unable to parse")[0].rstrip(".")
    short = short.replace("Input should be", "it must be")
    return short if short.endswith("?") else f"{short}."


def _refused_by_system(error: OSError) -> StorageFailed:
    what = error.filename or "A file"
    return StorageFailed(
        f"{what} cannot be used: {(error.strerror or str(error)).lower()}.",
        remedy="Check that the disk has space and that the file is yours; see `palaver doctor`.",
    )


def _pipe_closed() -> int:
    """Whoever read the output has gone: that is no error."""
    _discard_output()
    return PIPE_CLOSED


def _discard_output() -> None:
    """What is still buffered goes nowhere, quietly."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _replace_closed() -> None:
    """What goes to an output that was closed before the start (`>&-`) goes nowhere.

    Otherwise a file of ours would be opened under the number of the output, and written over.
    """
    for number, name in ((1, "stdout"), (2, "stderr")):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)
            setattr(sys, name, os.fdopen(number, "w", encoding="utf-8"))
