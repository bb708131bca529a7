"""Prompts that a model was not trained on, each for one skill, with the answer that is right."""

import json
from dataclasses import dataclass

from chat_format import END, SPECIAL, ids_of
from dialogues import Dialogue, State


@dataclass(frozen=True)
class Skill:
    name: str
    # The kind of its dialogues.
    kind: str
    # What may be asked last.
    turns: tuple
    # How many messages the last turn has after the answer.
    after: int = 0
    # Characters of the dialogue before the last turn, about.
    size: int = 0


SKILLS = [
    Skill("system", "system", ("who", "known")),
    Skill("passage", "passage", ("read",), size=300),
    Skill("call", "tools", ("call",), after=2, size=250),
    Skill("result", "tools", ("call",), size=250),
    Skill("remembered", "plain", ("recall",), size=200),
    Skill("long", "passage", ("read",), size=2700),
    Skill("long", "tools", ("call",), after=2, size=2500),
]


def drawn(grammar, skill):
    """A dialogue up to its last answer, and that answer."""
    while True:
        state = State(grammar, skill.kind, max(300, skill.size))
        state.go_on(skill.size)
        before = len(state.dialogue.messages)
        turn = grammar.random.choice(skill.turns)
        if turn == "known" and state.style is None:
            turn = "who"
        getattr(state, turn)()
        messages = state.dialogue.messages
        if len(messages) > before:
            end = len(messages) - 1 - skill.after
            return Dialogue(messages[:end], state.dialogue.tools), messages[end]


def held_out(grammar, bpe, net, count):
    """Rows for a file, each with what the net writes."""
    rows = []
    for skill in SKILLS:
        for _ in range(count if skill.name != "long" else count // 4):
            dialogue, answer = drawn(grammar, skill)
            ids, _ = ids_of(dialogue, bpe)
            answered, own = ids_of(Dialogue([answer], []), bpe)
            right = [id for id, is_own in zip(answered, own) if is_own][:-1]
            asked = [*ids, SPECIAL.index("<|assistant|>")]
            written = net.greedy(asked, [SPECIAL.index(END)], 60, right)
            rows.append(
                {"skill": skill.name, "messages": dialogue.messages, "tools": dialogue.tools}
                | {"answer": answer, "written": bpe.decode(written)}
            )
    return rows


def said(answer):
    """What the model has to write for this answer."""
    calls = answer.get("tool_calls", [])
    texts = [f"<tool_call>{json.dumps(call['function'])}</tool_call>" for call in calls]
    return answer["content"] + "".join(texts)


def scores(rows):
    """How many answers are right, by skill."""
    skills = list(dict.fromkeys(row["skill"] for row in rows))
    of = lambda skill: [row["written"] == said(row["answer"]) for row in rows if row["skill"] == skill]
    return {skill: (sum(of(skill)), len(of(skill))) for skill in skills}
