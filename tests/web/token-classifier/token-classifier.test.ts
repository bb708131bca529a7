// The built package in Node: token classifiers.
import { describe, expect, test } from 'vitest';
import type { Progress, TextEntity } from '../../../web/src/index.ts';
import { headDirectory } from '../support/directories/head-directories.ts';
import { nameLabels, taggerDirectory } from '../support/directories/tagger-directories.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { openTokenClassifier } from '../support/open-kinds.ts';
import { ambry } from '../support/package.ts';

const model = await forAllTests(openTokenClassifier(taggerDirectory()));
/** All tokens with their labels. */
const plain = { aggregation: 'none', ignore: [] } as const;
const sentence = 'the cat sat on the mat. dog ran home!';
const long = `${sentence} `.repeat(40).trimEnd();

const placesOf = (entities: readonly TextEntity[]) =>
  entities.map(({ start, end }) => [start, end]);

/** What `simple` makes of single tokens, written in another way: a string of letters is cut by an expression. */
function joinedByHand(tokens: readonly TextEntity[]) {
  const groups: TextEntity[][] = [];
  let tag = '';
  for (const token of tokens) {
    const own = token.label.replace(/^[BI]-/, '');
    if (own !== tag || token.label.startsWith('B-')) {
      groups.push([]);
    }
    tag = own;
    groups.at(-1)?.push(token);
  }
  return groups
    .map((group) => ({
      label: group[0]?.label.replace(/^[^-]*-/, ''),
      start: group[0]?.start,
      end: group.at(-1)?.end,
      score: group.reduce((sum, { score }) => sum + score, 0) / group.length,
    }))
    .filter(({ label }) => label !== 'O');
}

describe('a token classifier', () => {
  test('says what it is', async () => {
    expect(model.kind).toBe('tokenClassifier');
    expect(model.labels).toEqual(nameLabels);
    expect(model.info.config?.['tokenHead']).toMatchObject({ labels: nameLabels });
    expect(model.weightBytes).toBeGreaterThan(0);
    await using same = await ambry.open(taggerDirectory());
    expect(same.kind).toBe('tokenClassifier');
  });

  test('gives each token its place and a label', async () => {
    const tokens = await model.tag(sentence, plain);
    const { offsets } = await model.tokenize(sentence, { special: false });
    expect(placesOf(tokens)).toEqual(offsets);
    for (const { label, start, end, text, score } of tokens) {
      expect(nameLabels).toContain(label);
      expect(text).toBe(sentence.slice(start, end));
      expect(score).toBeGreaterThan(1 / nameLabels.length - 1e-6);
      expect(score).toBeLessThanOrEqual(1);
    }
    expect(new Set(tokens.map(({ label }) => label)).size).toBeGreaterThan(1);
  });

  test('joins neighbours with the same label', async () => {
    const tokens = await model.tag(sentence, plain);
    const entities = await model.tag(sentence);
    expect(entities.length).toBeGreaterThan(0);
    expect(entities).toMatchObject(
      joinedByHand(tokens).map(({ score, ...entity }) => ({
        ...entity,
        score: expect.closeTo(score, 6) as number,
      })),
    );
  });

  test.each([
    'first',
    'average',
    'max',
  ] as const)('labels words as a whole with %s', async (aggregation) => {
    const text = 'xyz cat qq dog';
    const words = await model.tag(text, { aggregation, ignore: [] });
    const borders = [0, 3, 4, 7, 8, 10, 11, 14];
    for (const [start, end] of placesOf(words)) {
      expect(borders).toContain(start);
      expect(borders).toContain(end);
    }
    const tokens = await model.tag('xyz', plain);
    expect(tokens).toHaveLength(3);
    const [word] = await model.tag('xyz', { aggregation, ignore: [] });
    const most = Math.max(...tokens.map(({ score }) => score));
    const expected = { first: tokens[0]?.score, max: most, average: undefined }[aggregation];
    if (expected !== undefined) {
      expect(word?.score).toBeCloseTo(expected, 6);
    }
    expect(word?.score).toBeLessThanOrEqual(most + 1e-6);
  });

  test('takes a list, also a long one, and gives what each text alone gives', async () => {
    const texts = Array.from({ length: 3000 }, (_, i) => sentence.slice(i % 20, 4 + (i % 31)));
    const all = await model.tag(texts, plain);
    expect(all).toHaveLength(texts.length);
    for (const i of [0, 1, 511, 512, 1777, 2999]) {
      const alone = await model.tag(texts[i] ?? '', plain);
      expect(placesOf(all[i] ?? [])).toEqual(placesOf(alone));
      expect(all[i]?.map(({ label }) => label)).toEqual(alone.map(({ label }) => label));
    }
    expect(await model.tag([])).toEqual([]);
    expect(await model.tag('')).toEqual([]);
    expect(await model.tag(['', ' \n\t '])).toEqual([[], []]);
  });

  test('reads a long text as a whole, in windows', async () => {
    const { offsets } = await model.tokenize(long, { special: false });
    for (const stride of [undefined, 0, 1, 20]) {
      const given = stride === undefined ? {} : { stride };
      const tokens = await model.tag(long, { ...plain, ...given });
      expect(placesOf(tokens)).toEqual(offsets);
    }
    const starts = (await model.tag(long)).map(({ start }) => start);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    expect(starts.at(-1)).toBeGreaterThan(long.length / 2);
  });

  test('counts UTF-16 units, or code points', async () => {
    const text = '🙂 the 𝒳cat é\u0301 on 👩‍👩‍👧 home';
    const units = await model.tag(text, plain);
    const points = await model.tag(text, { ...plain, offsets: 'codePoints' });
    const characters = [...text];
    expect(points.map((entity) => entity.text)).toEqual(units.map((entity) => entity.text));
    for (const { start, end, text: part } of points) {
      expect(characters.slice(start, end).join('')).toBe(part);
    }
    expect(points.at(-1)?.end).toBe(characters.length);
    expect(units.at(-1)?.end).toBe(text.length);
  });

  test('keeps the labels that are asked for', async () => {
    const all = await model.tag(sentence);
    const places = await model.tag(sentence, { labels: ['LOC'] });
    expect(places).toEqual(all.filter(({ label }) => label === 'LOC'));
    const middle = all.map(({ score }) => score).toSorted((a, b) => a - b)[all.length >> 1] ?? 0;
    const sure = await model.tag(sentence, { threshold: middle });
    expect(sure).toEqual(all.filter(({ score }) => score >= middle));
    const others = await model.tag(sentence, { ignore: ['PER'] });
    expect(others.map(({ label }) => label)).toContain('O');
    expect(others.map(({ label }) => label)).not.toContain('PER');
    const begins = await model.tag(sentence, { aggregation: 'none', labels: ['B-PER'] });
    expect(new Set(begins.map(({ label }) => label)).size).toBeLessThan(2);
  });

  test('keeps every text as it is around entities', async () => {
    const redacted = await model.redact(sentence);
    const entities = await model.tag(sentence);
    let at = 0;
    const parts = entities.flatMap(({ label, start, end }) => {
      const before = sentence.slice(at, start);
      at = end;
      return [before, `[${label}]`];
    });
    expect(redacted).toBe([...parts, sentence.slice(at)].join(''));
    expect(await model.redact([sentence, ''])).toEqual([redacted, '']);
    expect(await model.redact(sentence, { threshold: 1 })).toBe(sentence);
    const names = await model.redact(sentence, { labels: ['PER'], replacement: '<{label}>' });
    expect(names).not.toContain('<LOC>');
  });

  test('tells its progress, and stops', async () => {
    const seen: Progress[] = [];
    const texts = Array.from({ length: 700 }, () => sentence);
    await model.tag(texts, { onProgress: (progress) => seen.push(progress) });
    expect(seen.at(-1)).toMatchObject({ phase: 'score', loaded: 700, total: 700 });
    const controller = new AbortController();
    const stopped = model.tag(texts, {
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
    expect(await model.tag('cat', plain)).toHaveLength(1);
  });
});

describe('texts of any kind', () => {
  test.each([
    ['half a character', 'the \ud800 cat \udc00'],
    ['a NUL', 'the\0cat\0'],
    ['a byte order mark', '\ufeffthe cat'],
    ['lines', 'the\r\ncat\u2028sat\u0085on'],
    ['marks alone', '\u0301\u0301\u0301'],
    ['one long word', 'x'.repeat(5000)],
    ['emoji alone', '🙂'.repeat(300)],
  ])('%s', async (_, text) => {
    for (const aggregation of ['none', 'simple', 'max'] as const) {
      const entities = await model.tag(text, { aggregation, ignore: [] });
      let last = 0;
      for (const { start, end, text: part } of entities) {
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end).toBeLessThanOrEqual(text.length);
        expect(part).toBe(text.slice(start, end));
        last = start;
      }
    }
    expect(await model.redact(text, { replacement: ({ text: part }) => part })).toBe(text);
  });
});

describe('bad input', () => {
  test.each([
    [{ aggregation: 'fist' }, 'options.aggregation', /Did you mean "first"/],
    [{ aggregation: 1 }, 'options.aggregation', /one of simple/],
    [{ stride: -1 }, 'options.stride', /integer of 0 or more/],
    [{ stride: 1.5 }, 'options.stride', /integer of 0 or more/],
    [{ stride: Number.NaN }, 'options.stride', /integer of 0 or more/],
    [{ stride: 62 }, 'options.stride', /below the 62 tokens/],
    [{ stride: 1e9 }, 'options.stride', /below the 62 tokens/],
    [{ threshold: 1.1 }, 'options.threshold', /from 0 to 1/],
    [{ threshold: Number.NaN }, 'options.threshold', /from 0 to 1/],
    [{ offsets: 'bytes' }, 'options.offsets', /one of utf16, codePoints/],
    [{ labels: ['PR'] }, 'options.labels[0]', /no label "PR". Did you mean "PER"/],
    [{ labels: ['LOC', 'B-PER'] }, 'options.labels[1]', /no label "B-PER"/],
    [{ labels: ['PER'], aggregation: 'none' }, 'options.labels[0]', /B-PER/],
    [{ labels: 'PER' }, 'options.labels', /list of texts/],
    [{ ignore: [1] }, 'options.ignore[0]', /a text/],
  ])('%j is refused', async (options, path, message) => {
    const refusal = { code: 'BadValue', path, message: expect.stringMatching(message) };
    await expect(model.tag(sentence, options as never)).rejects.toMatchObject(refusal);
    await expect(model.redact(sentence, options as never)).rejects.toMatchObject(refusal);
  });

  test.each([[[1]], [['a', null]]])('%j is no list of texts', async (texts) => {
    await expect(model.tag(texts as never)).rejects.toMatchObject({
      code: 'BadValue',
      path: `texts[${texts.length - 1}]`,
    });
  });

  test('a replacement that is no text is refused', async () => {
    const path = 'options.replacement';
    await expect(model.redact('a', { replacement: 1 as never })).rejects.toMatchObject({ path });
    const replacement = () => undefined as never;
    await expect(model.redact(sentence, { replacement })).rejects.toMatchObject({ path });
  });

  test('numbers that are none are refused', async () => {
    const bias = nameLabels.map(() => Number.NaN);
    await using broken = await openTokenClassifier(taggerDirectory({ bias }));
    await expect(broken.tag('cat')).rejects.toMatchObject({ code: 'BadValue' });
  });

  test('a model of another kind is refused, and the other way round', async () => {
    const wanted = { kind: 'tokenClassifier' } as const;
    await expect(ambry.open(headDirectory(), wanted)).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'options.kind',
    });
    await expect(ambry.open(taggerDirectory(), { kind: 'reranker' })).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'options.kind',
    });
  });
});
