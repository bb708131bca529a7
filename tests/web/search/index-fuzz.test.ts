// Index files changed by chance: each is loaded and searched, or refused with an error that says what is wrong.
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { maskDirectory } from '../support/directories/token-head-directories.ts';
import { headerOf, withChecksum, withHeader } from '../support/files/index-files.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { Mutants } from '../support/mutants.ts';
import { openEncoder } from '../support/open-kinds.ts';
import { ambry, smallModel } from '../support/package.ts';
import { fuzzSize } from '../tokenizer/support/fuzz-size.ts';

const { AmbryError, createIndex, openIndex } = ambry;
const model = await forAllTests(openEncoder(await smallModel()));
const docs = ['the cat sat on the mat', 'a dog runs home', 'water is deep'].map((text, i) => ({
  id: `d${i}`,
  text,
  meta: { title: `T${i}`, tags: ['a', i] },
}));
await using index = await createIndex(model, docs, { language: ['en', 'de'] });
const sparse = await forAllTests(ambry.open(maskDirectory(), { kind: 'sparseEncoder' }));
await using both = await createIndex(model, docs, { sparse });
const file = new Uint8Array(await (await index.save()).arrayBuffer());
const fused = new Uint8Array(await (await both.save()).arrayBuffer());

/** Loads and searches. What nobody may see is thrown: an error that is not typed, or a crash. */
async function isTaken(bytes: Uint8Array<ArrayBuffer>, more = {}): Promise<boolean> {
  try {
    await using loaded = await openIndex(bytes, { model, ...more });
    await loaded.search('cat', { k: 3 });
    await loaded.search('cat', { k: 3, hybrid: true });
    return true;
  } catch (error) {
    if (error instanceof AmbryError && error.code !== 'Crashed' && error.message !== '') {
      return false;
    }
    throw error;
  }
}

async function tried(
  change: (mutants: Mutants) => Uint8Array<ArrayBuffer>,
  seed: number,
  more = {},
) {
  const mutants = new Mutants(seed);
  const outcomes: boolean[] = [];
  for (let i = 0; i < fuzzSize(600); i++) {
    const bytes = change(mutants);
    await isTaken(bytes, more).then(
      (taken) => outcomes.push(taken),
      (error) => {
        throw new Error(`seed ${seed}, file ${i}: ${error}`, { cause: error });
      },
    );
  }
  return outcomes;
}

test('the file itself is taken', async () => {
  expect(await isTaken(file.slice())).toBe(true);
  expect(await isTaken(withHeader(file, deflateSync(JSON.stringify(headerOf(file)))))).toBe(true);
});

test('with other bytes, and the right checksum', async () => {
  const outcomes = await tried((mutants) => withChecksum(mutants.bytes(file)), 1);
  expect(outcomes).toContain(false);
}, 600_000);

test('with sparse vectors before the others, in two files', async () => {
  expect(await isTaken(fused.slice(), { sparse })).toBe(true);
  const first = Number(new DataView(fused.buffer).getBigUint64(40, true));
  const outcomes = await tried(
    (mutants) => {
      const one = withChecksum(mutants.bytes(fused.slice(0, first)));
      const other = withChecksum(mutants.bytes(fused.slice(first)));
      return Uint8Array.from([...one, ...other]);
    },
    3,
    { sparse },
  );
  expect(outcomes).toContain(false);
}, 600_000);

test('with other passages and facts', async () => {
  const outcomes = await tried((mutants) => {
    const header = JSON.stringify(mutants.json(headerOf(file)));
    return withHeader(file, deflateSync(header));
  }, 2);
  expect(new Set(outcomes)).toEqual(new Set([true, false]));
}, 600_000);
