// Every function that a module binds has a declaration with the same types, and nothing else is declared. The compiler
// knows the declarations (wasm/declarations) only, and C++ the bindings only.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readModules } from '../../wasm/module-files.mjs';
import { type Declarations, declaredIn, readDeclarations } from './declared.ts';
import { registeredIn } from './registered.ts';
import { differences } from './signature.ts';

const built = fileURLToPath(new URL('../../web/src/wasm/', import.meta.url));
const declarations = readDeclarations(readdirSync(built).filter((name) => name.endsWith('.d.mts')));

test.each(readModules())('$name binds what $type declares', async ({ name, type }) => {
  const bound = await registeredIn(name);
  expect(bound.size).toBeGreaterThan(8);
  expect(differences(bound, declaredIn(declarations, type))).toEqual([]);
});

describe('names the function and both signatures when there is', async () => {
  const bound = await registeredIn('ambry-encoder-small');

  const found = (file: string, from: string, to: string): string[] => {
    const text = declarations.get(file) ?? '';
    expect(text).toContain(from);
    const changed: Declarations = new Map([...declarations, [file, text.replace(from, to)]]);
    return differences(bound, declaredIn(changed, 'EncoderSmallModule'));
  };

  test('a binding without a declaration', () => {
    expect(found('core.d.mts', 'release(handle: Handle): boolean;', '')).toEqual([
      'release is bound as (number) => boolean, and not declared',
    ]);
  });

  test('a declaration without a binding', () => {
    const added = 'simdFlavour(): string;\n  wait(ms: number): OutcomeText<null>;';
    expect(found('core.d.mts', 'simdFlavour(): string;', added)).toEqual([
      'wait is not bound, and declared as (number) => string',
    ]);
  });

  test('another number of parameters', () => {
    expect(found('core.d.mts', 'sink: ByteSink, n: number', 'sink: ByteSink')).toEqual([
      'commit is bound as (number, number) => string, and declared as (number) => string',
    ]);
  });

  test('a parameter of another type', () => {
    expect(found('tokens.d.mts', 'ids: string', 'ids: Uint8Array')).toEqual([
      'detokenize is bound as (number, string, boolean) => string, and declared as (number, Uint8Array, boolean) => string',
    ]);
  });

  test('an overload that crosses in another way', () => {
    const text = declarations.get('texts.d.mts') ?? '';
    const from = "kind: 'score', model: EncoderModel, options: string";
    expect(text).toContain(from);
    const to = "kind: 'score', model: EncoderModel, options: Uint8Array";
    const changed = new Map([...declarations, ['texts.d.mts', text.replace(from, to)]]);
    expect(() => declaredIn(changed, 'EncoderSmallModule')).toThrow(
      'beginTexts is declared as (string, number, string) => string and as (string, number, Uint8Array) => string',
    );
  });

  test('another result', () => {
    expect(
      found('core.d.mts', 'release(handle: Handle): boolean', 'release(handle: Handle): void'),
    ).toEqual(['release is bound as (number) => boolean, and declared as (number) => void']);
  });

  test('a declaration of a binding that the module does not link', () => {
    const lines = found(
      'module.d.mts',
      'EncoderSmallModule extends',
      'EncoderSmallModule extends InspectionBindings,',
    );
    expect(lines).toHaveLength(4);
    expect(lines[0]).toBe(
      'beginValidation is not bound, and declared as (number, boolean, boolean, boolean, boolean) => string',
    );
  });
});
