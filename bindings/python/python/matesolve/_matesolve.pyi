"""The compiled part of the package: texts in, texts out."""

from collections.abc import Callable

from matesolve._arguments import Composing, Content, Limits, Question

__version__: str

class ProblemError(ValueError): ...
class InternalError(RuntimeError): ...

class Stop:
    def __init__(self) -> None: ...
    def stop(self) -> None: ...

class Entry: ...

class Entries:
    @staticmethod
    def of_file(path: str) -> Entries: ...
    @staticmethod
    def of_text(text: bytes) -> Entries: ...
    def __iter__(self) -> Entries: ...
    def __next__(self) -> Entry: ...

class Report:
    def write(self, format: str) -> str: ...

def solve(
    text: str,
    line: int | None,
    question: Question,
    limits: Limits,
    certified: bool,
    stop: Stop | None,
    on_progress: Callable[[str, int], object] | None,
) -> tuple[str, bytes | None]: ...
def report(
    text: str,
    content: Content,
    limits: Limits,
    stop: Stop | None,
    on_progress: Callable[[str, int], object] | None,
) -> Report: ...
def report_entry(entry: Entry, content: Content, limits: Limits, stop: Stop | None) -> Report: ...
def audit_entry(
    entry: Entry, name: str, themes: bool, confirm: int | None, limits: Limits, stop: Stop | None
) -> str: ...
def compose(
    text: str,
    composing: Composing,
    limits: Limits,
    stop: Stop | None,
    on_progress: Callable[[str, int], object] | None,
) -> str | None: ...
def first_moves(
    text: str,
    question: Question,
    limits: Limits,
    lines: int | None,
    stop: Stop | None,
    on_progress: Callable[[str, int], object] | None,
) -> str: ...
def diagram(text: str, stipulation: str | None, title: str | None, coordinates: bool, width: int) -> str: ...
def verify(certificate: bytes) -> tuple[str, str, bool, int, list[str], str]: ...
def run_command_line(arguments: list[str]) -> int: ...
