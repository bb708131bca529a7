// Each list of the package is written once. A second copy is an array or a union whose members are all of one list:
// three of them, or the whole list.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as tables from '../../web/src/entries/tables.ts';
import { passageFileTypes } from '../../web/src/passages/base/file-types.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

/** The lists of `ambry/tables` whose members are strings, and some that are columns of a table. */
const lists: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...Object.entries<unknown>(tables).flatMap(([name, value]) =>
    isListOfTexts(value) ? [[name, new Set(value)] as const] : [],
  ),
  ['format ids', new Set(tables.formats.map(({ id }) => id))],
  ['extensions', new Set(tables.formats.flatMap(({ extensions }) => extensions))],
  ['names of dtypes', new Set(tables.dtypes.map(({ name }) => name))],
  ['passageFileTypes', new Set(passageFileTypes)],
]);

function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((member) => typeof member === 'string');
}

/** Where the lists are, and copies that a test or the compiler compares. */
const owners: ReadonlyMap<string, string> = new Map([
  ['web/src/image-classifier/types.ts', 'the types of traced numbers in memory'],
  ['web/src/generator/base/decision-types.ts', 'scoreNormalizations'],
  ['web/src/generator/base/types.ts', 'answerForms, trimPolicies'],
  ['web/src/model/embed-types.ts', 'poolings, truncations'],
  ['web/src/model/types.ts', 'weightStorages, keyValueTypes, devices'],
  ['web/src/gpu/plan.ts', 'native tests and e2e/package/gpu.spec.ts run what the core numbers so'],
  ['web/src/distill/types.ts', 'distillTypes'],
  ['web/src/classification-head/types.ts', 'problemTypes, scoreActivations'],
  ['web/src/passages/base/file-types.ts', 'passageFileTypes'],
  ['web/src/search/base/types.ts', 'vectorStorages'],
  ['web/src/convert/convert-types.ts', 'keptHeads'],
  ['web/src/late-interaction/types.ts', 'textRoles'],
  ['web/src/text-classifier/types.ts', 'labelLosses'],
  ['web/src/token-classifier/types.ts', 'aggregations'],
  ['web/src/token-head/offsets.ts', 'offsetUnits'],
  ['web/src/words/types.ts', 'wordMetrics, analogyWords'],
  ['web/demo/shared/files/file-types.ts', 'identify-files.test.ts compares documentTypes'],
  ['web/demo/words/session/question.ts', 'the compiler compares questionWords'],
]);

const text = "'[^'\\n]*'";
const array = RegExp(`\\[\\s*(${text}(?:\\s*,\\s*${text})+),?\\s*\\]`, 'g');
const union = RegExp(`(${text}(?:\\s*\\|\\s*${text})+)`, 'g');

/** Copies in the text of a file, each with the list that it repeats. */
function copiesIn(source: string): string[] {
  return [...source.matchAll(array), ...source.matchAll(union)].flatMap(([, members = '']) => {
    const names = new Set([...members.matchAll(/'([^']*)'/g)].map(([, name = '']) => name));
    return [...lists]
      .filter(([, list]) => [...names].every((name) => list.has(name)))
      .filter(([, list]) => names.size >= Math.min(3, list.size))
      .map(([list]) => `${[...names].join(', ')} (${list})`);
  });
}

describe('a second copy', () => {
  it('is an array or a union of members of one list', () => {
    expect(copiesIn("const a = ['f32', 'f16', 'bf16'];")).toContain(
      'f32, f16, bf16 (targetDTypes)',
    );
    expect(copiesIn("type A = 'int8' | 'f32';")).toEqual(['int8, f32 (vectorStorages)']);
    expect(copiesIn("open(['encoder', 'words'])")).toEqual([]);
    expect(copiesIn("['tokens', 'bytes', 'texts']")).toEqual([]);
  });

  it('is in no file of the package and the pages', () => {
    const found = ['web/src', 'web/demo'].flatMap((folder) =>
      readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' })
        .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
        .filter((path) => path.endsWith('.ts') && !path.startsWith('web/src/wasm/'))
        .filter((path) => !owners.has(path))
        .flatMap((path) => copiesIn(read(path)).map((copy) => `${path}: ${copy}`)),
    );
    expect(found).toEqual([]);
  });

  it.each([...owners])('is excused in %s, for %s', (path) => {
    expect(copiesIn(read(path))).not.toEqual([]);
  });
});
