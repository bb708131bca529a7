// `ambry embed` with sparse encoders.
import { beforeAll, describe, expect, test } from 'vitest';
import type { SparseVector } from '../../../../web/src/entries/types.ts';
import { cliFolder } from '../../support/cli/cli-folder.ts';
import { writeDirectory } from '../../support/cli/reader-files.ts';
import { ambryCli } from '../../support/cli/shared-cli.ts';
import {
  allOutputsDirectory,
  routedDirectory,
  spladeDirectory,
  tokenWeightsDirectory,
} from '../../support/directories/sparse-directories.ts';
import { ambry } from '../../support/package.ts';

const { at, model: encoder } = await cliFolder();
const [splade, routed, tokens] = [at('splade'), at('routed'), at('tokens')] as const;
const m3 = at('m3');
const text = 'the cat sat';

interface Printed {
  readonly text: string;
  readonly ids: readonly number[];
  readonly weights: readonly number[];
  readonly words: readonly string[];
}

beforeAll(async () => {
  await writeDirectory(splade, spladeDirectory());
  await writeDirectory(routed, routedDirectory());
  await writeDirectory(tokens, tokenWeightsDirectory());
  await writeDirectory(m3, allOutputsDirectory());
});

function expectPrinted(printed: Printed | undefined, vector: SparseVector) {
  expect(printed?.ids).toEqual([...vector.ids]);
  expect(printed?.words).toEqual(vector.words);
  for (const [i, weight] of vector.weights.entries()) {
    expect(printed?.weights[i]).toBeCloseTo(weight, 5);
  }
}

describe('embed of a sparse encoder', () => {
  test('prints words and weights', async () => {
    const run = await ambryCli(['embed', splade, text, '-k', '2']);
    expect(run).toMatchObject({ code: 0, err: '' });
    await using model = await ambry.open(spladeDirectory(), { kind: 'sparseEncoder' });
    const { words } = await model.embedSparse(text, { k: 2, words: true });
    const printed = run.out.trim().split('  ');
    expect(printed.map((each) => each.replace(/ [\d.e-]+$/, ''))).toEqual(words);
  });

  test('prints JSON, and lines of JSON', async () => {
    await using model = await ambry.open(routedDirectory(), { kind: 'sparseEncoder' });
    const texts = [text, 'a dog'];
    const run = await ambryCli(['embed', routed, ...texts, '--json', '--as', 'query']);
    const printed = run.json() as Printed[];
    expect(printed.map((line) => line.text)).toEqual(texts);
    for (const [i, each] of texts.entries()) {
      expectPrinted(printed[i], await model.embedSparse(each, { as: 'query', words: true }));
    }
    const lines = await ambryCli(
      ['embed', routed, '--jsonl', '-k', '3'],
      `{"id": "a", "text": "${text}"}\n`,
    );
    const [line] = lines.json() as (Printed & { id: string })[];
    expect(line?.id).toBe('a');
    expectPrinted(line, await model.embedSparse(text, { k: 3, words: true }));
  });

  test('of a model that is also an encoder needs --sparse', async () => {
    const dense = await ambryCli(['embed', tokens, text, '--json']);
    expect(dense.json()).toMatchObject([{ text, vector: expect.any(Array) }]);
    const sparse = await ambryCli(['embed', tokens, text, '--json', '--sparse']);
    expect(sparse.json()).toMatchObject([{ text, words: expect.any(Array) }]);
  });

  test('refuses options of the other sort of vectors', async () => {
    const npy = await ambryCli(['embed', splade, text, '--npy', at('out.npy')]);
    expect(npy.code).not.toBe(0);
    expect(npy.err).toContain('--npy is for dense vectors');
    const pooled = await ambryCli(['embed', tokens, text, '--sparse', '--pooling', 'cls']);
    expect(pooled.err).toContain('--pooling is for dense vectors');
    const k = await ambryCli(['embed', encoder, text, '-k', '3']);
    expect(k.err).toContain('-k is for sparse encoders');
    const zero = await ambryCli(['embed', splade, text, '-k', '0']);
    expect(zero.code).not.toBe(0);
    const none = await ambryCli(['embed', encoder, text, '--sparse']);
    expect(none.err).toContain('sparse');
  });
});

describe('embed with all outputs', () => {
  interface PrintedAll extends Printed {
    readonly vector: readonly number[];
    readonly tokens: readonly (readonly number[])[];
  }

  test('prints the vector, the words and the vectors of the tokens', async () => {
    await using model = await ambry.open(allOutputsDirectory(), { kind: 'encoder' });
    const all = await model.embedAll(text, { k: 2, words: true });
    const expectAll = (printed: PrintedAll | undefined) => {
      expectPrinted(printed, all.sparse);
      for (const [found, expected] of [
        [printed?.vector, all.dense],
        [printed?.tokens.flat(), all.tokens],
      ] as const) {
        expect(found?.length).toBe(expected.length);
        expect(found?.every((value, i) => Math.abs(value - (expected[i] ?? 0)) < 1e-5)).toBe(true);
      }
    };
    const run = await ambryCli(['embed', m3, text, '--all', '--json', '-k', '2']);
    expectAll((run.json() as PrintedAll[])[0]);
    const line = `{"id": "a", "text": "${text}"}\n`;
    const lines = await ambryCli(['embed', m3, '--all', '--jsonl', '-k', '2'], line);
    const [printed] = lines.json() as (PrintedAll & { id: string })[];
    expect(printed?.id).toBe('a');
    expectAll(printed);
  });

  test('refuses what does not go with it', async () => {
    const plain = await ambryCli(['embed', m3, text, '--all']);
    expect(plain.err).toContain('Add --json or --jsonl');
    const dim = await ambryCli(['embed', m3, text, '--all', '--dim', '2']);
    expect(dim.err).toContain('--dim and --all cannot be used together');
    const other = await ambryCli(['embed', encoder, text, '--all', '--json']);
    expect(other.code).not.toBe(0);
    expect(other.out + other.err).toContain('BGE-M3');
  });
});
