// The built package reads documents in workers.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type RecordOptions, readDocument, readRecords } from 'ambry/passages';
import { describe, expect, test } from 'vitest';
import { paragraph, pdfFile } from '../../support/files/pdf-file.ts';
import { hostileDocuments } from '../hostile.ts';
import { countWords, read } from '../reading.ts';

const documents: readonly (readonly [path: string, content: string | Uint8Array])[] = [
  ['a.txt', `One.\n\nTwo,\nstill two. ${'word '.repeat(300)}`],
  ['a.md', '# Top\nIntro.\n## Part\n- eggs\n- milk\n'],
  ['a.html', '<title>Sea</title><p>Whales sing.<table><tr><th>A<th>B<tr><td>1<td>2</table>'],
  ['a.csv', 'id,text,tag\n1,Owls hunt mice.,x\n'],
  ['a.jsonl', '{"text":"Owls hunt mice.","tag":{"a":[1,null]}}\n'],
  ['a.pdf', pdfFile([{ lines: paragraph(700, 'The ferry leaves at seven.') }])],
];
const bytesOf = (content: string | Uint8Array) => Buffer.from(content as string);

describe('a worker', () => {
  test.each(documents)('reads %s as the caller would', async (path, content) => {
    const options = { count: countWords, most: 40 };
    expect(await readDocument(path, bytesOf(content), options)).toEqual(
      await read(path, new Uint8Array(bytesOf(content)), options),
    );
    expect(await readDocument(path, bytesOf(content))).toEqual(
      await read(path, new Uint8Array(bytesOf(content))),
    );
  });

  test.each(documents)('leaves the bytes of %s as they are', async (path, content) => {
    const whole = Buffer.concat([Buffer.from('before'), bytesOf(content), Buffer.from('after')]);
    const part = whole.subarray(6, whole.length - 5);
    const before = Buffer.from(whole);
    await readDocument(path, part);
    await read(path, part);
    expect(part.length).toBe(whole.length - 11);
    expect(whole.equals(before)).toBe(true);
  });

  test('reads memory that threads share', async () => {
    const shared = new Uint8Array(new SharedArrayBuffer(6));
    shared.set(Buffer.from('Hello.'));
    expect((await readDocument('a.txt', shared)).passages).toMatchObject([{ text: 'Hello.' }]);
  });

  test('passes errors on', async () => {
    await expect(readDocument('a.json', Buffer.from('{"é": x}'))).rejects.toMatchObject({
      name: 'AmbryError',
      code: 'BadValue',
      byteOffset: 7,
    });
    const error = new Error('no tokenizer');
    const count = () => Promise.reject(error);
    await expect(readDocument('a.txt', Buffer.from('x'), { count })).rejects.toBe(error);
  });

  test('is ended by an abort, whatever it does', async () => {
    const { path, make } = hostileDocuments['pdf: saved states'] ?? { path: '', make: () => '' };
    const controller = new AbortController();
    const reading = readDocument(path, bytesOf(make(3_000_000)), { signal: controller.signal });
    setTimeout(() => controller.abort(), 500);
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('reads many documents at once, and hears aborts of those that wait', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const never = { count: () => new Promise<number[]>(() => {}), signal };
    const stuck = Array.from({ length: 8 }, () => readDocument('a.txt', bytesOf('x'), never));
    const rest = Array.from({ length: 8 }, (_, i) => readDocument('a.txt', bytesOf(`number ${i}`)));
    controller.abort();
    for (const { status } of await Promise.allSettled(stuck)) {
      expect(status).toBe('rejected');
    }
    const texts = (await Promise.all(rest)).map(({ passages }) => passages[0]?.text);
    expect(texts).toEqual(Array.from(rest, (_, i) => `number ${i}`));
  });

  test('does not keep the process alive', async () => {
    const script =
      "import { readDocument } from 'ambry/passages'; console.log((await readDocument('a.md', Buffer.from('# Hi'))).passages.length);";
    const cwd = fileURLToPath(new URL('../../../..', import.meta.url));
    const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      cwd,
      // An idle worker ends by itself only after 10 s.
      timeout: 9000,
    });
    expect((await run).stdout).toBe('1\n');
  });
});

describe('readRecords in a worker', () => {
  async function* chunksOf(text: string, size: number): AsyncGenerator<Uint8Array> {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += size) {
      yield bytes.subarray(at, at + size);
    }
  }
  const textsOf = async (chunks: AsyncIterable<Uint8Array>, options?: RecordOptions) => {
    const texts: string[] = [];
    for await (const { text } of readRecords(chunks, options)) {
      texts.push(text);
    }
    return texts;
  };

  test('gives all records in order, and leaves the bytes as they are', async () => {
    const lines = Array.from({ length: 5000 }, (_, i) => `{"text":"número ${i}"}\n`);
    const bytes = Buffer.from(lines.join(''));
    const before = Buffer.from(bytes);
    async function* whole() {
      yield bytes;
    }
    expect(await textsOf(whole())).toEqual(Array.from(lines, (_, i) => `número ${i}`));
    expect(bytes.equals(before)).toBe(true);
  });

  test('tells of bad lines in their place', async () => {
    const text = '{"text":"a"}\n{\n{"text":"é"}\n{"text": no}';
    const bad: unknown[] = [];
    const onBadLine = (error: unknown) => bad.push(error);
    expect(await textsOf(chunksOf(text, 3), { onBadLine })).toEqual(['a', 'é']);
    expect(bad).toMatchObject([
      { name: 'AmbryError', code: 'BadValue', path: 'line 2' },
      { code: 'BadValue', path: 'line 4', byteOffset: 38 },
    ]);
    await expect(textsOf(chunksOf(text, 3), { name: 'x.jsonl' })).rejects.toMatchObject({
      code: 'BadValue',
      message: expect.stringMatching(/^x\.jsonl, line 2/) as string,
    });
  });

  test('refuses a line that is too long', async () => {
    async function* endless() {
      for (;;) {
        yield new Uint8Array(1 << 22).fill(0x20);
      }
    }
    await expect(textsOf(endless())).rejects.toMatchObject({ code: 'LimitExceeded' });
  });

  test('takes bytes when the records before are taken', async () => {
    let taken = 0;
    async function* counted() {
      for (; ; taken++) {
        yield Buffer.from('{"text":"again"}\n');
      }
    }
    let records = 0;
    for await (const _ of readRecords(counted())) {
      records++;
      expect(taken).toBeLessThanOrEqual(records);
      if (records === 50) {
        break;
      }
    }
  });

  test('reads more sources at once than there are workers for documents', async () => {
    const open = Array.from({ length: 12 }, (_, i) =>
      readRecords(chunksOf(`{"text":"${i}"}\n{"text":"end"}\n`, 7)),
    );
    for (const [i, records] of open.entries()) {
      expect((await records.next()).value).toMatchObject({ text: String(i) });
    }
    for (const records of open) {
      expect((await records.next()).value).toMatchObject({ text: 'end' });
      expect((await records.next()).done).toBe(true);
    }
  });

  test.each([
    ['in a source that gives no bytes', () => new ReadableStream<Uint8Array>()],
    [
      'in lines of 50 MB',
      () => new Blob(Array<string>(9).fill(`["${'a'.repeat(50_000_000)}"]\n`)).stream(),
    ],
  ])('hears an abort %s', async (_, stream) => {
    const controller = new AbortController();
    const reading = readRecords(stream(), { signal: controller.signal });
    let records = 0;
    const ending = (async () => {
      for await (const _ of reading) {
        records++;
      }
    })();
    setTimeout(() => controller.abort(), 200);
    await expect(ending).rejects.toMatchObject({ name: 'AbortError' });
    expect(records).toBeLessThan(9);
  });
});
