// Templates made by chance, of the values, operators, filters, tests and methods that jinja2 has.
import {
  accesses,
  atoms,
  binaries,
  filters,
  formats,
  names,
  slices,
  specs,
  tests,
} from './template-parts.ts';

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
    switch (this.#below(17)) {
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
      case 8:
        return `{% set ns = namespace(${name}=${value()}) ${close}{% for y in ${value()} %}${open} set ns.${name} = ${this.#of(['loop.index', 'y', `ns.${name} ~ y`])} ${close}${inner()}{% endfor %}{{ ns.${name} }}`;
      case 9:
        return `{% macro c(${name}) ${close}<{{ caller(${name}, 1) }}{{ varargs|length }}>{% endmacro %}${open} call(x, q) c(${value()}, ${value()}) ${close}{{ q }}{{ x }}${inner()}{% endcall %}`;
      case 10:
        return `{% for x in ms recursive ${close}{{ loop.depth }}{{ x.n }}${inner()}{% if x.tool %}{{ loop([x.tool]) }}{% endif %}{% endfor %}`;
      case 11:
        return `{% for x, y in ${this.#of(['d.items()', 'd|items', 'd|dictsort', '[(1, 2), "ab"]', 'ms', '[l]'])} ${close}{{ loop.first }}{{ x }}=${inner()}{{ loop.previtem is defined }}{{ loop.nextitem|default('-') }}{% endfor %}`;
      case 12:
        return `{#${this.#of(['', '-', '+'])} c ${this.#of(['', '-', '+'])}#}${this.#of(['\n', '  ', '\n  '])}${inner()}${this.#of(['\n', '  \n', ''])}{#- ${name} #}`;
      case 13:
        return `${open} raw ${close}{{ ${name} }}\n {%- x %}${open} endraw ${close}${inner()}`;
      case 14:
        return `{% for x in l %}{{ loop.cycle(${value()}, 'b') }}{{ loop.changed(${value()}) }}{% if loop.index ${this.#of(['==', '>'])} 2 %}${open} ${this.#of(['continue', 'break'])} ${close}{% endif %}{{ loop.revindex0 }}${inner()}{% endfor %}`;
      case 15:
        return `${open} set ${name} | ${this.#of(filters)} ${close}${inner()}{% endset %}{{ ${name} }}${open} set x, y = ${value()} ${close}{{ y }}`;
      default:
        return this.#statement(0, body, value);
    }
  }
}
