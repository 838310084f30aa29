"""The composer's workbench from Python."""

import pytest

import matesolve

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


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: matesolve.mend(UNSOUND, "h#2"), "does not know h#2"),
        (lambda: matesolve.mend(UNSOUND, "#2", changes=3), "would never end"),
        (lambda: matesolve.mend(UNSOUND, "#2", keep=["men"]), "keep"),
        (lambda: matesolve.twins(UNSOUND, "#2"), "not sound"),
        (lambda: matesolve.economy(UNSOUND), "needs a length"),
    ],
)
def test_other_questions_get_a_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
