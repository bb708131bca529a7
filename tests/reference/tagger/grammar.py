"""Texts with entities, drawn from web/demo/corpus/entities.txt, whose head says how it is written."""

import re
import unicodedata
import zlib

HEAD = re.compile(r"\[(list )?([a-z0-9]+)(?: = ([A-Z]+))?\]")
CHOICE = re.compile(r"\(([^()]*\|[^()]*)\)")
PART = re.compile(r"\{([a-z]+)\d?\}|<([a-z]+)>|([^{<]+|<)")
ARTICLE = re.compile(r"(^|[\s(\"])[Aa] $")
ONSETS = "b br c ch cl d dr f fl g gl gr h j k kl kr l m n p ph pl pr qu r s sh sk sl st t th tr v w y z".split()
VOWELS = "a e i o u a e i o ai ee ia ie oo ou y á ö ü é".split()
CODAS = ["", "", "", "", "n", "r", "l", "m", "s", "t", "ck", "nd", "nt", "rt", "sk", "ll", "x", "v"]
# One phrase of so many of these lists is kept out of the training texts.
HELD_OUT, HELD_LISTS = 8, {"first", "last", "city", "country", "region", "street", "firm", "initials"}


def plain(word):
    """The word as an address has it: small letters of ASCII."""
    letters = unicodedata.normalize("NFD", word.lower().replace("ı", "i").replace("ø", "o"))
    return "".join(letter for letter in letters if letter.isascii() and letter.isalnum())


def is_held_out(name, phrase):
    return name in HELD_LISTS and zlib.crc32(phrase.encode()) % HELD_OUT == 0


class Grammar:
    """`draw` makes a text of the rule and its entities. With `held_out`, names are only those that were kept out."""

    def __init__(self, path, random, held_out=False):
        self.random = random
        self.lists, self.rules, self.labels = {}, {}, {}
        for line in path.read_text(encoding="utf-8").splitlines():
            head = HEAD.fullmatch(line)
            if head:
                is_list, name, label = head.groups()
                rows = (self.lists if is_list else self.rules).setdefault(name, [])
                self.labels[name] = label
            elif line and not re.match("# |#$", line):
                rows += line.split("; ") if is_list else [line]
        for name in HELD_LISTS:
            rows = self.lists[name]
            self.lists[name] = [row for row in rows if is_held_out(name, row) == held_out]

    def draw(self, rule):
        """(the text, [(begin, end, label), …])"""
        out, spans = [], []
        self._expand(self._line(rule), out, spans)
        return "".join(out), spans

    def _line(self, rule):
        return self.random.choice(self.rules[rule])

    def _expand(self, text, out, spans):
        text = CHOICE.sub(lambda found: self.random.choice(found[1].split("|")), text)
        for slot, rule, literal in PART.findall(text):
            if rule:
                self._rule(rule, out, spans)
            else:
                self._write(self._fill(slot) if slot else self._digits(literal), out)

    def _rule(self, rule, out, spans):
        if self.labels[rule] is None:
            self._expand(self._line(rule), out, spans)
            return
        inside = []
        self._expand(self._line(rule), inside, spans)
        text = "".join(inside)
        self._write(text, out)
        end = len("".join(out))
        spans.append((end - len(text), end, self.labels[rule]))

    def _write(self, text, out):
        before = "".join(out[-2:])
        if ARTICLE.search(before) and text[:1] in tuple("aeioAEIO"):
            out[-1] = out[-1][:-1] + "n "
        out.append(text)

    def _digits(self, text):
        return re.sub("#", lambda _: str(self.random.randrange(10)), text)

    def _fill(self, slot):
        random = self.random
        made = {
            "n": lambda: str(random.choice([random.randint(2, 30), random.randint(31, 9999)])),
            "nn": lambda: str(random.randint(10, 99)),
            "year": lambda: str(random.choice([random.randint(1985, 2032), random.randint(1700, 2032)])),
            "day": lambda: str(random.randint(1, 31)),
            "dd": lambda: f"{random.randint(1, 31):02}",
            "mm": lambda: f"{random.randint(1, 12):02}",
            "hour": lambda: f"{random.randrange(24):02}:{random.randrange(60):02}",
            "letter": lambda: random.choice("ABCDEFGHIJKLMNOPRSTVWYZ"),
            "mixfirst": lambda: self._mixed("first"),
            "mixlast": lambda: self._mixed("last"),
            "mixcity": lambda: self._mixed("city"),
            "smallletter": lambda: random.choice("abcdefghijklmnoprstvwyz"),
            "made": lambda: self.made_up().capitalize(),
            "smallmade": lambda: plain(self.made_up()),
            "smallfirst": lambda: plain(self._fill("first")),
            "smalllast": lambda: plain(self._fill("last")),
        }
        return made[slot]() if slot in made else random.choice(self.lists[slot])

    def _mixed(self, name):
        """The beginning of one name and the end of another, each cut before a vowel."""
        names = [one for one in self.lists[name] if one.isalpha()]
        halves = [self._halves(self.random.choice(names)) for _ in range(2)]
        return halves[0][0] + halves[1][1]

    def _halves(self, name):
        cuts = [at for at in range(2, len(name) - 1) if name[at] in "aeiouyáéíóúöüåø"]
        at = self.random.choice(cuts or [len(name) // 2])
        return name[:at], name[at:]

    def made_up(self):
        pick = self.random.choice
        count = pick([1, 2, 2, 2, 3])
        return "".join(pick(ONSETS) + pick(VOWELS) + pick(CODAS) for _ in range(count))
