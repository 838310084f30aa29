"""`matesolve.solve`: answers, arguments, errors, progress, Ctrl-C."""

import json
import os
import signal
import threading
import time

import chess
import pytest

import matesolve

PRINZ = "5Kbk/6pp/6P1/8/8/8/8/7R w - -"
OPEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
#: Positions and their shortest mates.
MATES = [
    (PRINZ, 2),
    ("5N1k/5Ppp/8/8/2Q3p1/8/8/b6K w - -", 3),
    ("7k/8/5K2/8/8/8/8/6R1 w - - 0 1", 2),
    ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq -", 1),
]


def replay(result: matesolve.Result) -> None:
    """Plays the main line with python-chess: it must be legal, of the stated length, and end in checkmate."""
    board = chess.Board(result.fen)
    for move in result.pv:
        board.push_uci(move)
    assert board.is_checkmate()
    assert len(result.pv) == 2 * result.mate_in - 1


@pytest.mark.parametrize(("fen", "moves"), MATES)
def test_the_shortest_mate_is_found_and_its_line_is_legal(fen, moves):
    result = matesolve.solve(fen, nodes=1_000_000)
    assert (result.status, result.mate_in, result.proved_shortest) == ("mate", moves, True)
    assert result.result.verified
    replay(result)


def test_the_first_mate_within_a_number_of_moves():
    result = matesolve.solve(PRINZ, mate=5, first=True, nodes=1_000_000)
    assert result.status == "mate" and result.mate_in <= 5
    replay(result)
    result = matesolve.solve(PRINZ, mate=5)
    assert (result.mate_in, result.proved_shortest, result.warnings) == (2, True, [])


def test_a_stipulation_bounds_the_length():
    assert matesolve.solve(PRINZ, stipulation="#1").result.status == "no_mate"
    assert matesolve.solve(PRINZ, mate=1).result.refuted_through == 1
    result = matesolve.solve("7k/5Q2/6K1/8/8/8/8/8 b - -", stipulation="#-1", nodes=1000)
    assert result.stipulation.attacker == "white"


def test_the_side_that_mates_may_be_stated():
    fen = "k4r2/Pp1p1p2/1P1P1Pp1/6P1/6p1/5pP1/5P1K/6BN b - -"
    black = matesolve.solve(fen, stipulation="h#", attacker="black")
    assert (black.solved_in, black.stipulation.attacker) == (0.5, "black")
    assert matesolve.solve(fen, stipulation="h#").status == "no_solution"
    report = matesolve.report(fen, stipulation="h#0.5", attacker="black")
    assert report.to_dict()["stipulation"]["attacker"] == "black"
    with pytest.raises(ValueError, match=r"attacker=.*is not allowed; give .white. or .black."):
        matesolve.solve(fen, attacker="Black")


def test_boards_of_python_chess_and_mappings_are_problems():
    board = chess.Board(PRINZ + " 0 1")
    assert matesolve.solve(board).mate_in == 2
    result = matesolve.solve({"fen": PRINZ, "id": 7, "stipulation": "#2", "colour": "blue"})
    assert (result.id, result.stipulation.text, result.to_dict()["colour"]) == (7, "#2", "blue")
    castling = chess.Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    assert matesolve.solve(castling, nodes=1000).fen.split()[2] == "KQ"
    frozen = chess.Board("1k6/8/8/8/8/8/8/R2K3R w HA - 0 1", chess960=True)
    assert matesolve.solve(frozen, nodes=1000).fen is not None


def test_the_other_side_is_asked_unless_it_is_not_to_be():
    mated = "7k/8/5K2/6Q1/8/8/8/8 b - -"
    assert matesolve.solve(mated, nodes=10_000).other_side.mate_in == 1
    assert matesolve.solve(mated, nodes=10_000, other_side=False).other_side is None


def test_limits_end_a_search():
    result = matesolve.solve(OPEN, nodes=10_000)
    assert (result.status, result.stats.stopped_by, result.mate_in) == ("undecided", "nodes", None)
    assert result.stats.nodes <= 10_000
    assert matesolve.solve(OPEN, time=0.1).stats.stopped_by == "time"


def test_the_same_node_limit_gives_the_same_answer():
    first, second = (matesolve.solve(OPEN, nodes=50_000).to_dict() for _ in range(2))
    for one in (first, second):
        del one["stats"]["time_ms"]
        one["stats"].pop("found_at", None)
    assert first == second


def test_errors_are_sentences():
    with pytest.raises(matesolve.ProblemError, match="White has no king"):
        matesolve.solve("7k/8/8/8/8/8/8/8 w - -")
    with pytest.raises(ValueError, match="which matesolve does not solve"):
        matesolve.solve(PRINZ, stipulation="pser-#4")
    with pytest.raises(TypeError, match="not int"):
        matesolve.solve(7)
    for arguments, why in [
        ({"mate": 0}, "mate=0 is not allowed; give a number of moves from 1 to 1000"),
        ({"threads": 0}, "threads=0 is not allowed"),
        ({"hash": 0}, "hash=0 is not allowed"),
        ({"time": -1.0}, "time=-1 is not allowed"),
        ({"engine": "houdini"}, "there is no engine \"houdini\""),
        ({"mate": 2, "any_length": True}, "give only one of"),
    ]:
        with pytest.raises(ValueError, match=why):
            matesolve.solve(PRINZ, **arguments)


def test_progress_is_told_and_its_exceptions_end_the_search():
    news = []
    matesolve.solve(MATES[1][0], on_progress=lambda text, nodes: news.append((text, nodes)))
    assert ("no mate in 2" in [text for text, _ in news]) and news[-1][1] > 0

    def fail(text, nodes):
        raise LookupError(text)

    with pytest.raises(LookupError, match="no mate in 1"):
        matesolve.solve(OPEN, on_progress=fail)


def test_ctrl_c_ends_a_search():
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        matesolve.solve(OPEN)


def test_the_interpreter_is_free_during_a_search():
    steps = 0
    search = threading.Thread(target=matesolve.solve, args=(OPEN,), kwargs={"nodes": 300_000})
    search.start()
    while search.is_alive():
        steps += 1
        time.sleep(0.001)
    assert steps > 10


def test_a_result_goes_to_json_and_back():
    result = matesolve.solve(PRINZ)
    value = json.loads(json.dumps(result.to_dict()))
    again = matesolve.Result.from_dict(value)
    assert again == result
    value["result"]["mate_in"] = 9
    assert again.to_dict()["result"]["mate_in"] == 9, "from_dict keeps the object it was given"
    assert result.to_dict()["result"]["mate_in"] == 2


def test_a_report_on_help_play_has_its_lines_as_objects() -> None:
    report = matesolve.report("4k2r/5N2/4B3/8/6K1/8/8/B7 b k -", "h#2", set_play=True)
    assert (report.soundness, report.complete, report.result.solved_in) == ("sound", True, 2)
    assert report.solutions is not None and isinstance(report.set_play, list)
    (line,) = report.solutions
    assert (line.san, line.pure, line.model, line.ideal) == ("1.O-O Kh5 2.Kh7 Ng5#", True, True, False)
    assert [line.san for line in report.set_play] == ["1...Bf6 2.Rf8 Nd6#", "1...Bf5 2.O-O Nh6#"]
    assert "  1.0-0 Kg4-h5   2.Kg8-h7 Sf7-g5 #" in report.write("popeye")
    cooked = matesolve.report("k7/8/2K5/8/8/8/7R/8 b - -", "h#2", soundness_only=True)
    assert cooked.soundness == "cooked"
    assert matesolve.report("k7/8/2K5/8/8/8/7R/8 b - -", "ser-h#2", intended=2).soundness == "sound"


def test_other_goals_have_their_own_words() -> None:
    selfmate = "8/B7/RQ6/7k/8/8/6PP/3n2RK w - -"
    news: list[str] = []
    result = matesolve.solve(selfmate, stipulation="s#2", certificate=True, on_progress=lambda text, _: news.append(text))
    assert (result.status, result.solved_in, result.mate_in) == ("solved", 2, None)
    assert result.stipulation is not None and (result.stipulation.play, result.stipulation.goal) == ("self", "mate")
    assert "no selfmate in 1" in news
    assert result.certificate is not None
    checked = matesolve.verify(result.certificate)
    assert (checked.stipulation, checked.solved_in, checked.mate_in) == ("s#2", 2, None)
    assert matesolve.solve(selfmate, stipulation="s#", mate=3).solved_in == 2
    assert matesolve.solve(selfmate, stipulation="s#1").status == "no_solution"
    with pytest.raises(ValueError, match="is not a stipulation"):
        matesolve.solve(selfmate, stipulation="za5")


def test_help_play_lists_all_solutions() -> None:
    result = matesolve.solve("8/8/8/8/8/1K6/7R/k7 b - -", stipulation="h#1")
    assert (result.status, result.result.soundness, result.complete) == ("solved", "sound", True)
    assert result.solutions is not None
    assert [line.san for line in result.solutions] == ["1.Kb1 Rh1#"]


def test_solve_has_the_set_play_and_the_intended_number_of_help_play():
    plain = matesolve.solve("4k2r/5N2/4B3/8/6K1/8/8/B7 b k -", stipulation="h#2")
    both = matesolve.solve("4k2r/5N2/4B3/8/6K1/8/8/B7 b k -", stipulation="h#2", set_play=True)
    assert plain.set_play is None and both.set_play is not None
    position = "k7/8/2K5/8/8/8/7R/8 b - -"
    assert matesolve.solve(position, stipulation="ser-h#2").result.soundness == "cooked"
    assert matesolve.solve(position, stipulation="ser-h#2", intended=2).result.soundness == "sound"
    with pytest.raises(ValueError, match="intended"):
        matesolve.solve(position, stipulation="ser-h#2", intended=0)
