// The package where there are no workers. Node has none of the browser's kind, so it runs the entries of pages on its
// thread.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type * as passages from '../../../web/src/entries/passages/passages.ts';
import type * as api from '../../../web/src/index.ts';
import { paragraph, pdfFile } from '../support/files/pdf-file.ts';
import { ambry, smallModel } from '../support/package.ts';

const dist = (name: string) => new URL(`../../../dist/${name}`, import.meta.url);
const load = async <T>(name: string): Promise<T> => (await import(dist(name).href)) as T;
const wasmBinary = readFileSync(
  new URL('../../../packages/whole/wasm/ambry-baseline.wasm', import.meta.url),
);
const bytes = await smallModel();
const texts = ['a small harbour', 'rain in winter'];

describe.each(['index.js', 'in-thread.js'])('%s without workers', (entry) => {
  test('embeds, takes texts apart and searches like Node', async () => {
    const here = await load<typeof api>(entry);
    const model = await here.open(bytes, { kind: 'encoder', wasmBinary });
    const expected = await ambry.open(bytes, { kind: 'encoder', deterministic: true });
    expect(await model.embed(texts)).toEqual(await expected.embed(texts));
    expect(await model.tokenize(texts[0] as string)).toEqual(
      await expected.tokenize(texts[0] as string),
    );
    const index = await here.createIndex(
      model,
      texts.map((text, i) => ({ id: `${i}`, text })),
    );
    expect((await index.search(texts[1] as string))[0]?.id).toBe('1');
    await Promise.all([index.dispose(), model.dispose(), expected.dispose()]);
  });

  test('takes its own copy of what it gets', async () => {
    const here = await load<typeof api>(entry);
    const model = await here.open(bytes, { kind: 'encoder', wasmBinary });
    const given = [...texts];
    const embedding = model.embed(given);
    given[0] = 'something else';
    expect(await embedding).toEqual(await model.embed(texts));
    await model.dispose();
  });

  test('stops at an abort', async () => {
    const here = await load<typeof api>(entry);
    const model = await here.open(bytes, { kind: 'encoder', wasmBinary });
    const stop = new AbortController();
    const embedding = model.embed(Array<string>(200).fill('rain'), { signal: stop.signal });
    stop.abort();
    await expect(embedding).rejects.toMatchObject({ name: 'AbortError' });
    expect((await model.embed('rain')).length).toBeGreaterThan(0);
    await model.dispose();
  });

  test('says what is wrong with a file, and that it keeps no vectors', async () => {
    const here = await load<typeof api>(entry);
    const broken = bytes.slice(0, 100);
    await expect(here.open(broken, { kind: 'encoder', wasmBinary })).rejects.toMatchObject({
      code: 'Truncated',
    });
    const model = await here.open(bytes, { kind: 'encoder', wasmBinary });
    const docs = [{ id: '0', text: 'rain' }];
    await expect(here.createIndex(model, docs, { keep: 'notes' })).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'keep',
    });
    await model.dispose();
  });
});

test('in-thread entries load no code later', () => {
  for (const name of ['in-thread.js', 'passages/in-thread.js', 'workerd.js']) {
    const code = readFileSync(dist(name), 'utf8');
    expect(/\bimport\(\s*['"`]\.[^)]*\)/.exec(code)?.[0], name).toBeUndefined();
  }
});

test('ambry/passages/in-thread reads PDFs with ambry-pdf/in-thread', async () => {
  const { readDocument } = await load<typeof passages>('passages/in-thread.js');
  const pdf = pdfFile([{ lines: paragraph(700, 'The ferry leaves at noon.') }]);
  await expect(readDocument('ferry.pdf', pdf)).rejects.toMatchObject({
    code: 'Unsupported',
    path: 'ferry.pdf',
    message: expect.stringContaining("import 'ambry-pdf/in-thread'") as string,
  });
  await import('ambry-pdf/in-thread');
  const read = await readDocument('ferry.pdf', pdf);
  expect(read.passages.map(({ text }) => text)).toEqual(['The ferry leaves at noon.']);
});
