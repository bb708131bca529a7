"""Renders chat templates with Python's jinja2, set up as transformers sets it up.

Needs Debian's python3-jinja2. Reads JSON from standard input and writes JSON to standard output:

    echo '[["{{ a }}", {"a": 1}]]' | /usr/bin/python3 tests/reference/chat_template_oracle.py

The input is a list of pairs: a template, and the names that it is given. Each answer is `{"text": …}` or `{"error": …}`.
"""

import datetime
import functools
import json
import sys

import jinja2
from jinja2.ext import Extension, loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

# The clock of every test.
NOW = datetime.datetime(2026, 3, 5, 7, 8, 9, 120000)


class Generation(Extension):
    """The tag `generation`, which marks what the assistant writes."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        call = self.call_method("_generation")
        return jinja2.nodes.CallBlock(call, [], [], body).set_lineno(line)

    def _generation(self, caller):
        return caller()


def raise_exception(message):
    raise jinja2.exceptions.TemplateError(message)


def tojson(x, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(
        x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys
    )


def environment():
    env = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, loopcontrols]
    )
    env.filters["tojson"] = tojson
    env.globals["raise_exception"] = raise_exception
    env.globals["strftime_now"] = NOW.strftime
    return env


def render(compiled, template, names):
    """The text, or what was raised."""
    try:
        return {"text": compiled(template).render(**names)}
    except Exception as error:  # whatever a template can raise
        return {"error": f"{type(error).__name__}: {error}"[:300]}


def main():
    # Compiling takes most of the time, and a template comes with many conversations.
    compiled = functools.cache(environment().from_string)
    cases = json.load(sys.stdin)
    answers = [render(compiled, template, names) for template, names in cases]
    # Halves of pairs are no UTF-8, so everything is escaped.
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
