"""Texts drawn from a grammar. The head of web/demo/corpus/stories.txt says how one is written."""

import re

SLOT = re.compile(r"\{([A-Za-z]+)(\d?)(?:\.([a-z]+))?\}")
RULE = re.compile(r"<([a-z0-9]+)>")
CHOICE = re.compile(r"\(([^()]*\|[^()]*)\)")
ARTICLE = re.compile(r"\b([Aa]) (?=[aeiou])")
ONSETS = "b br ch d dr f fl g gr h j k kr l m n p ph qu r s sh sn st t tr v w z".split() + [""] * 4
VOWELS = "a e i o u a e i o ai ee oo ou y".split()
CODAS = ["", "", "", "", "n", "r", "l", "x", "ck", "m", "nt", "s"]


class Grammar:
    """Tables of rows and rules of lines; `draw` makes a text of them."""

    def __init__(self, path, random, made_up):
        """`made_up`: the share of words that nobody knows, by table."""
        self.random, self.made_up = random, made_up
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

    def draw(self, rule, bound=None):
        """A text of the rule: (question, answer) where its line has both, else (None, text). `bound`: the rows that slots
        have already; gets the others."""
        bound = {} if bound is None else bound
        question, arrow, answer = self._choices(self._line(rule)).partition(" => ")
        parts = [self.expand(part, bound) for part in (question, answer)]
        return tuple(parts) if arrow else (None, parts[0])

    def _line(self, rule):
        return self.random.choice(self.rules[rule])

    def _choices(self, text):
        return CHOICE.sub(lambda found: self.random.choice(found[1].split("|")), text)

    def expand(self, text, bound):
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
            if self.random.random() < self.made_up.get(table, 0):
                word = self._word()
                row = [word.capitalize() if row[0][0].isupper() else word, *row[1:]]
            bound[table + number] = row
        return bound[table + number]

    def _word(self):
        pick = self.random.choice
        return "".join(pick(ONSETS) + pick(VOWELS) + pick(CODAS) for _ in range(2))
