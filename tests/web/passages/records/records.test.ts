// CSV, JSON and JSON Lines, whole and streamed.
import { describe, expect, test } from 'vitest';
import { dropDuplicates, readRecords } from '../../../../web/src/passages/passages.ts';
import { passagesOf, read } from '../reading.ts';

describe('JSON and JSON Lines', () => {
  test('ids and other fields are kept, lines may be blank', async () => {
    const text = '{"id":"a","text":"First","tag":1}\n\n{"id":7,"title":"T","content":"Second"}\n';
    expect(await passagesOf('d.jsonl', text)).toEqual([
      { id: 'a', text: 'First', source: 'd.jsonl', position: 1, tag: 1 },
      { id: 7, text: 'T: Second', source: 'd.jsonl', position: 2, title: 'T' },
    ]);
  });

  test('all parts of a long record keep its id', async () => {
    const text = JSON.stringify({ id: 'long', text: 'Some words here. '.repeat(60), tag: 1 });
    const passages = await passagesOf('d.jsonl', text);
    expect(passages.length).toBeGreaterThan(1);
    for (const passage of passages)
      expect(passage).toMatchObject({ id: 'long', tag: 1, position: 1 });
  });

  test('a list, an object around a list, one object, plain strings', async () => {
    const texts = async (json: string) =>
      (await passagesOf('d.json', json)).map(({ text }) => text);
    expect(await texts('[{"text":"a"},{"body":"b"}]')).toEqual(['a', 'b']);
    expect(await texts('{"title":"x","docs":[{"text":"a"}]}')).toEqual(['a']);
    expect(await texts('{"question":"q?","answer":"yes"}')).toEqual(['q?; yes']);
    expect(await texts('["a","b"]')).toEqual(['a', 'b']);
    expect(await texts('{"a":{"b":["x",{"c":"y"}]},"n":1}')).toEqual(['x; y']);
  });

  test('records without text are counted', async () => {
    const { passages, warnings } = await read('d.json', '[{"text":"a"},{"n":1},{"text":" "}]');
    expect(passages).toMatchObject([{ text: 'a', id: 'd.json#1' }]);
    expect(warnings).toEqual(['2 of 3 records have no text and were left out.']);
  });

  test.each([
    ['d.json', 'é [1, }', /Not valid JSON: d\.json/, 0, undefined],
    ['d.json', '{"é": x}', /Not valid JSON: d\.json/, 7, undefined],
    ['d.jsonl', '{"a":"ü"}\n  {"a": x}', /d\.jsonl, line 2/, 19, 'line 2'],
  ])('%s that is broken: %s', async (path, text, message, byteOffset, place) => {
    await expect(read(path, text)).rejects.toMatchObject({
      code: 'BadValue',
      message: expect.stringMatching(message) as string,
      byteOffset,
      ...(place && { path: place }),
    });
  });
});

describe('CSV', () => {
  test('quotes, line breaks in fields, the text column or all columns', async () => {
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
  ])('the delimiter is found: %s %j', async (path, text, expected) => {
    expect(await passagesOf(path, text)).toMatchObject([{ text: expected }]);
  });

  test('cells beyond the header go to the last column, and that is told', async () => {
    const { passages, warnings } = await read('t.csv', 'id,text\n1,Hello, , world\n2,b,,\n');
    expect(passages).toMatchObject([{ text: 'Hello, , world' }, { text: 'b' }]);
    expect(warnings).toEqual([
      '1 rows have more cells than the header; the last column took them.',
    ]);
  });

  test('columns of the same name are both kept', async () => {
    expect(await passagesOf('t.csv', 'a,a\nx,y\n')).toMatchObject([{ text: 'x; y' }]);
  });

  test('a quotation without its end', async () => {
    await expect(read('t.csv', 'a\n"b')).rejects.toMatchObject({
      code: 'BadValue',
      message: expect.stringMatching(/Not valid CSV: t\.csv/) as string,
    });
  });
});

describe('readRecords', () => {
  /** The text in chunks of `size` bytes. */
  async function* chunks(text: string | Uint8Array, size: number): AsyncGenerator<Uint8Array> {
    const bytes = Buffer.from(text as string);
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const all = async <T>(records: AsyncIterable<T>) => {
    const list: T[] = [];
    for await (const record of records) list.push(record);
    return list;
  };
  const kLines = '\uFEFF{"id":1,"text":"Grüße"}\r\n\n{"_id":"b","body":"zwei","tag":true}\n["x"]';

  test.each([1, 2, 7, 1000])('lines in chunks of %i bytes', async (size) => {
    expect(await all(readRecords(chunks(kLines, size)))).toEqual([
      { id: 1, text: 'Grüße', fields: {}, line: 1 },
      { id: 'b', text: 'zwei', fields: { tag: true }, line: 3 },
      { id: undefined, text: 'x', fields: {}, line: 4 },
    ]);
  });

  test('a web stream', async () => {
    const stream = new Blob([kLines]).stream();
    expect((await all(readRecords(stream))).map(({ text }) => text)).toEqual([
      'Grüße',
      'zwei',
      'x',
    ]);
  });

  test('whoever stops early ends the stream', async () => {
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

  test('a broken line names its line and byte', async () => {
    const text = '{"text":"é"}\n{"text": no}\n';
    await expect(all(readRecords(chunks(text, 5), { name: 'x.jsonl' }))).rejects.toMatchObject({
      code: 'BadValue',
      path: 'line 2',
      byteOffset: 14 + 9,
      message: expect.stringContaining('x.jsonl, line 2') as string,
    });
  });

  test('bytes that are not UTF-8 name their line', async () => {
    const bytes = new Uint8Array([...Buffer.from('{"text":"a"}\n{"text":"'), 0xe9, 0x22, 0x7d]);
    await expect(all(readRecords(chunks(bytes, 4)))).rejects.toMatchObject({
      code: 'BadValue',
      path: 'line 2',
      byteOffset: 13,
    });
  });

  test('broken lines are told and left out, where that is wanted', async () => {
    const bad: unknown[] = [];
    const text = '{"text":"a"}\n{\n{"text":"b"}\n';
    const records = readRecords(chunks(text, 3), { onBadLine: (error) => bad.push(error) });
    expect((await all(records)).map((record) => record.text)).toEqual(['a', 'b']);
    expect(bad).toMatchObject([{ code: 'BadValue', path: 'line 2' }]);
  });

  test('a line without end is refused before it fills the memory', async () => {
    async function* endless() {
      for (;;) yield new Uint8Array(1 << 22).fill(0x20);
    }
    await expect(all(readRecords(endless()))).rejects.toMatchObject({
      code: 'LimitExceeded',
      path: 'line 1',
    });
  });
});

describe('dropDuplicates', () => {
  test('the same words in other capitals and spaces are said once', () => {
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
