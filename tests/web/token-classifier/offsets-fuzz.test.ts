// 100,000 mixed strings: each entity is a part of the text that was given, in range and in order.
import { expect, test } from 'vitest';
import { aggregations } from '../../../web/src/token-classifier/types.ts';
import { taggerDirectory } from '../support/directories/tagger-directories.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { openTokenClassifier } from '../support/open-kinds.ts';

const model = await forAllTests(openTokenClassifier(taggerDirectory()));

const pieces = [
  ...[
    'the',
    'cat',
    ' ',
    '  ',
    '\n',
    '\t',
    '.',
    ',',
    'Ada',
    'ZOË',
    'e\u0301',
    'ﬁ',
    'İ',
    'ẞ',
    '\u00ad',
  ],
  ...['山田', 'です', 'ไทย', 'नमस्ते', 'مرحبا', 'Привет', '안녕', 'Ω', '①', '½', '\u3000', '\u200b'],
  ...[
    '🙂',
    '👩‍👩‍👧',
    '🇫🇷',
    '👍🏽',
    '𝒳',
    '\u0301',
    '\u202e',
    '\0',
    '\ufeff',
    '\ud800',
    '\udc00',
    '\u001b[31m',
  ],
];

let state = 50;
function next(most: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * most);
}

const mixed = (most: number) =>
  Array.from({ length: 1 + next(most) }, () => pieces[next(pieces.length)]).join('');

test('in 100,000 strings', { timeout: 600_000 }, async () => {
  for (let round = 0; round < 20; round++) {
    const texts = Array.from({ length: 5000 }, (_, i) => mixed(i % 500 === 0 ? 300 : 12));
    const aggregation = aggregations[round % aggregations.length] ?? 'simple';
    const offsets = round % 3 === 0 ? 'codePoints' : 'utf16';
    const all = await model.tag(texts, { aggregation, ignore: [], offsets });
    texts.forEach((text, i) => {
      const units = offsets === 'utf16' ? null : [...text];
      let last = 0;
      let fault = '';
      for (const { start, end, text: part, score } of all[i] ?? []) {
        const own = units ? units.slice(start, end).join('') : text.slice(start, end);
        const inRange = start >= last && end >= start && end <= (units ?? text).length;
        if (own !== part || !inRange || !(score > 0 && score <= 1)) {
          fault = `${start} to ${end} is ${JSON.stringify(own)}, not ${JSON.stringify(part)}`;
        }
        last = start;
      }
      if (fault !== '') {
        expect.fail(`${JSON.stringify(text)}: ${fault}`);
      }
    });
  }
});

test('what is not replaced stays as it is', async () => {
  const texts = Array.from({ length: 5000 }, () => mixed(20));
  const same = await model.redact(texts, { ignore: [], replacement: ({ text }) => text });
  expect(same).toEqual(texts);
  const marked = await model.redact(texts, { ignore: [], replacement: '' });
  marked.forEach((left, i) => {
    // What is left is white space, and what the tokenizer takes for no text.
    expect(texts[i]?.length).toBeGreaterThanOrEqual(left.length);
  });
});
