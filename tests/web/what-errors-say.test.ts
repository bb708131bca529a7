// What the errors of wrong arguments say: which argument, what it must be, and what was meant. And whom they name: the caller.
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import type * as passages from '../../web/src/entries/passages/passages.ts';
import { languageFile } from './support/files/language-file.ts';
import { ambry, smallModel } from './support/package.ts';

const dist = (name: string) => new URL(`../../dist/${name}.js`, import.meta.url).href;
const { readDocument, readRecords }: typeof passages = await import(dist('passages/node-passages'));
const file = await smallModel();
const { open, createIndex, createVectorIndex, openIndex } = ambry;
const encoder = await open(file, { kind: 'encoder' });
const generator = await open(languageFile(), { kind: 'generator' });
const index = await createIndex(encoder, [{ id: 'a', text: 'the cat' }]);
const saved = await index.save();
afterAll(async () => {
  for (const each of [encoder, generator, index]) {
    await each.dispose();
  }
});

const said = [{ role: 'user', content: 'Hello' }];
type Row = readonly [call: string, run: () => unknown, path: string, message: string | RegExp];
const rows: readonly Row[] = [
  [
    'a kind that is misspelled',
    () => open(file, { kind: 'encodr' as 'encoder' }),
    'options.kind',
    /^Must be one of encoder, .*, not "encodr"\. Did you mean "encoder"\?$/,
  ],
  [
    'embed without texts',
    () => encoder.embed(undefined as never),
    'texts',
    'Must be a text or a list of texts, not undefined.',
  ],
  [
    'search without a query',
    () => index.search(undefined as never),
    'query',
    'Must be a text, not undefined.',
  ],
  [
    'an index of a path',
    () => createIndex('minilm.weights' as never, [{ text: 'a' }]),
    'model',
    'Must be an opened encoder, sparse encoder or word vectors (createVectorIndex takes vectors), not "minilm.weights".',
  ],
  [
    'an index of vectors with the function for documents',
    () => createIndex({ vectors: new Float32Array([1, 0]), ids: ['a'] } as never, []),
    'model',
    /^Must be an opened encoder, sparse encoder or word vectors \(createVectorIndex takes vectors\), not/,
  ],
  [
    'an index file without its model',
    () => openIndex(saved, undefined as never),
    'options.model',
    'Must be an opened encoder, sparse encoder or word vectors, or a function that opens it, not undefined.',
  ],
  [
    'a model that was not awaited',
    () => createIndex(open(file) as never, [{ text: 'a' }]),
    'model',
    /not a Promise\. Await it first\.$/,
  ],
  [
    'k as a text',
    () => index.search('cat', { k: 'x' as never }),
    'options.k',
    'Must be an integer of 1 or more, not "x".',
  ],
  [
    'no hits',
    () => index.search('cat', { k: 0 }),
    'options.k',
    'Must be an integer of 1 or more, not 0.',
  ],
  [
    'a filter of another library',
    () => index.search('cat', { filter: { source: 'a' } as never }),
    'options.filter',
    'Must be a function, such as (doc) => doc.source === "a.md", not an object.',
  ],
  [
    'a list as filter',
    () => index.search('cat', { filter: ['a'] as never }),
    'options.filter',
    /not a list\.$/,
  ],
  [
    'passages as texts',
    () => index.add(['a'] as never),
    'docs[0].text',
    /Write \{ text: … \} for each text\.$/,
  ],
  [
    'one passage',
    () => index.add({ text: 'a' } as never),
    'docs',
    'Must be a list, not an object.',
  ],
  [
    'an id that there is',
    () => index.add([{ id: 'a', text: 'b' }]),
    'docs[0].id',
    /^Another passage has the id "a"\./,
  ],
  [
    'an id twice',
    () =>
      index.add([
        { id: 1, text: 'b' },
        { id: 2, text: 'c' },
        { id: 1, text: 'd' },
      ]),
    'docs[2].id',
    /^Another passage has the id 1\./,
  ],
  [
    'messages without an object',
    () => generator.generate(said as never).result,
    'prompt',
    'A list of messages is given as an object: { messages: […] }.',
  ],
  [
    'vectors as lists',
    () => createVectorIndex({ vectors: [[1, 0]] as never, ids: ['a'] }),
    'vectors',
    /Float32Array\.from\(rows\.flat\(\)\) makes one of lists, not a list\.$/,
  ],
  [
    'options that are null',
    () => encoder.embed('cat', null as never),
    'options',
    'Must be an object of options, not null.',
  ],
];

test.each(rows)('%s', async (_, run, path, message) => {
  await expect((async () => run())()).rejects.toMatchObject({
    name: 'AmbryError',
    code: 'BadValue',
    path,
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  });
});

test('pieces of one record have its id in common', async () => {
  const of = (text: string) => ({ id: 'r1', text, source: 'a.csv', position: 1 });
  const records = await createIndex(encoder, [of('one'), of('two')]);
  expect(records.size).toBe(2);
  await records.dispose();
});

describe('a document', () => {
  const inBytes = readDocument('a.md', new TextEncoder().encode('# Title\n\nGrüße'));

  test('may be a text', async () => {
    expect(await readDocument('a.md', '# Title\n\nGrüße')).toEqual(await inBytes);
  });

  test('may be an ArrayBuffer', async () => {
    const { buffer } = new TextEncoder().encode('# Title\n\nGrüße');
    expect(await readDocument('a.md', buffer)).toEqual(await inBytes);
  });
});

describe('an answer that is awaited itself', () => {
  test.each(['text', 'ids', 'stoppedBy', 'toolCalls', 'parsed'])('%s', async (name) => {
    const answer = (await generator.generate('a', { maxTokens: 1 })) as object;
    expect(() => Reflect.get(answer, name)).toThrow(
      expect.objectContaining({
        code: 'BadValue',
        path: 'result',
        message: `"${name}" is in the result of an answer: const { ${name} } = await model.generate(…).result.`,
      }),
    );
  });

  test('is still a loop over tokens', async () => {
    const tokens: string[] = [];
    for await (const { text } of await generator.generate('a', { maxTokens: 2 })) {
      tokens.push(text);
    }
    expect(tokens.length).toBeGreaterThan(0);
  });
});

describe('the stack of an error', () => {
  const here = fileURLToPath(import.meta.url);
  const failures: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['a worker that opens', () => open(new Uint8Array(64))],
    ['a worker that inspects', () => ambry.inspect(new Uint8Array(64))],
    ['a worker that embeds', () => encoder.embed('cat', { pooling: 'men' as 'mean' })],
    ['a worker that generates', () => generator.generate('a', { temperature: -1 }).result],
    ['a worker that reads documents', () => readDocument('a.json', '{')],
    ['a worker that reads records', () => readRecords(new Blob(['{']).stream()).next()],
    ['an index', () => index.search('cat', { prompt: 3 as never })],
    ['the caller’s thread', () => encoder.embed('cat', { poling: 'mean' } as object)],
  ];

  test.each(failures)('names the caller: %s', async (_, run) => {
    const error = await run().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'AmbryError' });
    const { stack = '', message } = error as Error;
    expect(stack.startsWith(`AmbryError: ${message}\n`)).toBe(true);
    expect(stack).toContain(here);
  });

  test('keeps that of the worker in its cause', async () => {
    const opening = open(new Uint8Array(64)).then(() => undefined);
    const error: unknown = await opening.catch((thrown: unknown) => thrown);
    expect((error as Error).cause).toMatchObject({
      message: (error as Error).message,
      stack: expect.stringMatching(/workers.all\.js/),
    });
  });
});
