// Word vectors open as they come: each form, from everywhere, with the vectors that fastText or the text states.
import { readFile } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { onDisk, onServer } from '../support/directories/model-directories.ts';
import { unitRow, wordFile } from '../support/files/word-files.ts';
import { openWords } from '../support/open-kinds.ts';
import { ambry } from '../support/package.ts';

const { open, convert } = ambry;
const clean: (() => unknown)[] = [];
afterAll(async () => {
  for (const each of clean) {
    await each();
  }
});

const compass = {
  words: ['east', 'north', 'west', 'south', 'straße'],
  dim: 12,
  row: (i: number) => unitRow(i, 12),
  norms: [1, 2, 3, 4, 5],
};
const native = wordFile(compass);

async function written(to: string, source: Uint8Array | Blob = new Blob([native])) {
  return new Uint8Array(await (await convert(source, { to })).arrayBuffer());
}

const pieces = { words: ['one', 'two'], dim: 4, exponent: 5 };
const forms = {
  word2vec: await written('word2vec'),
  text: await written('text'),
  textdims: await written('textdims'),
};

describe.each(Object.entries(forms))('vectors as %s', (format, bytes) => {
  test('open from everywhere, with the vectors of a conversion', async () => {
    await using wanted = await openWords(await convert(bytes, { to: 'finalfusion' }));
    const vectors = await wanted.vectors(compass.words);
    const { path, remove } = await onDisk(new Map([['file', bytes]]));
    const server = await onServer(new Map([['file', bytes]]));
    const plain = await onServer(new Map([['file', bytes]]), { ranges: false });
    clean.push(remove, server.close, plain.close);
    const sources = {
      bytes,
      blob: new Blob([bytes]),
      stream: new Blob([bytes]).stream(),
      path: `${path}/file`,
      url: `${server.url}file`,
      plain: `${plain.url}file`,
    };
    for (const [name, source] of Object.entries(sources)) {
      await using model = await openWords(source);
      expect(await model.vectors(compass.words), name).toEqual(vectors);
      expect(model.info, name).toMatchObject({ format, convertedTo: 'finalfusion' });
    }
  });

  test('open with their kind, and by range where they are local', async () => {
    await using wanted = await openWords(await convert(bytes, { to: 'finalfusion' }));
    const vectors = await wanted.vectors(compass.words);
    for (const options of [{ kind: 'words' }, { mode: 'range' }] as const) {
      await using model = await open(bytes, options);
      if (model.kind !== 'words') {
        throw new Error(model.kind);
      }
      expect(await model.vectors(compass.words)).toEqual(vectors);
    }
  });
});

test('vectors at an address are not read by range, which would download them all', async () => {
  const server = await onServer(new Map([['file.vec', forms.textdims]]));
  clean.push(server.close);
  await expect(open(`${server.url}file.vec`, { mode: 'range' })).rejects.toMatchObject({
    code: 'Unsupported',
    path: 'options.mode',
  });
});

test('floret’s vectors open, with vectors for unknown words', async () => {
  const floret = [
    '4 3 2 4 2 1 < >',
    ...[0, 1, 2, 3].map(
      (i) =>
        `${i} ${unitRow(i, 3)
          .map((x) => x.toFixed(5))
          .join(' ')}`,
    ),
    '',
  ].join('\n');
  await using model = await openWords(new Blob([floret]));
  expect(model.info).toMatchObject({ format: 'floret', words: { kind: 'floret' } });
  expect(await model.vector('anything')).toHaveLength(3);
  await using wanted = await openWords(await convert(new Blob([floret]), { to: 'finalfusion' }));
  expect(await model.vector('hausmaus')).toEqual(await wanted.vector('hausmaus'));
});

const folder = new URL('../../fixtures/fasttext/', import.meta.url);
interface Answers {
  readonly labels: readonly string[];
  readonly vectors: Readonly<Record<string, readonly number[]>>;
}
const answers = JSON.parse(await readFile(new URL('answers.json', folder), 'utf8')) as Record<
  string,
  Answers
>;

describe.each(Object.entries(answers))('fastText’s %s', (name, { vectors }) => {
  test('opens with the vectors that fastText gives, also for unknown words', async () => {
    const bytes = await readFile(new URL(name, folder));
    const url = new URL(name, folder);
    const sources = [url, new Blob([bytes]), new Blob([bytes]).stream()];
    for (const source of sources) {
      await using model = await open(source, { kind: 'words' });
      expect(model.info).toMatchObject({ format: 'fasttext', convertedTo: 'finalfusion' });
      for (const [word, wanted] of Object.entries(vectors)) {
        const length = Math.hypot(...wanted);
        const vector = await model.vector(word);
        const isKnown = (await model.explain(word)).found === 'known';
        // fastText gives it no n-grams, and finalfusion does (core/formats/fasttext/README.md).
        if (length === 0 || word === '</s>') {
          continue;
        }
        if (!vector) {
          throw new Error(`no vector for ${word}`);
        }
        // finalfusion stores known words with length 1, and the sum of n-grams where fastText takes their mean.
        const own = Math.hypot(...vector);
        if (isKnown) {
          expect(own).toBeCloseTo(1, 5);
        }
        for (const [i, x] of wanted.entries()) {
          expect((vector[i] ?? 0) / own, `${word}[${i}]`).toBeCloseTo(x / length, 4);
        }
      }
    }
  });
});

test('buckets of n-grams are kept', async () => {
  const bucket = wordFile({ ...pieces, row: (i) => unitRow(i, 4) });
  await using model = await openWords(bucket);
  expect(model.info.convertedTo).toBeUndefined();
  expect(model.info.words.kind).toBe('bucket');
});

test('bad vectors are named', async () => {
  const good = new TextDecoder().decode(forms.textdims);
  const bad = good.replace(/^(north \S+) \S+/m, '$1 x');
  await expect(open(new Blob([bad]), { kind: 'words' })).rejects.toMatchObject({
    code: expect.stringMatching(/BadValue|BadMagic/),
  });
  const cut = forms.word2vec.slice(0, -20);
  await expect(open(cut)).rejects.toMatchObject({
    code: expect.stringMatching(/Truncated|BadMagic/),
  });
  const fastText = await readFile(new URL('skipgram.bin', folder));
  await expect(open(fastText.subarray(0, 300))).rejects.toMatchObject({ code: 'Truncated' });
  await expect(open(forms.word2vec, { kind: 'encoder' })).rejects.toMatchObject({
    code: 'BadMagic',
  });
});
