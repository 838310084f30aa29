"""Tests the UCI engine from the side of a chess program: python-chess drives the real binary.

    MATESOLVE=target/debug/matesolve python3 tests/uci/check_uci.py

Every exact mate score of every info line is checked: its line must be there, have 2n - 1 plies (2n if the side to move
is mated), be legal, end in checkmate, and never let the losing side claim a draw.
"""

import os
import pathlib
import random
import re
import time
import unittest

import chess
import chess.engine

ROOT = pathlib.Path(__file__).resolve().parents[2]
ENGINE = [os.environ.get("MATESOLVE", str(ROOT / "target" / "debug" / "matesolve")), "uci"]


def problems():
    """Returns (board, length, name) for every mate in problems/.

    The length is positive if the side to move mates, negative or 0 if it is mated.
    """
    found = []
    for path in sorted((ROOT / "problems").glob("*.epd")):
        for line in path.read_text().splitlines():
            if not line or line.startswith("#") or "c1 " in line:
                continue
            fen, rest = " ".join(line.split()[:4]), " ".join(line.split()[4:])
            name = re.search(r'id "([^"]*)"', rest).group(1)
            mated, mates = re.search(r"bm #-(\d+);", rest), re.search(r"dm (\d+);", rest)
            if mated or mates:
                length = -int(mated.group(1)) if mated else int(mates.group(1))
                found.append((chess.Board(fen + " 0 1", chess960="960" in name), length, name))
    return found


def fault(board, mate, pv):
    """Returns what is wrong with a mate score and its line; None if both are right."""
    plies = 2 * mate - 1 if mate > 0 else -2 * mate
    if len(pv) != plies:
        return f"the line of mate {mate} has {len(pv)} plies"
    board = board.copy()
    loser = board.turn if mate <= 0 else not board.turn
    for move in pv:
        if board.turn == loser and board.can_claim_draw():
            return f"the loser can claim a draw before {move}"
        if not board.is_legal(move):
            return f"{move} is illegal"
        board.push(move)
    return None if board.is_checkmate() else "the line does not end in checkmate"


class UciTest(unittest.TestCase):
    def setUp(self):
        self.engine = chess.engine.SimpleEngine.popen_uci(ENGINE, timeout=60)
        self.engine.configure({"Hash": 32})
        self.exact = 0

    def tearDown(self):
        self.engine.quit()

    def watch(self, board, limit, **options):
        """Analyses a board and checks every line; returns the last line of each multipv number and the best move."""
        last = {}
        with self.engine.analysis(board, limit, game=object(), **options) as analysis:
            for info in analysis:
                self.check(board, info)
                if "score" in info:
                    last[info.get("multipv", 1)] = info
            best = analysis.wait()
        return last, best

    def check(self, board, info):
        """Checks the mate score of one info line, if it has an exact one."""
        score = info.get("score")
        mate = score.pov(board.turn).mate() if score else None
        if mate is None or info.get("lowerbound") or info.get("upperbound"):
            return
        self.exact += 1
        self.assertIsNone(fault(board, mate, info.get("pv", [])), f"{board.fen()} {info}")

    def mate(self, board, info):
        """Returns the mate score for the side to move; None if there is no mate score."""
        return info["score"].pov(board.turn).mate()


class Analysis(UciTest):
    def test_nodes(self):
        """No mate is shorter than the known length, and most of the short mates are found."""
        found = best = wanted = 0
        for board, length, name in problems():
            if abs(length) > 4:
                continue
            last, move = self.watch(board, chess.engine.Limit(nodes=20_000))
            wanted += 1
            mate = self.mate(board, last[1])
            if length == 0:
                self.assertEqual((mate, move.move), (0, None), name)
            elif mate is not None:
                self.assertEqual(mate > 0, length > 0, name)
                self.assertGreaterEqual(abs(mate), abs(length), name)
                self.assertEqual(move.move, last[1]["pv"][0], name)
            else:
                self.assertTrue(board.is_legal(move.move), name)
            found += mate is not None
            best += mate == length
        print(f"20,000 nodes: {found} of {wanted} found, {best} best; {self.exact} mate scores checked")
        self.assertGreater(found, wanted * 3 // 4)

    def test_two_hundred_positions_at_a_thousand_nodes(self):
        positions = [board for board, _, _ in problems()]
        source = random.Random(1861)
        while len(positions) < 260:
            board = chess.Board()
            for _ in range(source.randrange(4, 120)):
                if board.is_game_over():
                    break
                board.push(source.choice(list(board.legal_moves)))
            positions.append(board)
        source.shuffle(positions)
        for board in positions[:200]:
            _, best = self.watch(board, chess.engine.Limit(nodes=1_000))
            self.assertEqual(best.move is None, not any(board.legal_moves), board.fen())
            self.assertTrue(best.move is None or board.is_legal(best.move), board.fen())
        print(f"200 positions at 1,000 nodes: {self.exact} mate scores checked")
        self.assertGreater(self.exact, 50)

    def test_mate_limits(self):
        """With go mate, every mate in one and two is found at its known length."""
        count = 0
        for board, length, name in problems():
            if abs(length) in (1, 2):
                last, _ = self.watch(board, chess.engine.Limit(mate=abs(length)))
                self.assertEqual(self.mate(board, last[1]), length, name)
                count += 1
        print(f"go mate: {count} mates in one and two, all found at their length")
        self.assertGreater(count, 40)

    def test_time_and_depth(self):
        board = chess.Board("5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1")
        for limit in (chess.engine.Limit(time=5), chess.engine.Limit(depth=3)):
            last, best = self.watch(board, limit)
            self.assertEqual((self.mate(board, last[1]), best.move.uci()), (2, "h1h6"))
        last, best = self.watch(board, chess.engine.Limit(depth=2))
        self.assertIsNone(self.mate(board, last[1]))
        self.watch(chess.Board(), chess.engine.Limit(time=0.2))

    def test_search_moves(self):
        board = chess.Board("5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1")
        others = [move for move in board.legal_moves if move.uci() != "h1h6"]
        last, best = self.watch(board, chess.engine.Limit(nodes=200_000), root_moves=others)
        self.assertIn(best.move, others)
        self.assertNotEqual(self.mate(board, last[1]), 2)
        last, best = self.watch(board, chess.engine.Limit(nodes=200_000), root_moves=[chess.Move.from_uci("h1h6")])
        self.assertEqual(self.mate(board, last[1]), 2)
        # The only first move allows a mate in one.
        board = chess.Board("rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2")
        last, best = self.watch(board, chess.engine.Limit(nodes=20_000), root_moves=[chess.Move.from_uci("g2g4")])
        self.assertEqual((self.mate(board, last[1]), best.move.uci()), (-1, "g2g4"))

    def test_several_lines(self):
        """The lines are the four fastest mates; the mates in one agree with a count by python-chess."""
        board = chess.Board("k7/8/1K6/8/8/8/8/1R5R w - - 0 1")
        last, _ = self.watch(board, chess.engine.Limit(nodes=300_000), multipv=4)
        mates = [self.mate(board, last[number]) for number in sorted(last)]
        self.assertEqual((len(last), mates[0]), (4, 1))
        self.assertEqual(mates, sorted(mates))
        firsts = {last[number]["pv"][0] for number in last}
        self.assertEqual(len(firsts), 4)
        ones = [m for m in board.legal_moves if self.mates(board, m)]
        self.assertEqual(mates.count(1), min(4, len(ones)))

    @staticmethod
    def mates(board, move):
        """Returns whether a move is checkmate."""
        board.push(move)
        mate = board.is_checkmate()
        board.pop()
        return mate

    def test_several_lines_for_the_mated_side(self):
        for board, length, name in problems():
            if -3 <= length <= -1:
                last, _ = self.watch(board, chess.engine.Limit(nodes=200_000), multipv=4)
                self.assertEqual(len(last), min(4, board.legal_moves.count()), name)
                mates = [self.mate(board, last[number]) for number in sorted(last)]
                if None not in mates:
                    self.assertEqual(mates[0], length, name)
                    self.assertEqual(mates, sorted(mates), name)

    def test_stop(self):
        board = chess.Board("8/7K/8/8/8/8/R7/7k w - - 0 1")
        waits = []
        for position in (chess.Board(), board):
            with self.engine.analysis(position, game=object()) as analysis:
                deadline = time.monotonic() + 0.5
                while time.monotonic() < deadline:
                    analysis.next() if not analysis.empty() else time.sleep(0.01)
                asked = time.monotonic()
                analysis.stop()
                best = analysis.wait()
                waits.append(time.monotonic() - asked)
                self.assertTrue(position.is_legal(best.move))
        print("stop was answered within", ", ".join(f"{1000 * wait:.1f} ms" for wait in waits))

    def test_two_threads(self):
        self.engine.configure({"Threads": 2})
        for board, length, name in problems():
            if abs(length) in (2, 3):
                last, _ = self.watch(board, chess.engine.Limit(nodes=50_000))
                mate = self.mate(board, last[1])
                if mate is not None:
                    self.assertEqual(mate > 0, length > 0, name)
                    self.assertGreaterEqual(abs(mate), abs(length), name)
        self.watch(chess.Board("k7/8/1K6/8/8/8/8/1R5R w - - 0 1"), chess.engine.Limit(nodes=50_000), multipv=3)

    def test_the_same_nodes_give_the_same_lines(self):
        def lines():
            seen = []
            for board, _, _ in problems()[:40]:
                last, best = self.watch(board, chess.engine.Limit(nodes=3_000))
                seen.append([(info["score"], info["nodes"], info.get("pv")) for info in last.values()] + [best.move])
            return seen

        self.assertEqual(lines(), lines())


class Games(UciTest):
    def test_a_won_ending_on_the_clock(self):
        """An announced mate is played, and takes no longer than announced."""
        board = chess.Board("8/8/8/8/8/2k5/7Q/2K5 w - - 0 1")
        clock = chess.engine.Limit(white_clock=6.0, black_clock=6.0, white_inc=0.1, black_inc=0.1)
        announced = None
        plies = 0
        while not board.is_game_over(claim_draw=True) and plies < 40:
            result = self.engine.play(board, clock, game="one", info=chess.engine.INFO_ALL)
            self.check(board, result.info)
            mate = self.mate(board, result.info)
            if announced is not None:
                self.assertIsNotNone(mate, board.fen())
                self.assertLessEqual(abs(mate), announced, board.fen())
            if mate is not None:
                announced = abs(mate) - (1 if mate > 0 else 0)
            board.push(result.move)
            plies += 1
        print(f"clock play: {plies} plies, {board.result(claim_draw=True)}")
        if announced is not None and plies < 40:
            self.assertTrue(board.is_checkmate(), board.fen())

    def test_several_games_in_a_row(self):
        """Short games on the clock from the initial position: every move is legal, and the engine never hangs."""
        for game in range(3):
            board = chess.Board()
            for _ in range(16):
                if board.is_game_over():
                    break
                limit = chess.engine.Limit(white_clock=1.0, black_clock=1.0, white_inc=0.01, black_inc=0.01)
                result = self.engine.play(board, limit, game=game, info=chess.engine.INFO_ALL)
                self.check(board, result.info)
                self.assertTrue(board.is_legal(result.move))
                board.push(result.move)

    def test_pondering(self):
        board = chess.Board("8/8/8/8/8/2k5/7Q/2K5 w - - 0 1")
        limit = chess.engine.Limit(white_clock=3.0, black_clock=3.0)
        for _ in range(6):
            if board.is_game_over():
                break
            result = self.engine.play(board, limit, game="ponder", ponder=True)
            self.assertTrue(board.is_legal(result.move))
            board.push(result.move)
            if result.ponder:
                self.assertTrue(board.is_legal(result.ponder))

    def test_chess960(self):
        fen = "1r2k1r1/8/8/8/8/8/8/1R2K1RQ w GBgb - 0 1"
        board = chess.Board(fen, chess960=True)
        last, best = self.watch(board, chess.engine.Limit(nodes=5_000), multipv=40)
        self.assertTrue(board.is_legal(best.move))
        self.assertEqual(len(last), min(40, board.legal_moves.count()))
        castling = [info["pv"][0] for info in last.values() if board.is_castling(info["pv"][0])]
        self.assertTrue(castling)


class Draws(UciTest):
    ENDING = "k7/8/2K5/8/8/8/8/1R6 w - -"  # mate in two without a capture or a pawn move

    def analyse(self, board, **options):
        self.engine.configure(options)
        last, best = self.watch(board, chess.engine.Limit(nodes=100_000))
        return self.mate(board, last[1]), best.move

    def test_fifty_moves(self):
        self.assertEqual(self.analyse(chess.Board(f"{self.ENDING} 97 80"))[0], 2)
        self.assertIsNone(self.analyse(chess.Board(f"{self.ENDING} 98 80"))[0])
        self.engine.configure({"Rule50": False})
        info = self.engine.analyse(chess.Board(f"{self.ENDING} 98 80"), chess.engine.Limit(nodes=100_000))
        self.assertEqual(info["score"].white().mate(), 2)

    def test_repetition(self):
        board = chess.Board(f"{self.ENDING} 0 1")
        for _ in range(2):
            for move in ("c6c7", "a8a7", "c7c6", "a7a8"):
                board.push_uci(move)
        # Kc7 Ka7 would repeat a position for the third time: the engine finds another mate, or none.
        mate, move = self.analyse(board)
        self.assertNotEqual((mate, move.uci()), (2, "c6c7"))
        self.assertTrue(board.is_legal(move))


if __name__ == "__main__":
    unittest.main(verbosity=1)
