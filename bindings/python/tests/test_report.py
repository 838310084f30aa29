"""`matesolve.report`: the verdict, the tree, and the formats."""

import json
import pickle

import chess
import pytest

import matesolve
from matesolve.reports import Play

PRINZ = "5Kbk/6pp/6P1/8/8/8/8/7R w - -"


def lines(board: chess.Board, play: Play | None, seen: set[int]) -> int:
    """Plays every variation with python-chess. Returns the number of mates."""
    if play is None:
        assert board.is_checkmate()
        return 1
    if play.node in seen:
        return 0
    seen.add(play.node)
    mates = 0
    for variation in play.variations:
        board.push_uci(variation.defence.uci)
        for move in variation.continuations:
            board.push_uci(move.uci)
            mates += lines(board, move.play, seen)
            board.pop()
        board.pop()
    return mates


def test_every_variation_of_a_report_is_legal_and_mates():
    for fen, stipulation in [(PRINZ, "#2"), ("5N1k/5Ppp/8/8/2Q3p1/8/8/b6K w - -", "#3")]:
        report = matesolve.report(fen, stipulation)
        assert (report.soundness, report.result.complete) == ("sound", True)
        board = chess.Board(report.position.fen)
        board.push_uci(report.keys[0].uci)
        assert lines(board, report.keys[0].play, set()) >= 5


def test_a_play_that_occurs_again_is_the_same_object():
    report = matesolve.report("8/8/8/8/8/2k5/8/K6Q b - -", "#-7", nodes=3_000_000)
    text = json.dumps(report.to_dict())
    assert '"ref"' in text

    def plays(play):
        if play is not None:
            yield play
            for move in [*play.threats, *(move for one in play.variations for move in one.continuations)]:
                yield from plays(move.play)

    found = list(plays(report.post_key))
    assert len({play.node for play in found}) == len({id(play) for play in found}) < len(found)


def test_tries_without_play_can_be_left_out():
    for tries, names in [(1, ["Rh5", "Rxh7+"]), ("play", ["Rh5"])]:
        report = matesolve.report(PRINZ, "#2", tries=tries)
        assert [attempt.san for attempt in report.tries or []] == names


def test_men_that_must_be_promoted_are_named():
    position = matesolve.report("5Kbk/6pp/8/8/8/N7/N7/N6R w - -", "#2", soundness_only=True).position
    assert position is not None
    (men,) = position.promoted
    assert (men.side, men.at_least, men.of) == ("white", 1, ["Sa1", "Sa2", "Sa3"])
    assert matesolve.report(PRINZ, "#2").position.promoted == []


def test_the_parts_of_a_report_are_made_when_they_are_asked_for():
    report = matesolve.report(PRINZ, "#2")
    assert report.tries is None and report.set_play is None
    report = matesolve.report(PRINZ, "#2", tries=1, set_play=True)
    assert {attempt.san for attempt in report.tries} >= {"Rh5"}
    assert matesolve.report(PRINZ, "#2", soundness_only=True).keys[0].play is None
    assert matesolve.report(PRINZ, "#1").soundness == "no_solution"
    with pytest.raises(ValueError, match="castling="):
        matesolve.report(PRINZ, castling="perhaps")
    with pytest.raises(matesolve.ProblemError):
        matesolve.report("nonsense")


def test_a_report_is_written_in_every_format():
    report = matesolve.report(PRINZ, "#2")
    assert "1. Rh6" in report.write()
    assert "1.Rh1-h6 !" in report.write("popeye")
    assert report.write("html").startswith("<!doctype html>")
    assert "stipulation:" in report.write("olv")
    assert json.loads(report.write("json")) == report.to_dict()
    with pytest.raises(ValueError, match="there is no format"):
        report.write("pdf")


def test_a_report_survives_pickling_but_is_not_written_then():
    report = matesolve.report(PRINZ, "#2")
    again = pickle.loads(pickle.dumps(report))
    assert again == report and again.to_dict() == report.to_dict()
    with pytest.raises(TypeError, match="make it again"):
        again.write()
    assert matesolve.Report.from_dict(report.to_dict()) == report


def test_a_long_solution_has_room():
    report = matesolve.report("7k/8/8/8/8/8/8/1QK5 w - -", nodes=3_000_000)
    assert report.result.mate_in == 7 and report.keys[0].play is not None
    assert report.to_dict()["keys"][0]["san"] == report.keys[0].san


def test_twins_are_reported_phase_by_phase():
    twins = {"fen": PRINZ, "stipulation": "#2", "twins": {"b": "Move h1 g1"}}
    report = matesolve.report(twins)
    assert [phase.phase.letter for phase in report.phases] == ["a", "b"]
    assert report.phases[0].keys[0].san == "Rh6" and report.phases[1].soundness == report.soundness == "no_solution"
    assert "b)" in report.write("popeye")


def test_phases_and_themes_are_made_when_they_are_asked_for():
    mutate = "8/2K5/8/k1Nb4/B2N4/2P5/8/8 w - -"
    plain = matesolve.report(mutate, "#2")
    assert plain.phases_table is None and plain.themes is None
    report = matesolve.report(mutate, "#2", full=True)
    assert [row["kind"] for row in report.phases_table["rows"]] == ["set_play", "try", "try", "solution"]
    assert {"Mutate", "Changed mates"} <= {theme["name"] for theme in report.themes}
    assert matesolve.Report.from_dict(report.to_dict()) == report
