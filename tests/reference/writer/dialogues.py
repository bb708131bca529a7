"""Dialogues that need what stands in the prompt: a system turn, a passage, tools, what was said before."""

from dataclasses import dataclass, field

from tools import draw_tools, returned

UNSAID = "The text does not say."
LACKING = "I have no tool for that."


@dataclass
class Dialogue:
    messages: list = field(default_factory=list)
    tools: list = field(default_factory=list)

    def say(self, role, content):
        self.messages.append({"role": role, "content": content})

    @property
    def size(self):
        """How many characters there are, about."""
        calls = [call for message in self.messages for call in message.get("tool_calls", [])]
        contents = [message["content"] for message in self.messages]
        return sum(len(str(part)) for part in (*contents, *calls)) + 50 * len(self.tools)


class Style:
    """What a system turn asks of all answers."""

    def __init__(self, grammar):
        word = grammar.expand("{word}", {})
        self.kind = grammar.random.choice(["brief", "end", "begin", "only"])
        self.word = word
        self.text = grammar.expand(
            {
                "brief": "(Answer in one word.|Be brief.|Answer with one word.|Give short answers.)",
                "end": f'(End every answer with the word {word}.|Always end with "{word}".|End with {word}.)',
                "begin": f'(Begin every answer with the word {word}.|Always begin with "{word}".|Begin with {word}.)',
                "only": f'(Answer every question with the word {word}.|Say only "{word}".|Answer only {word}.)',
            }[self.kind],
            {},
        )

    def apply(self, answer, short=None):
        if self.kind == "brief":
            return short or answer
        by_kind = {"end": f"{answer} {self.word}", "begin": f"{self.word}: {answer}", "only": self.word}
        return by_kind[self.kind]


class Passage:
    """Sentences, and questions that they answer or do not."""

    def __init__(self, grammar, most):
        self.grammar, self.random = grammar, grammar.random
        self.facts, self.asked = {}, set()
        bound = {}
        for _ in range(self.random.randint(1, most)):
            sentence, question = self._fact(bound)
            self.facts.setdefault(question, sentence)
        self.bound = bound
        mark = self.random.choice(["", "", "", "- "])
        between = "\n" if mark else self.random.choice([" ", "\n"])
        self.text = between.join(mark + sentence for sentence in self.facts.values())

    def _fact(self, bound):
        """Some facts are about what another one is about."""
        kept = {key: bound[key] for key in bound if self.random.random() < 0.4}
        bound.clear()
        bound.update(kept)
        return self.grammar.draw("fact", bound)

    def ask(self):
        """A question with its answer; none if every one was asked. One of six or so is not answered by the text."""
        left = [question for question in self.facts if question not in self.asked]
        if not left and self.asked:
            return None
        if self.random.random() < 0.15:
            _, question = self._fact(dict(self.bound))
        else:
            question = self.random.choice(left)
        self.asked.add(question)
        return question, self.facts.get(question, UNSAID)


class Dialogues:
    def __init__(self, grammar):
        self.grammar, self.random = grammar, grammar.random

    def draw(self, size):
        """A dialogue of about this many characters; of fewer if there is nothing left to ask."""
        shares = {"passage": 0.3, "tools": 0.4, "system": 0.2, "plain": 0.1}
        state = State(self.grammar, one_of(self.random, shares), size)
        state.go_on(size)
        return state.dialogue


def one_of(random, shares):
    return random.choices(list(shares), list(shares.values()))[0]


TURNS = {
    "passage": {"read": 0.85, "talk": 0.08, "who": 0.07},
    "tools": {"call": 0.76, "lack": 0.06, "talk": 0.06, "known": 0.05, "remember": 0.04, "who": 0.03},
    "system": {"who": 0.25, "known": 0.35, "talk": 0.2, "remember": 0.2},
    "plain": {"known": 0.25, "talk": 0.3, "remember": 0.2, "who": 0.1, "read_given": 0.15},
}


class State:
    """A dialogue as far as it is, with what its system turn said."""

    def __init__(self, grammar, kind, size):
        self.grammar, self.random = grammar, grammar.random
        self.dialogue = Dialogue()
        self.persona = self.style = self.passage = None
        self.told = {}
        self.asked = set()
        chance = lambda share: self.random.random() < share
        share = {"passage": 0.15, "tools": 0.15, "system": 0.6, "plain": 0}[kind]
        if chance(share):
            self.persona = self._said(self.random.choice(["You are {name}, {role}.", "You are {role}."]))
        if chance(share) or (kind == "system" and self.persona is None):
            self.style = Style(grammar)
        if kind == "passage":
            self.passage = Passage(grammar, max(2, min(30, size // 90)))
        if kind == "tools":
            self.tools, self.missing = draw_tools(grammar, max(2, min(9, size // 250)))
            self.dialogue.tools = [tool.schema() for tool in self.tools]
        self.kind = kind
        self._open(kind)

    def go_on(self, size):
        """Until the dialogue is about this long, or there is little left to ask."""
        tries = 0
        while (size > 0 and not self.asked) or (
            self.dialogue.size < size and tries < 2 * len(self.asked) + 8
        ):
            getattr(self, one_of(self.random, TURNS[self.kind]))()
            tries += 1

    def _said(self, text):
        return self.grammar.expand(text, {})

    def _open(self, kind):
        parts = [part for part in (self.persona, self.style and self.style.text) if part]
        if kind == "tools" and self.random.random() < 0.15:
            parts.append(self._said("(Use the tools|You have tools|Call a tool where one helps)."))
        if self.passage:
            asked = self._said("(Answer from this text only|Answer from this text|Use only this text):")
            parts.append(f"{asked}\n{self.passage.text}")
        if parts:
            self.dialogue.say("system", " ".join(parts))

    def _answer(self, text, short=None):
        self.dialogue.say("assistant", self.style.apply(text, short) if self.style else text)

    def _exchange(self, question, answer, short=None):
        if question in self.asked:
            return
        self.asked.add(question)
        self.dialogue.say("user", question)
        self._answer(answer, short)

    def talk(self):
        question, answer = self.grammar.draw("talk")
        self._exchange(question, answer)

    def known(self):
        question, answer, short = self.grammar.draw("known")[1].split("; ")
        self._exchange(question, answer, short)

    def who(self):
        if self.persona is None:
            self._exchange(*self.grammar.draw("nobody"))
            return
        who = self.persona.removeprefix("You are ").removesuffix(".")
        name, comma, role = who.partition(", ")
        asked = [("(Who are you|What are you)?", f"I am {who}.")]
        if comma:
            asked += [
                ("(What is your name|How are you called)?", f"My name is {name}."),
                ("(What do you do|What is your job)?", f"I am {role}."),
            ]
        question, answer = self.random.choice(asked)
        self._exchange(self._said(question), answer)

    def remember(self):
        if not self.told or self.random.random() < 0.4:
            self.tell()
        else:
            self.recall()

    def tell(self):
        key = self.random.choice(["name", "word", "place"])
        value = self.told[key] = self._said(f"{{{key}}}")
        question, answer = {
            "name": (f"(My name is|I am called|I am) {value}.", f"Hello, {value}."),
            "word": (f"Remember the word {value}.", f"I will remember {value}."),
            "place": (f"I (live in|am from) {value}.", f"{value} is a fine place."),
        }[key]
        self._exchange(self._said(question), answer)

    def recall(self):
        if not self.told:
            return
        key = self.random.choice(list(self.told))
        value = self.told[key]
        question, answer = {
            "name": ("(What is my name|Who am I|How am I called)?", f"Your name is {value}."),
            "word": ("(Which word did I say|What is the word)?", f"The word is {value}."),
            "place": ("Where (do I live|am I from)?", f"You live in {value}."),
        }[key]
        self._exchange(self._said(question), answer)

    def read(self):
        asked = self.passage.ask()
        if asked:
            self._exchange(*asked)

    def read_given(self):
        passage = Passage(self.grammar, 6)
        question, answer = passage.ask()
        asked = self._said("(Answer from this text only:\n|Text: |)")
        between = self._said("(\n\n|\nQuestion: )")
        self._exchange(f"{asked}{passage.text}{between}{question}", answer)

    def lack(self):
        question, _ = self.missing.ask()
        self._exchange(question, LACKING)

    def call(self):
        tool = self.random.choice(self.tools)
        question, arguments = tool.ask()
        if question in self.asked:
            return
        self.asked.add(question)
        function = {"name": tool.name, "arguments": arguments}
        self.dialogue.say("user", question)
        calls = [{"type": "function", "function": function}]
        self.dialogue.messages.append({"role": "assistant", "content": "", "tool_calls": calls})
        result, sentence = returned(self.grammar)
        self.dialogue.say("tool", result)
        self._answer(sentence)
