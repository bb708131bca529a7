// The parts of the playground that work without a page.
import { describe, expect, test, vi } from 'vitest';
import { checkImports, moduleOf } from '../../../../web/demo/playground/code-parts.ts';
import { maxOutput, Printer } from '../../../../web/demo/playground/printer.ts';
import { shown } from '../../../../web/demo/playground/shown.ts';

describe('moduleOf', () => {
  test.each([
    ['go();', 'export async function main(console) {go();\n}'],
    [
      "// First.\nimport { a } from 'ambry';\nimport 'b'\ngo();",
      "// First.\nimport { a } from 'ambry';\nimport 'b'\nexport async function main(console) {go();\n}",
    ],
    [
      "const a = await import('a');",
      "export async function main(console) {const a = await import('a');\n}",
    ],
    ['important();', 'export async function main(console) {important();\n}'],
  ])('%j is %j', (code, module) => expect(moduleOf(code)).toBe(module));
});

describe('checkImports', () => {
  const modules = { ambry: { open: 1, convert: 2 } };

  test.each([
    ["import { open, convert as make } from 'ambry';"],
    ["import * as all from 'ambry'; all.fly();"],
    ['go("import { fly } from \'ambry\'");'],
  ])('takes %s', (code) => checkImports(code, modules));

  test.each([
    ["import { open, fly } from 'ambry';", 'ambry has no export fly.'],
    ["import _ from 'lodash';", 'There is no module lodash here. There are ambry.'],
  ])('refuses %s', (code, message) => {
    expect(() => checkImports(code, modules)).toThrow(new SyntaxError(message));
  });
});

describe('shown', () => {
  const circle: unknown[] = [];
  circle.push(circle);
  test.each([
    ['a text', 'a text'],
    [1.5, '1.5'],
    [undefined, 'undefined'],
    [3n, '3n'],
    [{ a: [1] }, '{\n  "a": [\n    1\n  ]\n}'],
    [new Float32Array(2), 'Float32Array(2) [0, 0]'],
    [new Uint8Array(9), 'Uint8Array(9) [0, 0, 0, 0, 0, 0, 0, 0, …]'],
    [new Blob(['ab']), 'Blob of 2 bytes'],
    [new TypeError('no'), 'TypeError: no'],
    [circle, ''],
  ])('%o is %j', (value, text) => expect(shown(value)).toBe(text));
});

describe('Printer', () => {
  test('joins the lines of a short time, and flushes the rest', () => {
    vi.useFakeTimers({ now: 1000 });
    const posted: string[] = [];
    const printer = new Printer((text) => posted.push(text));
    for (const line of ['a', 'b', 'c']) {
      printer.print(line);
    }
    expect(posted).toEqual(['a\n']);
    vi.advanceTimersByTime(50);
    expect(posted).toEqual(['a\n', 'b\nc\n']);
    printer.print('d');
    printer.flush();
    expect(posted).toEqual(['a\n', 'b\nc\n', 'd\n']);
    vi.useRealTimers();
  });

  test('refuses more than a page can show', () => {
    const printer = new Printer(() => {});
    expect(() => printer.print('x'.repeat(maxOutput))).toThrow(RangeError);
  });
});
