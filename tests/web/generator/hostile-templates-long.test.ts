// Templates that are made to take all time or memory. Each ends as an error that names the template.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AmbryError } from '../../../web/src/base/errors.ts';
import type { Generator } from '../../../web/src/generator/client.ts';
import { languageFile } from '../support/files/language-file.ts';
import { openGenerator } from '../support/open-kinds.ts';

/** `t.x` is a text of 2^n times this. */
const long = (text: string, n: number) =>
  `{% set t = namespace(x='${text}') %}{% for i in range(${n}) %}{% set t.x = t.x ~ t.x %}{% endfor %}`;

/** `t.x` is a small value, and its text has 2^n items. */
const wide = (n: number) =>
  `{% set t = namespace(x=[0]) %}{% for i in range(${n}) %}{% set t.x = [t.x, t.x] %}{% endfor %}`;

/** The sandbox allows ranges of 100,000 items. */
const loop = (body: string, times = 100_000) => `{% for n in range(${times}) %}${body}{% endfor %}`;

const limits: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'the time': {
    'loops in loops': loop(loop(loop('x', 900), 900), 900),
    'loops over one list again and again': `{% set x = range(100000) %}${loop('{% for i in x %}{% endfor %}')}`,
    'a wide list beside another': `${wide(40)}{% set y = t.x %}${wide(40)}{{ t.x == y }}`,
    'a sort of long texts': `${long('a', 22)}{% set t.l = [] %}${loop('{% set t.l = t.l + [t.x] %}', 900)}{{ t.l|sort|length }}`,
    'tests of a long text': `${long('a ', 20)}${loop('{% if t.x is lower %}{% endif %}')}`,
    'a word that is cut at each letter': `${long('a', 20)}${loop('{% set y = t.x|wordwrap(1) %}', 99)}`,
    'tags in a long text': `${long('<a', 20)}{{ (t.x ~ '>')|striptags|length }}${long('<a>', 20)}{{ t.x|striptags }}`,
    'a long text, reversed': `${long('a ', 20)}${loop('{% set y = t.x[::-1] %}', 1000)}`,
  },
  steps: {
    'a macro that calls itself twice':
      '{% macro f(n) %}{% if n > 0 %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(60) }}',
  },
  items: {
    'a list that doubles':
      '{% set t = namespace(x=[1]) %}{% for i in range(99) %}{% set t.x = t.x + t.x %}{% endfor %}',
    'a split into letters': `${long('a ', 20)}${loop("{% set y = t.x.split('a') %}", 9)}`,
    'a split into words': `${long('a ', 20)}{% set f = t.x['split'] %}${loop('{% set y = f() %}', 9)}`,
    'lists in loops in each other': `{% set x = range(100000) %}${'{% for i in x %}'.repeat(60)}${'{% endfor %}'.repeat(60)}`,
    'an object as a list, again and again': loop('{% set y = {"a": range(29)}.a|reverse %}'),
  },
  'characters in one text': {
    'a text that doubles': long('a', 99),
    'a text times a number': "{{ 'a' * 10**9 }}",
    'a text in a wide field': "{{ '%1000000000s' % 'a' }}",
    'a format in a wide field': "{{ '{:1000000000}'.format('a') }}",
    'a wide center': "{{ 'a'.center(1000000000) }}",
    'a date in a wide field': "{{ strftime_now('%1000000000d') }}",
    'a text that is added to itself':
      "{% set t = namespace(x='a') %}{% for i in range(99) %}{% set t.x = t.x + t.x %}{% endfor %}",
    'a long output': loop('b'.repeat(5000), 10_000),
    'a wide list': `${wide(40)}{{ t.x }}`,
    'a wide list as JSON': `${wide(40)}{{ t.x|tojson }}`,
    'a wide list as a text': `${wide(40)}{{ t.x|string }}`,
    'a wide list over several lines': `${wide(40)}{{ t.x|pprint }}`,
    'a wide list, joined': `${wide(40)}{{ t.x|join }}`,
    'a wide list in a concatenation': `${wide(40)}{{ t.x ~ t.x }}`,
    'a wide list in an error': `${wide(40)}{{ raise_exception(t.x) }}`,
    'a long separator': `${long('a', 21)}{{ range(9999)|join(t.x) }}`,
    'a long separator of letters': `${long('a', 20)}{{ t.x|join(t.x) }}`,
    'long separators in JSON': `${long('a', 21)}{{ range(9999)|list|tojson(separators=[t.x, t.x]) }}`,
    'a wide indent': "{{ 'a\\nb'|indent(1000000000) }}",
    'a wide indent of a block': '{% filter indent(width=1000000000) %}a\nb{% endfilter %}',
    'a wide indent in JSON': '{{ messages|tojson(indent=100000000) }}',
    'wide line breaks': `${long('a', 20)}{{ t.x|wordwrap(1, wrapstring=t.x) }}`,
    'links that grow': `${long('a.com ', 20)}{{ t.x|urlize(target=t.x) }}`,
    'a long replacement': `${long('a', 21)}{{ t.x|replace('a', t.x) }}`,
    'a long replacement of nothing': `${long('a', 21)}{% set f = t.x.replace %}{{ f('', t.x) }}`,
    'a long replacement by a made name': `${long('a', 21)}{{ t.x['rep' ~ 'lace']('', t.x) }}`,
    'months without an end': `${long('%B', 20)}{{ strftime_now(t.x) }}`,
  },
  'characters in all its texts': {
    'a wide list as a key': `{% set t = namespace(x=(0,)) %}{% for i in range(40) %}{% set t.x = (t.x, t.x) %}{% endfor %}{{ {t.x: 1} }}`,
    'long texts that are kept': `${long('a', 20)}{% set t.l = [] %}${loop('{% set t.l = t.l + [t.x ~ n] %}', 900)}`,
    'long texts that grow': `${long('ŉ', 20)}${loop('{% set y = t.x|upper %}', 900)}`,
  },
  'characters for a template': {
    'a long template': 'a'.repeat(300_000),
    'a template of many parts': '{{1}}'.repeat(60_000),
  },
  levels: {
    'a macro that calls itself': '{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}',
    'a block that calls itself':
      '{% macro f() %}{{ caller() }}{% endmacro %}{% macro g() %}{% call f() %}{{ g() }}{% endcall %}{% endmacro %}{{ g() }}',
    'lists in each other':
      '{% set t = namespace(x=[]) %}{% for n in range(900) %}{% set t.x = [t.x] %}{% endfor %}{{ t.x }}',
    'lists in each other, as JSON':
      '{% set t = namespace(x=[]) %}{% for n in range(900) %}{% set t.x = [t.x] %}{% endfor %}{{ t.x|tojson }}',
    'loops in a recursive loop':
      '{% set t = namespace(x=[]) %}{% for n in range(900) %}{% set t.x = [t.x] %}{% endfor %}{% for a in t.x recursive %}{{ loop(a) }}{% endfor %}',
    parentheses: `{{ ${'('.repeat(100_000)}1${')'.repeat(100_000)} }}`,
    lists: `{{ ${'['.repeat(100_000)}${']'.repeat(100_000)} }}`,
    conditions: '{% if 1 %}'.repeat(12_000) + '{% endif %}'.repeat(12_000),
    signs: `{{ ${'- '.repeat(100_000)}1 }}`,
    'a long sum': `{{ 1${'+1'.repeat(100_000)} }}`,
    'a long chain of filters': `{{ 1${'|string'.repeat(30_000)} }}`,
    'a long path': `{{ a${'.a'.repeat(100_000)} }}`,
  },
};

const faults: Readonly<Record<string, string>> = {
  'a power without an end': '{{ 10 ** 100000000 }}',
  'powers of powers':
    '{% set t = namespace(x=9) %}{% for n in range(99) %}{% set t.x = t.x ** t.x %}{% endfor %}',
  'a wide number': "{{ '%.1000000000f' % 1 }}",
  'a range without an end': loop('', 1_000_000_000),
  'a range by a text': "{{ range(1, 0, '\\n') }}",
  'a list that is changed': '{% set x = [] %}{{ x.append(x) }}',
  'a format that reaches far': "{{ '{0.__class__.__mro__}'.format(1) }}",
  'code from a text': "{{ ''.constructor.constructor('return 1')() }}",
  'a wide list as a range': `${wide(40)}{{ range(t.x) }}`,
  'a wide list as a format of dates': `${wide(40)}{{ strftime_now(t.x) }}`,
  'many arguments': '{{ namespace(*range(900000)) }}',
  'a text as a list of pairs': `${long('a', 18)}{{ namespace([t.x]) }}`,
  'a long error': `${long('a', 20)}{{ raise_exception(t.x) }}`,
  'a comment without an end': '{#'.repeat(100_000),
  'tags without an end': '{%'.repeat(100_000),
  'an expression without an end': '{{ [',
};

describe('a template is stopped by the limit of', () => {
  let model: Generator;
  let turns = 0;
  let ticking: ReturnType<typeof setInterval>;
  beforeAll(async () => {
    model = await openGenerator(languageFile());
    ticking = setInterval(() => turns++);
  });
  afterAll(async () => {
    clearInterval(ticking);
    await model.dispose();
  });
  const applied = (template: string) =>
    model.applyChatTemplate([{ role: 'user', content: 'Hi' }], { template });

  const cases = Object.entries(limits).flatMap(([limit, templates]) =>
    Object.entries(templates).map(([name, template]) => [limit, name, template] as const),
  );
  test.each(cases)('%s: %s', async (limit, _, template) => {
    const error = await applied(template).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'LimitExceeded', path: 'chatTemplate' });
    // A fast machine takes all steps or items before the time is over, and a slow one does not.
    const words = limit === 'the time' ? 'steps|items' : limit;
    expect((error as Error).message).toMatch(new RegExp(`memory|\\d+ (seconds|${words})`));
  });

  test.each(Object.entries(faults))('or fails: %s', async (_, template) => {
    const error = await applied(template).catch((error: unknown) => error);
    expect(error).toMatchObject({ name: 'AmbryError', path: 'chatTemplate' });
    // On a slow machine the time may be over first.
    const isBad = (error as AmbryError).code === 'BadValue';
    if (!isBad) {
      expect((error as Error).message).toMatch(/\d+ seconds/);
    }
    expect((error as Error).message.length).toBeLessThan(3000);
  });

  test('and the caller and the model go on', async () => {
    expect(turns).toBeGreaterThan(cases.length);
    expect(await applied('{{ messages[0].content }}')).toBe('Hi');
    expect((await model.generate('Hello', { maxTokens: 4 }).result).ids).toHaveLength(4);
  });
});
