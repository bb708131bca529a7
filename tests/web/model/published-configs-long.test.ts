// The config.json of published language models, with small sizes: the directories open, give the logits of
// tests/reference/models/published_configs.py, and give the same ones as AMB and GGUF.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Files } from '../support/directories/model-directories.ts';
import { type MadeTensor, madeWeights } from '../support/models/made-weights.ts';
import { openGenerator } from '../support/open-kinds.ts';
import { ambry } from '../support/package.ts';

interface PublishedConfig {
  readonly repository: string;
  readonly config: object;
  readonly tensors: readonly MadeTensor[];
  readonly ids: readonly number[];
  /** Logits of the last positions. */
  readonly logits: readonly (readonly number[])[];
}

const folder = new URL('../../fixtures/published_configs/', import.meta.url);
const cases = readdirSync(folder).map(
  (name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as PublishedConfig,
);

const directoryOf = ({ config, tensors }: PublishedConfig): Files =>
  new Map([
    ['config.json', new TextEncoder().encode(JSON.stringify(config))],
    ['model.safetensors', madeWeights(tensors)],
  ]);

/** How far the logits of a source are from those of the reference. */
async function differenceOf(
  source: Files | Blob,
  { ids, logits }: PublishedConfig,
): Promise<number> {
  await using model = await openGenerator(source);
  const rows = await model.logits(ids, { all: true });
  const width = model.info.generator.vocabulary;
  const first = ids.length - logits.length;
  const differences = logits.flatMap((row, i) =>
    row.map((value, j) => Math.abs(value - (rows[(first + i) * width + j] as number))),
  );
  return Math.max(...differences);
}

/** The reference computes in float64, and has one epsilon for each architecture. */
const most = 2e-4;

test('there are many', () => {
  expect(cases.length).toBeGreaterThan(12);
});

describe.each(cases)('$repository', (one) => {
  test('opens, converts, and gives the logits of the reference', async () => {
    const directory = directoryOf(one);
    expect(await differenceOf(directory, one)).toBeLessThan(most);
    const amb = await ambry.convert(directory, { to: 'amb' });
    expect(await differenceOf(amb, one)).toBeLessThan(most);
    const gguf = await ambry.convert(amb, { to: 'gguf' });
    expect(await differenceOf(gguf, one)).toBeLessThan(most);
  });
});
