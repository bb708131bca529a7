// Language models that make embeddings, through the built package.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Encoder, Generator } from '../../../web/src/index.ts';
import { ambryCli } from '../support/cli/shared-cli.ts';
import { languageDirectory } from '../support/directories/model-directories.ts';
import { byteSpellings, languageFile } from '../support/files/language-file.ts';
import { tensorsIn } from '../support/files/pytorch-file.ts';
import { safetensors } from '../support/fixtures.ts';
import { ambry } from '../support/package.ts';

const { convert, createIndex, open, quantize, runReport } = ambry;
const texts = ['a cat', 'dogs', 'a longer text about nothing at all'];
const prompts = { query: 'Instruct: find cats\nQuery:', passage: 'it is ' };
const embedding = { pooling: 'lasttoken', prompts };

const embeddingFile = (more: object = {}) => languageFile({ config: { embedding, ...more } });
const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

let model: Encoder;
let generator: Generator;
beforeAll(async () => {
  model = await open(embeddingFile(), { kind: 'encoder' });
  generator = await open(languageFile(), { kind: 'generator' });
});
afterAll(async () => {
  await model.dispose();
  await generator.dispose();
});

function rowsOf(vectors: Float32Array, dim: number): Float32Array[] {
  return Array.from({ length: vectors.length / dim }, (_, i) =>
    vectors.slice(i * dim, (i + 1) * dim),
  );
}

/** A tokenizer.json of the 256 bytes, and of the two tokens around a text. */
function byteTokenizer(): object {
  const spellings = [...byteSpellings(), '<s>', '</s>'];
  return {
    added_tokens: [256, 257].map((id) => ({ id, content: spellings[id], special: true })),
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, use_regex: true },
    post_processor: { type: 'ByteLevel' },
    decoder: { type: 'ByteLevel' },
    model: {
      type: 'BPE',
      vocab: Object.fromEntries(spellings.map((token, id) => [token, id])),
      merges: [],
    },
  };
}

function normalized(row: Float32Array): number[] {
  const length = Math.hypot(...row);
  return [...row].map((x) => x / length);
}

function expectClose(row: ArrayLike<number>, wanted: ArrayLike<number>): void {
  expect(row).toHaveLength(wanted.length);
  for (let i = 0; i < wanted.length; i++) {
    expect(row[i]).toBeCloseTo(wanted[i] ?? 0, 5);
  }
}

describe('a language model that states its embeddings', () => {
  test('opens as an encoder, and says so before', async () => {
    expect(model.kind).toBe('encoder');
    expect([model.dim, model.tokenDim]).toEqual([64, 64]);
    await using guessed = await open(embeddingFile());
    expect(guessed.kind).toBe('encoder');
    expect(await runReport(embeddingFile())).toMatchObject({ kind: 'encoder', obstacle: null });
  });

  test('gives a vector of length 1 for each text, whatever the others are', async () => {
    const rows = await model.embed(texts);
    for (const [i, text] of texts.entries()) {
      expect(await model.embed(text)).toEqual(rows[i]);
      expect(Math.hypot(...(rows[i] ?? []))).toBeCloseTo(1, 6);
    }
    expect(await model.embed(texts, { workers: 3 })).toEqual(await model.embed(texts));
  });

  test('pools the states of its tokens', async () => {
    const states = await model.embed('a cat', { pooling: 'none' });
    const tokens = rowsOf(states, 64);
    expect(tokens).toHaveLength(6);
    expectClose(await model.embed('a cat'), normalized(tokens.at(-1) as Float32Array));
    const mean = Float32Array.from({ length: 64 }, (_, i) =>
      tokens.reduce((sum, row) => sum + (row[i] ?? 0) / tokens.length, 0),
    );
    expectClose(await model.embed('a cat', { pooling: 'mean' }), normalized(mean));
    const whole = await model.embed('a cat', { normalize: false });
    expectClose(await model.embed('a cat', { dim: 5 }), normalized(whole.subarray(0, 5)));
  });

  test('puts prompts and instructions before texts', async () => {
    const whole = (text: string) => model.embed(text);
    expect(await model.embed('on', { prompt: 'passage' })).toEqual(await whole('it is on'));
    expect(await model.embed('on', { promptName: 'passage' })).toEqual(await whole('it is on'));
    expect(await model.embed('on', { instruction: 'find dogs' })).toEqual(
      await whole('Instruct: find dogs\nQuery:on'),
    );
  });

  test.each([
    [{ promptName: 'title' }, 'NotFound', 'options.promptName'],
    [{ instruction: 'a', prompt: 'b' }, 'BadValue', 'options.instruction'],
    [{ dim: 65 }, 'BadValue', 'options.dim'],
    [{ pooling: 'sif' }, 'BadValue', 'options.pooling'],
  ] as const)('refuses %o', async (options, code, path) => {
    await expect(model.embed('a', options)).rejects.toMatchObject({ code, path });
  });

  test('cuts a text that is too long, or refuses it', async () => {
    const long = 'x'.repeat(100);
    const states = await model.embed(long, { pooling: 'none' });
    expect(states).toHaveLength(64 * 64);
    const refused = model.embed(['a', long], { truncate: 'error' });
    await expect(refused).rejects.toMatchObject({ code: 'LimitExceeded', path: 'texts[1]' });
  });

  test('makes a search index', async () => {
    const docs = texts.map((text) => ({ text }));
    await using index = await createIndex(model, docs);
    const [best] = await index.search('dogs', { k: 1 });
    expect(best).toMatchObject({ text: 'dogs' });
    expect(best?.score).toBeCloseTo(1, 2);
  });

  test('opens as a generator, too', async () => {
    await using opened = await open(embeddingFile(), { kind: 'generator' });
    expect(opened.kind).toBe('generator');
    expect(await opened.embed(texts)).toEqual(await model.embed(texts));
    expect((await opened.generate('a', { maxTokens: 2 }).result).ids).toHaveLength(2);
  });

  test('is compared by its vectors when it is quantized, and not explained', async () => {
    const { agreement } = await quantize(new Blob([embeddingFile()]), { type: 'int8' });
    expect(agreement).toMatchObject({ kind: 'embeddings' });
    await expect(model.explain('a', 'b')).rejects.toMatchObject({ code: 'Unsupported' });
  });

  test('keeps its vectors as GGUF', async () => {
    const plain = languageFile({ config: { embedding: { pooling: 'lasttoken' } } });
    const gguf = await convert(new Blob([plain]), { to: 'gguf' });
    await using opened = await open(gguf, { kind: 'encoder' });
    const [own, wanted] = [await opened.embed(texts), await model.embed(texts)];
    own.forEach((vector, i) => {
      expectClose(vector, wanted[i] as Float32Array);
    });
  });
});

test('a language model with attention to both sides embeds and does not generate', async () => {
  const file = embeddingFile({
    bidirectional_attention: true,
    embedding: { pooling: 'mean' },
  });
  await using opened = await open(file, { kind: 'generator' });
  expect(await opened.embed('a cat')).toHaveLength(64);
  await expect(opened.generate('a').result).rejects.toMatchObject({
    code: 'Unsupported',
    path: 'model',
  });
});

test('any language model embeds when the call says how to pool', async () => {
  await expect(generator.embed('a')).rejects.toMatchObject({
    code: 'BadValue',
    path: 'options.pooling',
  });
  const pooled = await generator.embed(texts, { pooling: 'lasttoken' });
  expect(pooled).toEqual(await model.embed(texts));
});

test('a pooling that the file names and that is not known is refused', async () => {
  const file = languageFile({ config: { embedding: { pooling: 'weightedmean' } } });
  await expect(open(file)).rejects.toMatchObject({
    code: 'Unsupported',
    path: 'config.embedding.pooling',
  });
});

describe('a directory', () => {
  const weights = safetensors([['linear.weight', [8, 64]]], 5);
  const dense = (inputs: number) => ({
    in_features: inputs,
    out_features: 8,
    bias: false,
    activation_function: 'torch.nn.modules.linear.Identity',
  });

  async function directory(folders: readonly string[], inputs = 64) {
    const files = await languageDirectory();
    const modules = ['', '1_Pooling', ...folders].map((path, idx) => {
      const type = `sentence_transformers.models.${path.slice(2) || 'Transformer'}`;
      return { idx, name: String(idx), path, type };
    });
    files.set('tokenizer.json', encode(byteTokenizer()));
    files.set('modules.json', encode(modules));
    files.set('1_Pooling/config.json', encode({ pooling_mode_mean_tokens: true }));
    files.set('2_Dense/config.json', encode(dense(inputs)));
    files.set('2_Dense/model.safetensors', weights);
    return files;
  }

  test('opens with its pooling and its dense layer', async () => {
    await using plain = await open(await directory(['2_Normalize']), { kind: 'encoder' });
    expect(plain.info.config).toMatchObject({ pooling: 'mean', embeddingDim: 64 });
    const pooled = await plain.embed('a cat', { normalize: false });
    await using whole = await open(await directory(['2_Dense', '3_Normalize']));
    expect(whole.kind).toBe('encoder');
    if (whole.kind !== 'encoder') {
      return;
    }
    expect([whole.dim, whole.tokenDim]).toEqual([8, 64]);
    const [tensor] = tensorsIn(weights);
    const matrix = new Float32Array(tensor?.data.slice().buffer ?? new ArrayBuffer(0));
    const wanted = Float32Array.from({ length: 8 }, (_, row) =>
      pooled.reduce((sum, x, j) => sum + x * (matrix[row * 64 + j] ?? 0), 0),
    );
    expectClose(await whole.embed('a cat'), normalized(wanted));
  });

  test('is refused with a Dense module of the wrong width', async () => {
    const files = await directory(['2_Dense', '3_Normalize'], 32);
    await expect(open(files, { kind: 'encoder' })).rejects.toMatchObject({
      code: 'Mismatch',
      path: '2_Dense/config.json.in_features',
    });
  });
});

describe('ambry embed', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ambry-embed-'));
    await writeFile(join(folder, 'model.amb'), embeddingFile());
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('prints the vectors of a language model', async () => {
    const { code, json, err } = await ambryCli([
      'embed',
      join(folder, 'model.amb'),
      ...['--text', 'on', '--prompt-name', 'passage', '--json'],
    ]);
    expect(err).toBe('');
    expect(code).toBe(0);
    const [line] = json() as { readonly vector: number[] }[];
    expectClose(line?.vector ?? [], await model.embed('it is on'));
  });

  test('takes an instruction', async () => {
    const { json } = await ambryCli([
      'embed',
      join(folder, 'model.amb'),
      ...['--text', 'on', '--instruction', 'find dogs', '--json'],
    ]);
    const [line] = json() as { readonly vector: number[] }[];
    expectClose(line?.vector ?? [], await model.embed('Instruct: find dogs\nQuery:on'));
  });
});
