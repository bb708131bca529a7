// The parts of a split model: which files they are, and how they are read as one.
import { describe, expect, test } from 'vitest';
import { joinedSource, openJoined } from '../../../web/src/sources/base/joined.ts';
import type { FetchOptions, ModelParts, ModelSource } from '../../../web/src/sources/base/types.ts';
import type { WireSource } from '../../../web/src/sources/base/wire.ts';
import { openSource } from '../../../web/src/sources/open-source.ts';
import { openRanged } from '../../../web/src/sources/ranged.ts';
import { wireSource } from '../../../web/src/sources/wire-source.ts';

const locate = (source: string | URL): WireSource =>
  /^https?:/.test(String(source))
    ? { kind: 'url', url: String(source) }
    : { kind: 'path', path: String(source) };

const wired = (source: ModelSource | ModelParts, options: FetchOptions = {}) =>
  wireSource(locate, source, options);

/** The places of the parts. */
async function placesOf(source: string): Promise<string[]> {
  const wire = await wired(source);
  if (wire.kind !== 'parts') {
    return [];
  }
  return wire.parts.map(({ source }) =>
    source.kind === 'url' ? source.url : source.kind === 'path' ? source.path : source.kind,
  );
}

const { signal } = new AbortController();
const pieces = ['abcde', '', 'fg', 'hijklm'];
const blobs = pieces.map((text) => new Blob([text]));
const named = blobs.map((blob, i) => ({
  name: `part ${i}`,
  source: { kind: 'blob', blob } as const,
}));
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe('the name of a part', () => {
  test('stands for all parts beside it', async () => {
    const parts = ['/m/a-00001-of-00002.gguf', '/m/a-00002-of-00002.gguf'];
    expect(await placesOf('/m/a-00001-of-00002.gguf')).toEqual(parts);
    expect(await placesOf('/m/a-00002-of-00002.gguf')).toEqual(parts);
    expect(await placesOf('C:\\m\\a-00001-of-00002.gguf')).toEqual([
      'C:\\m\\a-00001-of-00002.gguf',
      'C:\\m\\a-00002-of-00002.gguf',
    ]);
    expect(await placesOf('https://a.b/x-00002-of-00003.gguf?key=1#f')).toEqual([
      'https://a.b/x-00001-of-00003.gguf?key=1#f',
      'https://a.b/x-00002-of-00003.gguf?key=1#f',
      'https://a.b/x-00003-of-00003.gguf?key=1#f',
    ]);
  });

  test.each([
    'model.gguf',
    'a-00001-of-00001.gguf',
    'a-00000-of-00002.gguf',
    'a-00003-of-00002.gguf',
    'a-1-of-2.gguf',
    'a-00001-of-00002.gguf/b.gguf',
    'https://a.b/model.gguf?of=a-00001-of-00002.gguf',
  ])('is not %s', async (name) => {
    expect((await wired(name)).kind).not.toBe('parts');
  });

  test('passes the options on to every part', async () => {
    const wire = await wired('https://a.b/x-00001-of-00002.gguf', { cache: true });
    expect(wire).toMatchObject({ kind: 'parts', cache: true });
    if (wire.kind === 'parts') {
      for (const { source } of wire.parts) {
        expect(source).toMatchObject({ cache: true });
      }
    }
    await expect(wired('x-00001-of-00002.gguf', { sha256: '0'.repeat(64) })).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'sha256',
    });
  });

  test('does not ask for thousands of files', async () => {
    await expect(wired('x-00001-of-99999.gguf')).rejects.toMatchObject({ code: 'LimitExceeded' });
  });
});

describe('parts that are given', () => {
  const part = (i: number, stem = 'x') => `${stem}-0000${i}-of-00003.gguf`;
  const all = [3, 1, 2].map((i) => new File([String(i)], part(i)));

  test('come into their order', async () => {
    const given = [all, new Map(all.map((file) => [`folder/${file.name}`, file]))];
    for (const source of given) {
      const wire = await wired(source);
      if (wire.kind !== 'parts') {
        throw new Error(wire.kind);
      }
      expect(wire.parts.map(({ name }) => name)).toEqual([1, 2, 3].map((i) => part(i)));
      const opened = await openSource(wire, { signal });
      expect(textOf(await opened.read(0, 3))).toBe('123');
    }
  });

  test('are named when they are not one model', async () => {
    await expect(wired(all.slice(1))).rejects.toMatchObject({ code: 'NotFound', path: part(3) });
    await expect(wired([...all.slice(1), new File(['3'], part(3, 'y'))])).rejects.toMatchObject({
      code: 'Mismatch',
      path: part(3, 'y'),
    });
    for (const others of [[], [new File([], 'model.gguf')], { 'config.json': blobs[0] as Blob }]) {
      await expect(wired(others)).rejects.toMatchObject({ code: 'Unsupported', path: 'source' });
    }
    const stream = { [part(1)]: all[1], [part(2)]: all[2], [part(3)]: new Blob().stream() };
    await expect(wired(stream as ModelParts)).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'source',
    });
  });
});

describe('files that are read as one', () => {
  test('give every range', async () => {
    const whole = pieces.join('');
    const source = await openJoined(named, (part) => openSource(part, { signal }));
    expect(source).toMatchObject({ size: 13, ends: [5, 5, 7, 13], seekable: true, phase: 'load' });
    for (let begin = 0; begin <= whole.length; begin++) {
      for (let end = begin; end <= whole.length; end++) {
        expect(textOf(await source.read(begin, end - begin))).toBe(whole.slice(begin, end));
        let streamed = '';
        for await (const chunk of source.stream(begin, end)) {
          streamed += textOf(chunk);
        }
        expect(streamed).toBe(whole.slice(begin, end));
      }
    }
  });

  test('are read on demand, too', async () => {
    const file = await openRanged(
      { kind: 'parts', parts: named },
      { signal, open: (wire, options) => openSource(wire, options) },
    );
    const source = file.source(signal);
    expect(source.ends).toEqual([5, 5, 7, 13]);
    expect(textOf(await source.read(4, 5))).toBe('efghi');
  });

  test('close with each other, and name the one that fails', async () => {
    const closed: number[] = [];
    const opening = openJoined(named, async (part) => {
      const i = named.findIndex(({ source }) => source === part);
      const source = await openSource(i < 2 ? part : { kind: 'path', path: 'gone' }, { signal });
      return { ...source, close: async () => void closed.push(i) };
    });
    await expect(opening).rejects.toMatchObject({ code: 'Unsupported', path: 'part 2' });
    expect(closed).toEqual([0, 1]);
  });

  test('must all be read by range', async () => {
    const once = await openSource(
      { kind: 'stream', stream: new Blob(['a']).stream(), head: new Uint8Array() },
      { signal },
    );
    expect(() => joinedSource([once])).toThrow(/by range/);
  });
});
