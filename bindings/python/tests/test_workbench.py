"""The composer's workbench from Python."""

import pytest

import matesolve
from matesolve import _matesolve
from matesolve._arguments import limits
from matesolve.workbench import _composing

SOUND = "5Kbk/6pp/6P1/8/8/8/8/7R w - -"
UNSOUND = "5Kbk/6pp/8/8/8/8/8/7R w - -"


def test_mend_puts_the_missing_man_back():
    news = []
    answer = matesolve.mend(UNSOUND, "#2", key="Rh6", on_progress=lambda text, tried: news.append((text, tried)))
    assert answer is not None and answer.complete and answer.tried > 500
    first = answer.proposals[0]
    assert first.changes == ["Add white Pg6"] and first.keys[0].san == "Rh6" and first.kept.key
    assert matesolve.report(first.fen, "#2").result.soundness == "sound"
    assert news and "diagrams tried" in news[-1][0]


def test_a_sound_diagram_needs_no_mending():
    assert matesolve.mend(SOUND, "#2") is None


def test_twins_and_economy():
    twins = matesolve.twins(SOUND, "#2", proposals=3)
    assert len(twins.proposals) == 3 and not any(twin.kept.key for twin in twins.proposals)
    economy = matesolve.economy(SOUND, "#2")
    assert economy.key is not None and economy.key.san == "Rh6" and economy.men is not None
    assert {man.man: man.verdict for man in economy.men}["wPg6"] == "key fails"


def test_a_key_is_taken_back():
    before = matesolve.retract("5Kbk/6pp/6PR/8/8/8/8/8 b - -", "#2", proposals=5)
    assert before.complete and len(before.proposals) == 5
    found = {one.fen.split()[0]: one for one in before.proposals}
    prinz = found[SOUND.split()[0]]
    assert [key.san for key in prinz.keys] == ["Rh6"] and prinz.tries is not None
    assert [attempt.san for attempt in prinz.tries] == ["Rh5", "Rxh7+"]
    assert any(one.tries is None for one in before.proposals)


def test_a_tool_that_is_not_there_is_named():
    asked = _composing("mind", "#2", {})
    with pytest.raises(ValueError, match='has no tool "mind"; it has economy, mend, retract and twins'):
        _matesolve.compose(SOUND, asked, limits({}), None, None)
    with pytest.raises(TypeError, match=r"twins\(\) got an unexpected keyword argument 'keep'"):
        matesolve.twins(SOUND, "#2", keep=["key"])


def test_what_must_stay_is_named():
    fen = "8/1Q1p4/7P/P3Q2r/1K2N3/5NNk/6N1/7r w - -"
    economy = matesolve.economy(fen, "#2", keep=["set-play"], tries=["Nf2"])
    assert economy.men is not None
    verdicts = {man.man: (man.verdict, [move.san for move in man.moves]) for man in economy.men}
    assert verdicts["bRh1"] == ("set play", ["Kg4", "Nf2#", "Qxh5#"])
    assert verdicts["wSf3"] == ("try", ["Nf2+", "Kh2"])
    assert verdicts["wPa5"] == ("superfluous", [])


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: matesolve.mend(UNSOUND, "h#2"), "does not know h#2"),
        (lambda: matesolve.mend(UNSOUND, "#2", changes=3), "would never end"),
        (lambda: matesolve.mend(UNSOUND, "#2", keep=["men"]), "keep"),
        (lambda: matesolve.economy(SOUND, "#2", tries=["Ra1"]), "no try of the diagram"),
        (lambda: matesolve.twins(UNSOUND, "#2"), "not sound"),
        (lambda: matesolve.economy(UNSOUND), "needs a length"),
        (lambda: matesolve.retract("5Kbk/6pp/7R/8/8/8/8/8 b - -", "#2"), "is not one after the key of a #2"),
    ],
)
def test_other_questions_get_a_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
