"""The phases of an ask in words."""

from tabwire.model.ask import Phase
from tabwire.model.phases import PHASE_WORDS


def test_every_phase_has_words_of_its_own_in_their_order():
    assert list(PHASE_WORDS) == list(Phase)
    assert len(set(PHASE_WORDS.values())) == len(Phase)
