// Reads CSV, JSON and JSON Lines, as a whole and as a stream.
import { describe, expect, test } from 'vitest';
import { dropDuplicates, readRecords } from '../../../../web/src/entries/passages/passages.ts';
import { passagesOf, read } from '../reading.ts';

describe('JSON and JSON Lines', () => {
  test('ids and other fields are kept, and blank lines are skipped', async () => {
    const text = '{"id":"a","text":"First","tag":1}\n\n{"id":7,"title":"T","content":"Second"}\n';
    expect(await passagesOf('d.jsonl', text)).toEqual([
      { id: 'a', text: 'First', source: 'd.jsonl', position: 1, tag: 1 },
      { id: 7, text: 'T: Second', source: 'd.jsonl', position: 2, title: 'T' },
    ]);
  });

  test('all passages of a long record have its id', async () => {
    const text = JSON.stringify({ id: 'long', text: 'Some words here. '.repeat(60), tag: 1 });
    const passages = await passagesOf('d.jsonl', text);
    expect(passages.length).toBeGreaterThan(1);
    for (const passage of passages) {
      expect(passage).toMatchObject({ id: 'long', tag: 1, position: 1 });
    }
  });

  test('the document is a list, an object with a list, one object or strings', async () => {
    const texts = async (json: string) =>
      (await passagesOf('d.json', json)).map(({ text }) => text);
    expect(await texts('[{"text":"a"},{"body":"b"}]')).toEqual(['a', 'b']);
    expect(await texts('{"title":"x","docs":[{"text":"a"}]}')).toEqual(['a']);
    expect(await texts('{"question":"q?","answer":"yes"}')).toEqual(['q?; yes']);
    expect(await texts('["a","b"]')).toEqual(['a', 'b']);
    expect(await texts('{"a":{"b":["x",{"c":"y"}]},"n":1}')).toEqual(['x; y']);
  });

  test('values may be nested, but not too deeply', async () => {
    const nested = (levels: number) =>
      `[{"text":"a"},{"text":"b","more":${'['.repeat(levels)}${']'.repeat(levels)}}]`;
    expect(await passagesOf('d.json', nested(900))).toHaveLength(2);
    await expect(read('d.json', nested(100_000))).rejects.toMatchObject({
      code: 'LimitExceeded',
      path: 'record 2',
    });
  });

  test('records without text are left out, with a warning', async () => {
    const { passages, warnings } = await read('d.json', '[{"text":"a"},{"n":1},{"text":" "}]');
    expect(passages).toMatchObject([{ text: 'a', id: 'd.json#1' }]);
    expect(warnings).toEqual(['2 of 3 records had no text and were left out.']);
  });

  test.each([
    ['d.json', 'é [1, }', /^d\.json is not valid JSON/, 0, undefined],
    ['d.json', '{"é": x}', /^d\.json is not valid JSON/, 7, undefined],
    ['d.jsonl', '{"a":"ü"}\n  {"a": x}', /^d\.jsonl, line 2, is not valid JSON/, 19, 'line 2'],
  ])('%s with broken JSON %s names the byte', async (path, text, message, byteOffset, place) => {
    await expect(read(path, text)).rejects.toMatchObject({
      code: 'BadValue',
      message: expect.stringMatching(message) as string,
      byteOffset,
      ...(place && { path: place }),
    });
  });
});

describe('CSV', () => {
  test('fields may have quotes and line breaks, and the text is one column or all', async () => {
    const rows = 'id,text\n1,"a, ""b""\nc"\n2,d\n';
    expect(await passagesOf('t.csv', rows)).toMatchObject([
      { id: '1', text: 'a, "b" c' },
      { id: '2', text: 'd' },
    ]);
    expect(await passagesOf('t.csv', 'name,what\nAda,maths\n')).toMatchObject([
      { id: 't.csv#1', text: 'Ada; maths', name: 'Ada' },
    ]);
  });

  test.each([
    ['t.csv', 'id;text\n1;"a; b"\n', 'a; b'],
    ['t.csv', 'id|text\n1|a, b\n', 'a, b'],
    ['t.tsv', 'id\ttext, all\n1\ta, b\n', 'a, b'],
    ['t.csv', 'text\nHello, world; really\n', 'Hello, world; really'],
    ['t.csv', '"a,b";text\nx;y\n', 'y'],
    ['t.csv', 'id,text\r1,old Macintosh\r', 'old Macintosh'],
  ])('the delimiter of %s is found: %j', async (path, text, expected) => {
    expect(await passagesOf(path, text)).toMatchObject([{ text: expected }]);
  });

  test('cells beyond the header go to the last column, with a warning', async () => {
    const { passages, warnings } = await read('t.csv', 'id,text\n1,Hello, , world\n2,b,,\n');
    expect(passages).toMatchObject([{ text: 'Hello, , world' }, { text: 'b' }]);
    expect(warnings).toEqual([
      '1 row has more cells than the header. The extra cells were added to the last column.',
    ]);
  });

  test('rows of one letter are refused when there are millions', { timeout: 60_000 }, async () => {
    await expect(read('t.csv', 'a\n'.repeat(1_600_000))).rejects.toMatchObject({
      code: 'LimitExceeded',
      message: expect.stringMatching(/^t\.csv has more than \d+ passages/) as string,
    });
  });

  test('fields are not repeated without end', { timeout: 20_000 }, async () => {
    const names = Array.from({ length: 16_000 }, (_, i) => `c${i}`).join();
    const rows = `${'x,'.repeat(15_999)}x\n`;
    const table = `${names},text\n${rows.trim()},"${'word '.repeat(200_000)}"\n`;
    await expect(read('t.csv', table)).rejects.toMatchObject({
      code: 'LimitExceeded',
      path: 'record 1',
    });
  });

  test('columns of the same name are both kept', async () => {
    expect(await passagesOf('t.csv', 'a,a\nx,y\n')).toMatchObject([{ text: 'x; y' }]);
  });

  test('a table may have many columns, and too many are refused', { timeout: 20_000 }, async () => {
    const header = (columns: number) => Array.from({ length: columns }, (_, i) => `c${i}`).join();
    const [passage] = await passagesOf('t.csv', `${header(16_000)}\nx,y\n`);
    expect(passage).toMatchObject({ text: 'x; y', c0: 'x', c1: 'y' });
    for (const names of [header(1_000_000), 'name,'.repeat(500_000)]) {
      await expect(read('t.csv', `${names}\n1,2\n`)).rejects.toMatchObject({
        code: 'LimitExceeded',
        path: 'header',
        message: expect.stringMatching(/^t\.csv has \d+ columns\. At most 16384/) as string,
      });
    }
  });

  test('a quote without end is an error', async () => {
    await expect(read('t.csv', 'é\nx\n"b')).rejects.toMatchObject({
      code: 'BadValue',
      byteOffset: 5,
      path: 'record 2',
      message: expect.stringMatching(/^t\.csv is not valid CSV/) as string,
    });
  });
});

describe('readRecords', () => {
  /** The text in chunks of `size` bytes. */
  async function* chunks(text: string | Uint8Array, size: number): AsyncGenerator<Uint8Array> {
    const bytes = Buffer.from(text as string);
    for (let at = 0; at < bytes.length; at += size) {
      yield bytes.subarray(at, at + size);
    }
  }
  const all = async <T>(records: AsyncIterable<T>) => {
    const list: T[] = [];
    for await (const record of records) {
      list.push(record);
    }
    return list;
  };
  const jsonLines =
    '\uFEFF{"id":1,"text":"Grüße"}\r\n\n{"_id":"b","body":"zwei","tag":true}\n["x"]';

  test.each([1, 2, 7, 1000])('reads lines from chunks of %i bytes', async (size) => {
    expect(await all(readRecords(chunks(jsonLines, size)))).toEqual([
      { id: 1, text: 'Grüße', fields: {}, line: 1 },
      { id: 'b', text: 'zwei', fields: { tag: true }, line: 3 },
      { id: undefined, text: 'x', fields: {}, line: 4 },
    ]);
  });

  test('reads a web stream', async () => {
    const stream = new Blob([jsonLines]).stream();
    expect((await all(readRecords(stream))).map(({ text }) => text)).toEqual([
      'Grüße',
      'zwei',
      'x',
    ]);
  });

  test('a caller that stops early cancels the stream', async () => {
    let cancelled = false;
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(Buffer.from('{"text":"again"}\n')),
      cancel: () => {
        cancelled = true;
      },
    });
    for await (const { text } of readRecords(stream)) {
      expect(text).toBe('again');
      break;
    }
    expect(cancelled).toBe(true);
  });

  test('a broken line is an error with its line and byte', async () => {
    const text = '{"text":"é"}\n{"text": no}\n';
    await expect(all(readRecords(chunks(text, 5), { name: 'x.jsonl' }))).rejects.toMatchObject({
      code: 'BadValue',
      path: 'line 2',
      byteOffset: 14 + 9,
      message: expect.stringContaining('x.jsonl, line 2') as string,
    });
  });

  test('invalid UTF-8 is an error with its line', async () => {
    const bytes = new Uint8Array([...Buffer.from('{"text":"a"}\n{"text":"'), 0xe9, 0x22, 0x7d]);
    await expect(all(readRecords(chunks(bytes, 4)))).rejects.toMatchObject({
      code: 'BadValue',
      path: 'line 2',
      byteOffset: 13,
    });
  });

  test('onBadLine gets the errors of broken lines, which are left out', async () => {
    const bad: unknown[] = [];
    const text = '{"text":"a"}\n{\n{"text":"b"}\n';
    const records = readRecords(chunks(text, 3), { onBadLine: (error) => bad.push(error) });
    expect((await all(records)).map((record) => record.text)).toEqual(['a', 'b']);
    expect(bad).toMatchObject([{ code: 'BadValue', path: 'line 2' }]);
  });

  test('a line that is too long is rejected before it fills the memory', async () => {
    async function* endless() {
      for (;;) {
        yield new Uint8Array(1 << 22).fill(0x20);
      }
    }
    await expect(all(readRecords(endless()))).rejects.toMatchObject({
      code: 'LimitExceeded',
      path: 'line 1',
    });
  });
});

describe('dropDuplicates', () => {
  test('ignores letter case and white space', () => {
    const passage = (id: number, text: string) => ({ id, text, source: 's', position: 1 });
    const kept = dropDuplicates([
      passage(1, 'A cat  sat.'),
      passage(2, 'a Cat\nsat. '),
      passage(3, 'A cat sat!'),
    ]);
    expect(kept.passages.map(({ id }) => id)).toEqual([1, 3]);
    expect(kept.dropped).toBe(1);
  });
});
