// How a text of any length is cut into parts, and how texts in lines of JSON are found.
import { describe, expect, test } from 'vitest';
import { jsonTexts, withTexts } from '../../../../web/src/cli/token-classifier/json-texts.ts';
import { markedText } from '../../../../web/src/cli/token-classifier/marked-text.ts';
import { mostBytes, textParts } from '../../../../web/src/cli/token-classifier/text-parts.ts';

async function* chunksOf(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) {
    yield bytes.subarray(at, at + size);
  }
}

async function partsOf(text: string | Uint8Array, { lines = false, size = 1000 } = {}) {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const found: string[] = [];
  for await (const parts of textParts(chunksOf(bytes, size), { lines })) {
    found.push(...parts);
  }
  return found;
}

describe('a text is cut', () => {
  test('after empty lines', async () => {
    const text = '\ufeffone\r\ntwo\r\n \t\r\n\r\nthree\n\nfour';
    const parts = ['\ufeffone\r\ntwo\r\n \t\r\n', '\r\nthree\n\n', 'four'];
    expect(await partsOf(text)).toEqual(parts);
    expect(await partsOf(text, { size: 1 })).toEqual(parts);
    expect(await partsOf('')).toEqual([]);
    expect(await partsOf('\n\n\n')).toEqual(['\n\n\n']);
  });

  test('after every line, if that is asked for', async () => {
    expect(await partsOf('a\n\nb\r\nc', { lines: true })).toEqual(['a\n', '\n', 'b\r\n', 'c']);
  });

  test('at the end of a line, a word or a character where there is no empty line', async () => {
    const line = 'word '.repeat(20).trimEnd();
    for (const [text, end] of [
      [`${line}\n`.repeat(3000), /\n$/],
      [`${line} `.repeat(3000), / $/],
      ['🙂'.repeat(60_000), /🙂$/],
      [`x${'é'.repeat(100_000)}`, /é$/],
    ] as const) {
      const parts = await partsOf(text, { size: 50_000 });
      expect(parts.length).toBeGreaterThan(1);
      expect(parts.join('') === text).toBe(true);
      for (const part of parts) {
        expect(end.test(part)).toBe(true);
        expect(Buffer.byteLength(part)).toBeLessThanOrEqual(mostBytes);
      }
    }
  });

  test('and joined is the same, whatever the chunks are', async () => {
    const pieces = [
      '\n',
      '\n\n',
      ' ',
      '\r\n',
      'a',
      'é',
      '🙂',
      '\0',
      '\t',
      '世界',
      '\u2028',
      'word ',
    ];
    let state = 7;
    const next = (most: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return (state >> 8) % most;
    };
    for (let round = 0; round < 200; round++) {
      const text = Array.from({ length: next(400) }, () => pieces[next(pieces.length)]).join('');
      const parts = await partsOf(text, { lines: round % 2 === 0, size: 1 + next(50) });
      expect(parts.join('')).toBe(text);
    }
  });

  test('only if it is UTF-8; the error names the line', async () => {
    const bytes = new TextEncoder().encode('one\n\ntwo\nthree x\nfour\n\n');
    bytes[bytes.indexOf('x'.charCodeAt(0))] = 0xff;
    for (const size of [1, 4, 1000]) {
      await expect(partsOf(bytes, { size })).rejects.toMatchObject({
        code: 'BadValue',
        path: 'line 4',
        message: 'Line 4 is not valid UTF-8.',
      });
    }
    await expect(partsOf(new Uint8Array([97, 0xf0, 0x9f]))).rejects.toMatchObject({
      path: 'line 1',
    });
  });
});

describe('texts in a line of JSON', () => {
  const found = (line: string, ...keys: readonly string[]) =>
    jsonTexts(line, keys, new Set()).map(({ text }) => text);

  test('are those of the keys, also in lists and objects', () => {
    const line = String.raw`{ "id" : 12345678901234567890, "text":"a \"b\"", "n": {"text": "no"}, "m": [{"role":"user","content":"é"}, "x"]}`;
    expect(found(line, 'text')).toEqual(['a "b"']);
    expect(found(line, 'm')).toEqual(['user', 'é', 'x']);
    expect(found(line, 'text', 'm')).toEqual(['a "b"', 'user', 'é', 'x']);
    expect(found(line, 'role')).toEqual([]);
    expect(found('{"text":1,"text":"second"}', 'text')).toEqual(['second']);
    expect(found(String.raw`{"t\u0065xt":"\ud83d\ude42\ud800"}`, 'text')).toEqual(['🙂\ud800']);
    expect(found('', 'text')).toEqual([]);
  });

  test('are replaced, and the rest stays as it was written', () => {
    const line = '{ "n":1.0, "text" : "caf\\u00e9" ,"big":12345678901234567890, "b":"B"}\r';
    const places = jsonTexts(line, ['text', 'b'], new Set());
    expect(withTexts(line, places, ['café', 'B'])).toBe(line);
    expect(withTexts(line, places, ['"[X]"\n', 'B'])).toBe(
      '{ "n":1.0, "text" : "\\"[X]\\"\\n" ,"big":12345678901234567890, "b":"B"}\r',
    );
  });

  test('may be long', () => {
    const text = 'a\\n"'.repeat(2_000_000);
    const [place] = jsonTexts(JSON.stringify({ text }), ['text'], new Set());
    expect(place?.text === text).toBe(true);
  });
});

test('a marked text shows entities and hidden characters', () => {
  const text = 'Ada \u001b[31min\u202e London';
  const entities = [
    { label: 'PER', start: 0, end: 3, text: 'Ada', score: 1 },
    { label: 'PER', start: 1, end: 3, text: 'da', score: 1 },
    { label: 'L\u0007', start: 13, end: 19, text: 'London', score: 1 },
  ];
  expect(markedText(text, entities, false)).toBe(
    String.raw`[Ada PER] \u001b[31min\u202e [London L\u0007]`,
  );
  const coloured = markedText(text, entities.slice(0, 1), true);
  expect(JSON.stringify(coloured)).toContain(
    String.raw`"\u001b[1;36m[Ada PER]\u001b[22;39m \\u001b[31m`,
  );
});
