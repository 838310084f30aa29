"""What a person sees: printed objects, notebooks, pictures; equal objects; progress."""

import dataclasses
import math
import re
import subprocess
import sys

import pytest

import matesolve
from matesolve import _pictures

PRINZ = "5Kbk/6pp/6P1/8/8/8/8/7R w - -"
UNSOUND = "5Kbk/6pp/8/8/8/8/8/7R w - -"
OPEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
HELPMATE = "4k2r/5N2/4B3/8/6K1/8/8/B7 b k -"


def printed(*arguments: str) -> str:
    """Returns what the program prints, without times."""
    command = [sys.executable, "-m", "matesolve", *arguments]
    return timeless(subprocess.run(command, capture_output=True, text=True, check=False).stdout)


def timeless(text: object) -> str:
    return re.sub(r"\d+(\.\d+)? m?s\b", "TIME", str(text)).rstrip("\n")


def test_a_printed_result_is_what_the_program_prints():
    nodes = ["--nodes", "100000", "--threads", "1"]
    assert timeless(matesolve.solve(PRINZ, nodes=100_000)) == printed(PRINZ, *nodes)
    assert timeless(matesolve.solve(HELPMATE, stipulation="h#2")) == printed(HELPMATE, "-s", "h#2", "--threads", "1")
    assert timeless(next(matesolve.batch([PRINZ], nodes=100_000))).splitlines()[0] == printed(PRINZ, *nodes).splitlines()[0]
    for lines, options in [(3, ["--lines", "3"]), (None, ["--moves"])]:
        moves = matesolve.first_moves(PRINZ, lines, stipulation="#2", threads=1)
        assert timeless(moves) == printed(PRINZ, "-s", "#2", *options, "--threads", "1")
    assert "none in 2: Ke7" in str(moves)


def test_a_printed_report_and_answers_of_the_workbench_are_what_the_program_prints():
    assert timeless(matesolve.report(PRINZ, "#2")) == printed("report", PRINZ, "-s", "#2", "--threads", "1")
    assert str(matesolve.economy(PRINZ, "#2")) == printed("economy", PRINZ, "-s", "#2", "--threads", "1")
    mended = matesolve.mend(UNSOUND, "#2", key="Rh6")
    assert str(mended) == printed("mend", UNSOUND, "-s", "#2", "--key", "Rh6", "--threads", "1")
    # An object that somebody has changed is not what was printed.
    assert str(dataclasses.replace(mended, tried=0)).startswith("Workbench(")


def test_notebooks_show_the_board_with_an_arrow_and_the_text():
    result = matesolve.solve(PRINZ)
    assert arrow(result._repr_svg_()) == "h1h6"
    assert "<svg" in result._repr_html_() and "1. Rh6" in result._repr_html_()
    assert arrow(matesolve.first_moves(PRINZ, stipulation="#2")._repr_svg_()) == "h1h6"
    assert arrow(matesolve.solve(HELPMATE, stipulation="h#2")._repr_svg_()) in ("e8g8", "e8h8")
    wrong = next(matesolve.batch(["<b>"]))
    assert wrong._repr_svg_() is None and "<b>" not in wrong._repr_html_()
    report = matesolve.report(PRINZ, "#2")
    page = report._repr_html_()
    assert page.startswith('<iframe srcdoc="&lt;!doctype html&gt;') and page.count('"') == 6
    assert arrow(report._repr_svg_()) == "h1h6"
    mended = matesolve.mend(UNSOUND, "#2", key="Rh6")
    assert "Add white Pg6" in mended._repr_html_() and arrow(mended.proposals[0]._repr_svg_()) == "h1h6"


def arrow(svg: str) -> str:
    """Returns the squares of the arrow in a picture."""
    x, y, turn = map(float, re.search(r'translate\(([\d.]+) ([\d.]+)\) rotate\((-?[\d.]+)\)', svg).groups())
    end = complex(x, y) + float(re.search(r"L([\d.]+) 0", svg)[1]) * complex(*unit(turn))
    return "".join("abcdefgh"[int((at.real - 16) / 100)] + str(8 - int((at.imag - 16) / 100)) for at in (complex(x, y), end))


def unit(degrees: float) -> tuple[float, float]:
    return math.cos(math.radians(degrees)), math.sin(math.radians(degrees))


@pytest.mark.parametrize("move", ["h1h6", "a8h1", "b1c3", "g7g8q", "e1c1"])
def test_an_arrow_goes_from_square_to_square(move):
    assert arrow(_pictures.board(PRINZ, None, move)) == move[:4]


def test_a_diagram_shows_itself():
    diagram = matesolve.diagram(PRINZ)
    assert isinstance(diagram, str) and diagram._repr_svg_() == diagram and diagram.startswith("<svg")


def test_equal_questions_have_equal_results_whatever_time_they_took():
    for ask in [
        lambda: matesolve.solve(PRINZ, nodes=100_000),
        lambda: matesolve.report(PRINZ, "#2", tries=1),
        lambda: matesolve.economy(PRINZ, "#2"),
        lambda: next(matesolve.audit(f"{PRINZ} dm 2; bm Rh5;")),
    ]:
        one, other = ask(), ask()
        assert one == other and len({one, other}) == 1
    one = matesolve.solve(PRINZ)
    later = dataclasses.replace(one, stats=dataclasses.replace(one.stats, time_ms=one.stats.time_ms + 1000))
    assert later == one and hash(later) == hash(one)
    assert dataclasses.replace(one, fen="8/8/8/8/8/8/8/8 w - -") != one
    assert len({part for part in [one, one.result, one.stats, *matesolve.report(PRINZ, "#2").keys]}) == 4


def test_progress_comes_also_while_nothing_new_is_proved():
    for ask in [matesolve.solve, lambda fen, **options: matesolve.report(fen, "#7", **options)]:
        stop, seen = matesolve.Stop(), []

        def hear(text, nodes):
            seen.append((text, nodes))
            if len(seen) > 2 and seen[-1][0] == seen[-2][0] == seen[-3][0]:
                stop.stop()

        ask(OPEN, on_progress=hear, stop=stop)
        assert seen[-1][1] > seen[-3][1]
