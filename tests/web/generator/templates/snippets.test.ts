// Short templates, and what Python's jinja2 makes of each (tests/reference/chat_template_snippets.py).
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderTemplate } from '../../../../web/src/generator/jinja/render.ts';
import { answerOf, firstDifference, now } from './answers.ts';

interface Snippets {
  readonly names: Readonly<Record<string, unknown>>;
  readonly snippets: readonly {
    readonly template: string;
    readonly text?: string;
    /** The kind of error that Python raises. */
    readonly error?: string;
  }[];
}

const file = new URL('../../../fixtures/chat-templates/snippets.json', import.meta.url);
const { names, snippets } = JSON.parse(readFileSync(file, 'utf8')) as Snippets;

test('there are many', () => {
  expect(snippets.length).toBeGreaterThan(1000);
  expect(snippets.filter(({ error }) => error !== undefined).length).toBeGreaterThan(150);
});

test.each(snippets)('$template', ({ template, text }) => {
  const answer = answerOf(template, names);
  if (text === undefined) {
    expect(answer.text).toBeUndefined();
  } else {
    expect(firstDifference(text, answer)).toBe('');
  }
});

/** What Python has and templates of Ambry have not: refused by name, and never another text. */
const refused: Readonly<Record<string, RegExp>> = {
  '[1] | random': /'random' is not supported/,
  "'&copy;' | striptags": /name &copy; of a character is not supported/,
  "'a b' | wordwrap(1, wrapstring='<' | e)": /line breaks of markup are not supported/,
  "{('a', 1): 1, (1, 'a'): 2} | pprint": /keys without an order are not supported/,
  "'a'.encode()": /'encode' of texts is not supported/,
  "'a'.translate({})": /'translate' of texts is not supported/,
  '(5).real': /'real' of a int is not supported/,
  '1.5.is_integer()': /'is_integer' of a float is not supported/,
  '{}.fromkeys': /'fromkeys' of a dict is not supported/,
  'lipsum()': /'lipsum' is not supported/,
  self: /'self' is not supported/,
  '(-8) ** 0.5': /complex numbers are not supported/,
  "'\\N{DASH}'": /is not supported/,
  '2 ** 20000': /more than \d+ bits are not supported/,
  range: /has no text/,
  "messages | map('upper')": /has no text; make a list of it first/,
  'messages.pop()': /'pop' of 'list' object is unsafe/,
};

test.each(Object.entries(refused))('{{ %s }} is refused', (expression, message) => {
  expect(answerOf(`{{ ${expression} }}`, names).error).toMatch(message);
});

test('a fault names the line of the template', () => {
  const at = (template: string) => {
    try {
      return renderTemplate(template, names);
    } catch (error) {
      return (error as { readonly line?: number }).line;
    }
  };
  expect(at('a\n\n{{ 1 | nope }}')).toBe(3);
  expect(at('{% if 1 %}\n{{ messages.x.y }}\n{% endif %}')).toBe(2);
  expect(at('\r\n{% for x in [1] %}\r\n{{ [\n1,\nx.y.z] }}{% endfor %}')).toBe(5);
  expect(at('{% macro f() %}\n{{ 1 / 0 }}{% endmacro %}\n\n{{ f() }}')).toBe(2);
  expect(at('\n{% nope %}')).toBe(2);
  expect(at("\n\n{{ 'a")).toBe(3);
});

test('the clock is the one of the machine, and of no language', () => {
  const format = "{{ strftime_now('%Y-%m-%d %H:%M:%S %A %B') }}";
  expect(renderTemplate(format, {}, now)).toBe('2026-03-05 07:08:09 Thursday March');
  expect(renderTemplate("{{ strftime_now('%Y') | int > 2025 }}", {})).toBe('True');
});

test.each([
  [new Date(2027, 0, 1), '53 2026 5 00 00 001'],
  [new Date(2024, 11, 30), '01 2025 1 52 53 365'],
  [new Date(2023, 0, 1), '52 2022 7 01 00 001'],
  [new Date(2024, 1, 29, 0, 5), '09 2024 4 08 09 060'],
])('weeks and days of %s', (time, expected) => {
  expect(renderTemplate("{{ strftime_now('%V %G %u %U %W %j') }}", {}, time)).toBe(expected);
});
