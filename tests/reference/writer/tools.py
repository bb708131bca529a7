"""Tools that nobody has seen, questions that need them, and what they return."""

import json
import re

VALUE = re.compile(r"\[([a-z]+\d?)\]")
EXTRAS = [
    {"unit": {"type": "string", "enum": ["celsius", "fahrenheit"]}},
    {"limit": {"type": "integer"}},
    {"language": {"type": "string"}},
    {"verbose": {"type": "boolean"}},
]


class DrawnTool:
    """A tool, which may be asked for again with other values."""

    def __init__(self, grammar, line):
        self.grammar, self.random = grammar, grammar.random
        text = grammar.expand(line, {})
        self.name, self.description, self.question, *given = text.split("; ")
        self.arguments = [re.fullmatch(r"(\w+): (\w+) = (.+)", one).groups() for one in given]
        self.extra = self.random.choice(EXTRAS) if self.random.random() < 0.2 else {}
        if any(name in self.extra for name, _, _ in self.arguments):
            self.extra = {}

    @property
    def names(self):
        return [name for name, _, _ in self.arguments]

    def schema(self):
        properties = {name: {"type": type} for name, type, _ in self.arguments} | self.extra
        parameters = {"type": "object", "properties": properties, "required": self.names}
        function = {"name": self.name, "description": self.description, "parameters": parameters}
        return {"type": "function", "function": function}

    def ask(self):
        """A question, and the arguments of the call that it needs."""
        bound = {}
        said = lambda text: self.grammar.expand(VALUE.sub(r"{\1}", text), bound)
        question = said(self.question)
        value = lambda type, text: text if type == "string" else json.loads(text)
        return question, {name: value(type, said(text)) for name, type, text in self.arguments}


def draw_tools(grammar, most):
    """Tools for different things with different names, and another one that is missing."""
    lines = grammar.random.sample(grammar.rules["tool"], grammar.random.randint(1, most) + 1)
    drawn = [DrawnTool(grammar, line) for line in lines]
    if any(len(set(tool.names)) < len(tool.names) for tool in drawn):
        return draw_tools(grammar, most)
    by_name = {tool.name: tool for tool in drawn}
    if len(by_name) < len(drawn):
        return draw_tools(grammar, most)
    *tools, missing = drawn
    return tools, missing


def returned(grammar):
    """What a tool returned, and how to tell it in a sentence."""
    kind = grammar.random.random()
    if kind < 0.2:
        text, _ = grammar.draw("fact")
        return text, text
    if kind < 0.28:
        text = grammar.expand("(no|unknown) (such |){made}", {})
        return written(grammar, {"error": text}), f"The tool failed: {text}."
    names, told = {}, []
    for _ in range(grammar.random.choice([1, 1, 2, 2, 3])):
        name, value = grammar.expand("(|||{made}_){key}", {}), drawn_value(grammar)
        names.setdefault(name, value)
    told = [f"the {name} is {value_text(value)}" for name, value in names.items()]
    sentence = " and ".join([part for part in (", ".join(told[:-1]), told[-1]) if part])
    return written(grammar, names), f"T{sentence[1:]}."


def written(grammar, value):
    """As JSON of Python or of JavaScript."""
    compact = {"separators": (",", ":")} if grammar.random.random() < 0.6 else {}
    return json.dumps(value, **compact)


def value_text(value):
    return value if isinstance(value, str) else json.dumps(value)


def drawn_value(grammar):
    pick = grammar.random
    kind = pick.random()
    if kind < 0.35:
        return pick.choice([pick.randint(0, 40), pick.randint(-20, 0), pick.randint(40, 2000)])
    if kind < 0.45:
        return pick.randint(-100, 400) / 10
    if kind < 0.5:
        return pick.random() < 0.5
    rule = pick.choice(["{word}", "{place}", "{name}", "{day}", "{sky}", "{colour}", "{word} {thing}"])
    return grammar.expand(rule, {})
