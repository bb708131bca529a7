// Word vectors through the whole package: lookups, nearest words, analogies, accuracy, sentences.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WordVectors } from '../../../web/src/index.ts';
import { dataPath } from '../../data-folder.mjs';
import { describeWithData } from '../support/data.ts';
import { unitRow, wordFile } from '../support/files/word-files.ts';
import { openWords } from '../support/open-kinds.ts';
import { ambry, smallModel } from '../support/package.ts';

const testFiles = dataPath('finalfusion');

/** On a circle, so that what is near is plain; `east` and `west` are opposite. */
const places = { east: 0, north: 90, west: 180, south: 270, northeast: 45 };
const radians = Math.PI / 180;
const points = wordFile({
  words: Object.keys(places),
  dim: 2,
  row: (i) => {
    const angle = (Object.values(places)[i] ?? 0) * radians;
    return [Math.cos(angle), Math.sin(angle)];
  },
  norms: [1, 2, 3, 4, 5],
  metadata: 'made = "here"\n',
});

let model: WordVectors;
beforeAll(async () => {
  model = await openWords(points);
});
afterAll(() => model.dispose());

test('the option kind chooses the reader, and a file of another kind is rejected', async () => {
  await using said = await openWords(points, { kind: 'words' });
  expect(said.size).toBe(5);
  const encoder = ambry.open(await smallModel(), { kind: 'words' });
  await expect(encoder).rejects.toMatchObject({ code: 'BadMagic', byteOffset: 0 });
});

describe('a small file', () => {
  test('describes its contents', () => {
    expect(model.info.words).toMatchObject({
      kind: 'simple',
      storage: 'array',
      size: 5,
      dim: 2,
      rows: 5,
    });
    expect(model.info.words.hasNorms).toBe(true);
    expect(model.dim).toBe(2);
    expect(model.info).toMatchObject({ format: 'finalfusion', metadata: { made: 'here' } });
  });

  test('gives vectors, their norms, and zeros for unknown words', async () => {
    expect([...((await model.vector('east')) ?? [])]).toEqual([1, 0]);
    expect(await model.vector('up')).toBeNull();
    const { vectors, norms, found } = await model.vectors(['west', 'up', 'south'], {
      unnormalized: true,
    });
    expect(found).toEqual(['known', 'none', 'known']);
    expect([...norms]).toEqual([3, 0, 4]);
    expect(vectors).toHaveLength(6);
    expect(vectors[0]).toBeCloseTo(-3, 5);
    expect([...vectors.subarray(2, 4)]).toEqual([0, 0]);
    expect(vectors[5]).toBeCloseTo(-4, 5);
    expect((await model.vectors([])).vectors).toHaveLength(0);
  });

  test('finds the nearest words by word and by vector', async () => {
    const near = await model.similar('north', { k: 2 });
    expect(near[0]).toMatchObject({ word: 'northeast' });
    expect(near[0]?.score).toBeCloseTo(Math.SQRT1_2, 6);
    expect(near).toHaveLength(2);
    expect(await model.similar('north', { k: 9 })).toHaveLength(4);
    const [angular] = await model.similar('north', { k: 1, metric: 'angular' });
    expect(angular?.score).toBeCloseTo(0.75, 6);
    const [best] = await model.similar(Float32Array.of(0, -7));
    expect(best).toMatchObject({ word: 'south' });
    const [other] = await model.similar('north', { k: 1, exclude: ['northeast'] });
    expect(other?.word).not.toBe('northeast');
  });

  test('answers analogies, with the words of the question only if they are included', async () => {
    const [best] = await model.analogy('east', 'north', 'north', { k: 1 });
    expect(best?.word).toBe('west');
    const included = await model.analogy('east', 'north', 'north', { k: 9, include: ['a', 'b'] });
    expect(included.map(({ word }) => word).sort()).toEqual(['east', 'northeast', 'south', 'west']);
  });

  test('names the missing word', async () => {
    await expect(model.similar('up')).rejects.toMatchObject({ code: 'NotFound', path: 'word' });
    await expect(model.analogy('east', 'up', 'west')).rejects.toMatchObject({ path: 'b' });
    await expect(model.analogy('east', 'west', 'up')).rejects.toMatchObject({ path: 'c' });
  });

  test('rejects invalid queries', async () => {
    await expect(model.similar(Float32Array.of(1, 2, 3))).rejects.toMatchObject({
      code: 'Mismatch',
    });
    await expect(model.vector(5 as unknown as string)).rejects.toMatchObject({
      code: 'BadValue',
      path: 'word',
    });
    await expect(model.list({ limit: -1 })).rejects.toMatchObject({ path: 'limit' });
  });

  test('lists its words in the order of their rows', async () => {
    expect(await model.list()).toEqual(Object.keys(places));
    expect(await model.list({ offset: 3, limit: 1 })).toEqual(['south']);
    expect(await model.list({ offset: 9 })).toEqual([]);
  });

  test('counts correct answers', async () => {
    const seen: number[] = [];
    const report = await model.accuracy(
      ': turns\neast north north west\neast north north south\n: gaps\neast north north up\n',
      { onProgress: ({ loaded }) => seen.push(loaded) },
    );
    expect(report.sections).toMatchObject([
      { name: 'gaps', correct: 0, count: 0, skipped: 1 },
      { name: 'turns', correct: 1, count: 2, skipped: 0 },
    ]);
    expect(report.total).toMatchObject({ correct: 1, count: 2, skipped: 1 });
    expect(seen.at(-1)).toBe(3);
    await expect(model.accuracy('one two\n')).rejects.toMatchObject({ code: 'BadValue' });
  });

  test('makes vectors of sentences for a search index', async () => {
    const vector = await model.embed('north east', { normalize: true });
    expect(vector[0]).toBeCloseTo(Math.SQRT1_2, 5);
    const docs = [{ text: 'east south' }, { text: 'west north' }, { text: 'nothing of it' }];
    const index = await ambry.createIndex(model, docs);
    const [best] = await index.search('south', { k: 1 });
    expect(best?.text).toBe('east south');
    const again = await ambry.openIndex(await index.save(), { model });
    expect((await again.search('north', { k: 1 }))[0]?.text).toBe('west north');
    await again.dispose();
    await index.dispose();
  });

  test('explains how words get their vectors', async () => {
    expect(await model.explain('west')).toMatchObject({ found: 'known', row: 2, norm: 3 });
    const { found, reason } = await model.explain('up');
    expect(found).toBe('none');
    expect(reason).not.toBeNull();
  });

  test('can be read from a stream of known or unknown size', async () => {
    for (const stream of [new Blob([points]).stream(), trickle(points)]) {
      await using opened = await openWords(stream);
      expect(await opened?.list({ limit: 1 })).toEqual(['east']);
    }
  });
});

test('unknown words get vectors from their n-grams', async () => {
  const dim = 4;
  const file = wordFile({ words: ['one', 'two'], dim, exponent: 6, row: (i) => unitRow(i, dim) });
  await using opened = await openWords(file);
  const { found, ngrams, reason } = (await opened?.explain('three')) ?? {};
  expect(found).toBe('subwords');
  expect(reason).toBeNull();
  expect(ngrams?.[0]).toMatchObject({ text: '<three', known: true });
  const sum = new Float32Array(dim);
  for (const { rows } of ngrams ?? []) {
    unitRow(rows[0] ?? 0, dim).forEach((x, j) => {
      sum[j] = (sum[j] ?? 0) + Math.fround(x);
    });
  }
  const vector = (await opened?.vector('three')) ?? [];
  const norm = Math.hypot(...sum);
  vector.forEach((x, j) => {
    expect(x).toBeCloseTo((sum[j] ?? 0) / norm, 6);
  });
});

test('a damaged file is rejected with its byte', async () => {
  await expect(openWords(points.slice(0, 160))).rejects.toMatchObject({ code: 'Truncated' });
  await expect(openWords(new TextEncoder().encode('FiFo'))).rejects.toMatchObject({
    code: 'BadMagic',
  });
});

interface Expected {
  readonly word_similarity: Record<string, Record<string, [string, number][]>>;
  readonly analogy: Record<string, Record<string, [string, number][]>>;
}

describeWithData('the files of both references', ['finalfusion/known_answers.json'], () => {
  const answers = JSON.parse(readFileSync(join(testFiles, 'known_answers.json'), 'utf8')) as {
    computed_by_reference_python: Expected;
  };

  test.each([
    ['python/similarity.fifu', 'Berlin'],
    ['generated/similarity_w2v_normalized.fifu', 'Berlin'],
  ])('%s: words like %s', async (file, word) => {
    const expected = answers.computed_by_reference_python.word_similarity[file]?.[word] ?? [];
    await using opened = await openWords({ path: join(testFiles, file) } as never);
    const found = (await opened?.similar(word, { k: expected.length })) ?? [];
    expect(found.map((hit) => hit.word)).toEqual(expected.map(([name]) => name));
    found.forEach(({ score }, i) => {
      expect(score).toBeCloseTo(expected[i]?.[1] ?? 0, 6);
    });
  });

  test('solves the analogy of capitals', async () => {
    const file = 'python/simple_vocab.fifu';
    const [query, expected] =
      Object.entries(answers.computed_by_reference_python.analogy[file] ?? {})[0] ?? [];
    const [a = '', b = '', c = ''] = (query ?? '').split(' ');
    await using opened = await openWords({ path: join(testFiles, file) } as never);
    const found = await opened?.analogy(a, b, c, { k: expected?.length ?? 0 });
    expect(found?.map(({ word }) => word)).toEqual(expected?.map(([word]) => word));
  });
});

/** Byte by byte at first, so that no chunk shows the magic at once. */
function trickle(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull: (controller) => {
      const size = at < 8 ? 1 : bytes.length - at;
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
      if (at === bytes.length) {
        controller.close();
      }
    },
  });
}
