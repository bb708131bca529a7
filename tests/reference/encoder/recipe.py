"""Every number of the recipes in one place. The cards in web/demo/public/models say what was tried beside them."""

from dataclasses import dataclass, field


def shares():
    """How many batches each source of pairs gets: (with static vectors, with the encoder)."""
    return {
        "gloss": (3, 2),
        "synonyms": (1, 0.5),
        "hypernyms": (1, 1),
        "usage": (1, 1),
        "split_whole": (1, 1),
        "split_part": (2, 1.5),
        "snli": (1.5, 2),
        "snli_neutral": (0.5, 0.5),
        "esnli": (1, 1),
        "tatoeba": (1, 1),
        "trivia": (1, 0.7),
        "medquad": (0.7, 0.7),
        "scitldr": (1, 1),
        "docs": (3, 3),
        "examples": (0.5, 1),
        "verses": (0.7, 0.5),
        "verses_apart": (0.5, 0.3),
        "intents": (1, 1),
        "next_modern": (1.5, 1),
        "next_books": (1, 0.7),
        "cloze_modern": (3, 4),
        "cloze_books": (1.5, 1.5),
    }


@dataclass(frozen=True)
class Recipe:
    seed: int = 0
    # The vocabulary, and pieces of a text that are looked at: in training, by the encoder.
    pieces: int = 12_288
    longest_pair: int = 96
    positions: int = 256
    # Co-occurrences, and the width of what their factors keep.
    window: int = 6
    context_power: float = 0.75
    oversampling: int = 32
    power_iterations: int = 4
    # What the factors keep where it is more than the static vectors need.
    factors: int = 0
    # Static vectors. Three numbers less than the encoder, whose LayerNorm takes those.
    static_steps: int = 4500
    static_batch: int = 512
    static_rate: float = 8e-3
    static_lowest: float = 0.02
    common: float = 1e-3
    # The encoder.
    width: int = 192
    layers: int = 1
    head: int = 32
    inner: int = 384
    norm_eps: float = 1e-12
    bert_steps: int = 800
    bert_batch: int = 192
    bert_pieces: int = 64
    bert_padded: int = 9000
    layer_rate: float = 8e-4
    vector_rate: float = 3e-4
    bert_lowest: float = 0.01
    decay: float = 0.01
    # A static model by itself: trainings whose mean it is, the power of the lengths, and that of the variances.
    trainings: int = 2
    emphasis: float = 1.2
    whitening: float = 0.5
    # Both trainings.
    warm_up: int = 100
    scale: float = 20.0
    dropped: float = 0.1
    shares: dict = field(default_factory=shares)

    @property
    def static_width(self):
        return self.width - 3


def static_recipe():
    """The recipe of english-static-336."""
    return Recipe(width=339, factors=400, static_steps=1600)
