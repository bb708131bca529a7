// Templates made by chance, of the values, operators, filters, tests and methods that jinja2 has.

export const randomNames = {
  s: 'Hello wide  World',
  t: 'a😀é,b\n c',
  n: 3,
  f: 2.5,
  neg: -7,
  l: [3, 1, 2],
  w: ['b', 'A', 'c', 'a'],
  d: { b: 1, a: [1, 'x', null], é: { k: true } },
  ms: [
    { role: 'user', content: 'hi', n: 2 },
    { role: 'assistant', content: null, n: 1 },
    { role: 'user', content: 'yo\n', tool: { name: 'f' } },
  ],
  none_: null,
  yes: true,
  e: [],
};

const atoms = [
  ...Object.keys(randomNames).filter((name) => name !== 'e'),
  ...['nope', 'none', 'true', 'false', '0', '1', '-1', '2', '1.5', "''", "'a'", "'b,c'", "' x '"],
  ...['[]', '{}', '()', '(1,)', "{'a': 1}", "[1, 'a']", 'range(3)', "'%s'", "'{}'", 'ms[0]'],
  ...['d.a', 'ms[0].content', 'd.nope', "'Abc'", '10', "'12'", "'é'", "'<&>'", 'namespace(a=1)'],
];
const binaries = [
  '+',
  '-',
  '*',
  '/',
  '//',
  '%',
  '**',
  '~',
  '==',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
].concat(['in', 'not in', 'and', 'or']);
const filters = [
  ...[
    'abs',
    'capitalize',
    'center(9)',
    "d('x')",
    "default('x', true)",
    'dictsort',
    'e',
    'first',
    'float',
  ],
  ...[
    'int',
    'items|list',
    "join(',')",
    'join',
    'last',
    'length',
    'list',
    'lower',
    "map('string')|list",
  ],
  ...[
    "map(attribute='role')|list",
    "map('upper')|join('-')",
    'max',
    'min',
    "reject('none')|list",
    'reverse',
  ],
  ...[
    "rejectattr('role', 'eq', 'user')|list",
    "replace('a', 'b')",
    'reverse|list',
    'round',
    'round(1)',
    'safe',
  ],
  ...[
    'select|list',
    "selectattr('content')|list",
    'sort',
    'sort(reverse=true)',
    'string',
    'sum',
    'title',
  ],
  ...[
    'tojson',
    'tojson(indent=2)',
    'tojson(sort_keys=true)',
    'trim',
    "trim('a')",
    'truncate(6)',
    'unique|list',
  ],
  ...[
    'upper',
    'urlencode',
    'wordcount',
    'batch(2)|list',
    'slice(2)|list',
    'indent(2)',
    'indent(1, true, true)',
  ],
  ...[
    "groupby('role')",
    "sort(attribute='n')",
    "map('int')|sum",
    'int(7)',
    'xmlattr',
    'filesizeformat',
    'count',
  ],
  ...[
    "map('length')|list",
    "map('trim')|list",
    "select('string')|list",
    "attr('role')",
    "format('a')",
    'nope',
  ],
];
const tests = [
  ...[
    'defined',
    'undefined',
    'none',
    'string',
    'number',
    'integer',
    'float',
    'mapping',
    'sequence',
  ],
  ...[
    'iterable',
    'odd',
    'even',
    'divisibleby 2',
    'eq 1',
    'in [1, 2]',
    'lower',
    'upper',
    'true',
    'false',
  ],
  ...['callable', 'boolean', 'escaped', 'sameas none', 'gt 1', "lt 'b'", "ne ''"],
];
const accesses = [
  ...[
    '.role',
    '.a',
    '.b',
    '.é',
    '.keys()',
    '.values()|list',
    '.items()|list',
    "['a']",
    '[0]',
    '[-1]',
    '[9]',
  ],
  ...["['role']", '.upper()', '.strip()', ".split(',')", '.split()'],
  ...[
    ".get('a')",
    ".get('z', 1)",
    '.title()',
    ".replace('a', 'b')",
    ".startswith('a')",
    ".find('a')",
  ],
  ...[
    ".count('a')",
    '.index(1)',
    ".join(['x', 'y'])",
    ".format('q', 1)",
    '.splitlines()',
    '.isdigit()',
  ],
  ...[
    '.capitalize()',
    '.zfill(4)',
    ".rsplit(' ', 1)",
    ".partition(',')",
    ".lstrip('a ')",
    '.nope',
    '.append(1)',
  ],
  ...[
    '.swapcase()',
    '.islower()',
    ".removeprefix('a')",
    '.center(7)',
    ".rfind('a')",
    '.isalpha()',
    '.copy()',
  ],
];
const names = Object.keys(randomNames);
const slices = ['[1:]', '[:-1]', '[::-1]', '[::2]', '[-2:]', '[1:99]', '[n:]', '[:f]'];
/** Numbers as texts, as `%` and `format` write them. */
const formats = [
  ...[
    "'%d' % ",
    "'%05.1f' % ",
    "'%s|' % ",
    "'%r' % ",
    "'%x' % ",
    "'%e' % ",
    "'%g' % ",
    "'%5s|%%' % ",
    "'%-6d|' % ",
  ],
];
const specs = [
  '',
  '5',
  '>8',
  '<8',
  '^9',
  '*^9',
  '05',
  '+',
  ',',
  '_',
  'd',
  'x',
  '#x',
  'b',
  'e',
  '.2f',
  '10.3f',
  '%',
].concat(['.3', 'g', 'c', 's', '08,.1f', 'n', '=+9']);

export class RandomTemplates {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  #below(count: number): number {
    // Numbers of mulberry32.
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
  }

  #of<T>(list: readonly T[]): T {
    return list[this.#below(list.length)] as T;
  }

  expression(depth: number): string {
    if (depth <= 0) {
      return this.#of(atoms);
    }
    const inner = () => this.expression(depth - 1 - this.#below(2));
    switch (this.#below(13)) {
      case 0:
      case 1:
        return `(${inner()} ${this.#of(binaries)} ${inner()})`;
      case 2:
      case 3:
      case 4:
        return `(${inner()}|${this.#of(filters)})`;
      case 5:
        return `(${inner()} is ${this.#below(3) ? '' : 'not '}${this.#of(tests)})`;
      case 6:
      case 7:
      case 8:
        return this.#below(5)
          ? `${inner()}${this.#of(accesses)}`
          : `${this.#of(names)}${this.#of(slices)}`;
      case 9:
        return `(${inner()} if ${inner()} else ${inner()})`;
      case 10:
        return this.#of([
          `[${inner()}, ${inner()}]`,
          `{'k': ${inner()}}`,
          `(not ${inner()})`,
          `(-${inner()})`,
        ]);
      case 11:
        return `(${this.#of(formats)}${inner()})`;
      default:
        return `'{:${this.#of(specs)}}'.format(${inner()})`;
    }
  }

  template(): string {
    const value = () => this.expression(2);
    const body = (depth: number): string => {
      const parts = Array.from({ length: 1 + this.#below(3) }, () =>
        this.#statement(depth, body, value),
      );
      return parts.join(this.#of(['', '\n', ' ', '\n  ', 'x']));
    };
    return body(2);
  }

  #statement(depth: number, body: (depth: number) => string, value: () => string): string {
    const name = this.#of(['x', 'y', 's', 'ms']);
    const [open, close] = this.#of([
      ['{%', '%}'],
      ['{%-', '%}'],
      ['{%', '-%}'],
      ['{%+', '%}'],
      ['{%', '+%}'],
    ] as const);
    if (depth === 0) {
      return this.#of([
        `{{ ${value()} }}`,
        `{{- ${name} -}}`,
        `${open} set ${name} = ${value()} ${close}`,
        'text',
        '{# c #}',
        `{{ ${name} }}`,
      ]);
    }
    const inner = () => body(depth - 1);
    switch (this.#below(9)) {
      case 0:
        return `${open} if ${value()} ${close}${inner()}${open} elif ${value()} ${close}${inner()}{% endif %}`;
      case 1:
        return `${open} if ${name} ${close}\n${inner()}\n${open} else ${close}${inner()}{% endif ${close}`;
      case 2:
        return `{% for x in ${value()} ${close}${inner()}{{ loop.index }}{{ loop.last }}${open} endfor %}`;
      case 3:
        return `{% for ${name} in ms if ${name}.n ${close}${inner()}{% if loop.index > 1 %}{% ${this.#of(['break', 'continue'])} %}{% endif %}.{% else %}${inner()}{% endfor %}`;
      case 4:
        return `{% macro m(${name}, z=${value()}) %}${inner()}{{ z }}{% endmacro %}{{ m(${value()}) }}`;
      case 5:
        return `${open} set ${name} ${close}${inner()}${open} endset ${close}`;
      case 6:
        return `{% with ${name} = ${value()} %}${inner()}{% endwith %}`;
      case 7:
        return `{% filter ${this.#of(['upper', 'trim', 'indent', "replace('a', 'b')"])} ${close}${inner()}{% endfilter %}`;
      default:
        return this.#statement(0, body, value);
    }
  }
}
