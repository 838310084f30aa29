"""`report_all` and `audit`: the problems of files and texts in every format that the command line reads."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol, TypedDict, Unpack

from matesolve import _matesolve, _threads
from matesolve._arguments import Many, Parts, content, limits_of_each, named, whole
from matesolve._matesolve import Entries, Entry, Stop
from matesolve.audits import Audit
from matesolve.reports import Report


class Readable(Protocol):
    """An open file."""

    def read(self) -> str | bytes:
        """Returns the text of the file."""


#: A path, the text of a file, or an open file.
Source = str | bytes | os.PathLike[str] | Readable

#: The ends of the names of files. A str of one word with such an end is a path even if there is no such file.
ENDS = (".epd", ".fen", ".txt", ".csv", ".json", ".jsonl", ".olv", ".yaml", ".yml", ".pgn", ".gz", ".zst")


class _ReportAllOptions(Parts, Many, total=False):
    """The keyword arguments of `report_all`."""


@named
def report_all(
    source: Source, stipulation: str | None = None, **options: Unpack[_ReportAllOptions]
) -> Iterator[Report]:
    """Reports on every problem of a file, several at a time, and yields the reports in the order of the file.

    The file is read as the reports are needed, and the interpreter lock is free while problems are searched. An entry
    that is no problem costs no other one: its report has `result.status` "invalid", and `error` says why. `line` is the
    line of the entry. Closing the iterator stops the searches that run.

    Args:
        source: A path, an open file, or the text itself: FEN, EPD or JSON lines, tables, `.olv` collections, games in
            PGN (each is an entry), also compressed by gzip or zstd. A str is a path if there is such a file, or if it is
            one word that ends like a file's name (".epd"); a `pathlib.Path` always is.
        stipulation: As for `report`. Default: that of each problem.
        full, tries, set_play, phases, themes, post_key, short_variations, soundness_only, intended: As for
            `report`.
        castling: As for `report`. Default: "fen".
        jobs: The problems to report on at the same time, on one thread each. Default: one for each core.
        time: The most seconds for each problem. Default: 10, or no limit if there is one of `nodes`.
        nodes: The most positions for each problem.
        hash: Memory for each problem that is being searched, in MiB.

    Raises:
        OSError: The file cannot be opened, or not be read to its end. The reports on what was read come first.
        ValueError: An argument is out of its range.
    """
    threads, within = _threads.workers(options.get("jobs")), limits_of_each(options)
    asked = content(stipulation, options)

    def work(entry: Entry, stop: Stop) -> Report:
        return Report._of_native(_matesolve.report_entry(entry, asked, within, stop))

    return _threads.on_threads(_entries(source), threads, work)


class _AuditOptions(Many, total=False):
    """The keyword arguments of `audit`."""

    #: Compare the keywords that name themes with the themes that are found.
    themes: bool
    #: Search each differing key again with the engine `exhaustive`, for at most this number of nodes.
    confirm: int | None


@named
def audit(source: Source, **options: Unpack[_AuditOptions]) -> Iterator[Audit]:
    """Solves the published problems of a file again, and says whether their printed solutions are right.

    Several problems are solved at a time; the audits come in the order of the file. An entry that cannot be read has
    the verdict "invalid", and `error` says why. Closing the iterator stops the searches that run.

    Args:
        source: As for `report_all`: `.olv` collections, JSON lines or arrays with `solution`, EPD lines with `bm` and
            `dm`.
        themes: Compare the keywords that name themes with the themes that are found, as `themes` of an audit.
        confirm: Search each differing key again with the engine `exhaustive`, for at most this number of nodes.
        jobs, time, nodes, hash: As for `report_all`.

    Raises:
        OSError, ValueError: As for `report_all`.
    """
    threads, within = _threads.workers(options.get("jobs")), limits_of_each(options)
    themes, confirm = options.get("themes", False), whole("confirm", options.get("confirm"))
    name = str(source) if _is_path(source) else "text"

    def work(entry: Entry, stop: Stop) -> Audit:
        return Audit.from_dict(json.loads(_matesolve.audit_entry(entry, name, themes, confirm, within, stop)))

    return _threads.on_threads(_entries(source), threads, work)


def _is_path(source: Source) -> bool:
    if isinstance(source, str):
        is_name = len(source) < 4096 and "\n" not in source and "\0" not in source
        is_named = not any(map(str.isspace, source)) and source.lower().endswith(ENDS)
        return is_name and (is_named or Path(source).is_file())
    return isinstance(source, os.PathLike)


def _entries(source: Source) -> Entries:
    """Opens a source. An error of opening it comes at once, not with the first report."""
    if _is_path(source):
        assert isinstance(source, (str, os.PathLike))
        return Entries.of_file(os.fspath(source))
    if not isinstance(source, (str, bytes)):
        if isinstance(source, os.PathLike) or not hasattr(source, "read"):
            raise TypeError(f"problems come from a path, a text or an open file, not from a {type(source).__name__}")
        source = source.read()
    return Entries.of_text(source.encode() if isinstance(source, str) else source)
