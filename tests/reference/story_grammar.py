"""Texts drawn from a grammar: web/demo/corpus/stories.txt, whose head says how it is written."""

import re

SLOT = re.compile(r"\{([A-Za-z]+)(\d?)(?:\.([a-z]+))?\}")
RULE = re.compile(r"<([a-z0-9]+)>")
CHOICE = re.compile(r"\(([^()]*\|[^()]*)\)")
ARTICLE = re.compile(r"\b([Aa]) (?=[aeiou])")
ONSETS = "b br ch d dr f fl g gr h j k kr l m n p ph qu r s sh sn st t tr v w z".split() + [""] * 4
VOWELS = "a e i o u a e i o ai ee oo ou y".split()
CODAS = ["", "", "", "", "n", "r", "l", "x", "ck", "m", "nt", "s"]
# How often a word is one that nobody knows, so that such words are copied from what was said before.
MADE_UP = {"name": 0.2, "animal": 0.05}


class Grammar:
    """Tables of rows and rules of lines; `draw` makes a text of them."""

    def __init__(self, path, random):
        self.random = random
        self.tables, self.rules = {}, {}
        for line in path.read_text(encoding="utf-8").splitlines():
            head = re.fullmatch(r"\[(?:table )?([a-z0-9]+)(?:: (.*))?\]", line)
            if head:
                name, columns = head.groups()
                rows = []
                if columns:
                    self.tables[name] = (columns.split(", "), rows)
                else:
                    self.rules[name] = rows
            elif line and not line.startswith("#"):
                rows.append(line.split("; ") if columns else line)

    def draw(self, rule):
        """A text of the rule: (question, answer) where its line has both, else (None, text)."""
        bound = {}
        question, arrow, answer = self._choices(self._line(rule)).partition(" => ")
        parts = [self._expand(part, bound) for part in (question, answer)]
        return tuple(parts) if arrow else (None, parts[0])

    def _line(self, rule):
        return self.random.choice(self.rules[rule])

    def _choices(self, text):
        return CHOICE.sub(lambda found: self.random.choice(found[1].split("|")), text)

    def _expand(self, text, bound):
        while RULE.search(text):
            text = RULE.sub(lambda found: self._line(found[1]), text)
        text = SLOT.sub(lambda found: self._fill(found, bound), self._choices(text))
        return ARTICLE.sub(r"\1n ", text)

    def _fill(self, found, bound):
        table, number, column = found.groups()
        key = table.lower()
        columns, _ = self.tables[key]
        row = self._row(key, number, bound)
        text = row[columns.index(column) if column else 0]
        return text[0].upper() + text[1:] if table[0].isupper() else text

    def _row(self, table, number, bound):
        """The row that this slot has in this text; no two slots have the same one."""
        if table + number not in bound:
            taken = [row for key, row in bound.items() if key.rstrip("123") == table]
            row = self.random.choice([row for row in self.tables[table][1] if row not in taken])
            if self.random.random() < MADE_UP.get(table, 0):
                word = self._made_up()
                row = [word.capitalize() if table == "name" else word, *row[1:]]
            bound[table + number] = row
        return bound[table + number]

    def _made_up(self):
        pick = self.random.choice
        return "".join(pick(ONSETS) + pick(VOWELS) + pick(CODAS) for _ in range(2))
