import { describe, expect, test } from 'vitest';
import { passagesFromFile } from '../../../web/src/passages/passages.ts';

const words = (text: string) => text.split(/\s+/).length;

describe('passagesFromFile', () => {
  test('plain text: paragraphs with their lines, short ones together', () => {
    const long = `${'word '.repeat(70).trim()}.`;
    const passages = passagesFromFile('a.txt', `One.\n\nTwo,\nstill two.\n\n${long}\n`);
    expect(passages).toMatchObject([
      { id: 'a.txt#1', text: 'One. Two, still two.', source: 'a.txt', position: 1 },
      { id: 'a.txt#2', text: long, position: 6 },
    ]);
  });

  test('long paragraphs are cut between sentences', () => {
    const sentence = `Alpha ${'beta '.repeat(28)}omega. `;
    const passages = passagesFromFile('a.txt', sentence.repeat(9));
    expect(passages).toHaveLength(3);
    for (const { text } of passages) {
      expect(words(text)).toBeLessThanOrEqual(100);
      expect(text).toMatch(/^Alpha .*omega\.$/);
    }
  });

  test.each([
    ['words without end', 'alpha '.repeat(1000)],
    ['a script without spaces', '漢字'.repeat(1000)],
    ['one long run', 'x'.repeat(5000)],
  ])('%s are cut somewhere, and nothing is lost', (_, text) => {
    const passages = passagesFromFile('a.txt', text);
    expect(
      passages
        .map((passage) => passage.text)
        .join('')
        .replace(/\s/g, ''),
    ).toBe(text.replace(/\s/g, ''));
    for (const passage of passages) expect(words(passage.text)).toBeLessThanOrEqual(100);
  });

  test('Markdown: headings go with their passages, code is left whole, front matter is left out', () => {
    const text =
      '---\ntags: x\n---\n# Top\nIntro.\n## Part\nBody.\n```\n# no heading\n```\n# Next\nEnd.';
    expect(passagesFromFile('a.md', text)).toMatchObject([
      { text: 'Top: Intro.', heading: 'Top', position: 5 },
      { text: 'Top › Part: Body. ``` # no heading ```', heading: 'Top › Part' },
      { text: 'Next: End.', heading: 'Next' },
    ]);
  });

  test('JSON Lines: ids and other fields are kept, lines may be blank', () => {
    const text = '{"id":"a","text":"First","tag":1}\n\n{"id":7,"title":"T","content":"Second"}\n';
    expect(passagesFromFile('d.jsonl', text)).toEqual([
      { id: 'a', text: 'First', source: 'd.jsonl', position: 1, tag: 1 },
      { id: 7, text: 'T: Second', source: 'd.jsonl', position: 2, title: 'T' },
    ]);
  });

  test('all parts of a long record keep its id', () => {
    const text = JSON.stringify({ id: 'long', text: 'Some words here. '.repeat(60) });
    const passages = passagesFromFile('d.jsonl', text);
    expect(passages.length).toBeGreaterThan(1);
    expect(new Set(passages.map(({ id }) => id))).toEqual(new Set(['long']));
  });

  test('JSON: a list, an object around a list, one object, plain strings', () => {
    const texts = (json: string) => passagesFromFile('d.json', json).map(({ text }) => text);
    expect(texts('[{"text":"a"},{"body":"b"}]')).toEqual(['a', 'b']);
    expect(texts('{"title":"x","docs":[{"text":"a"}]}')).toEqual(['a']);
    expect(texts('{"question":"q?","answer":"yes"}')).toEqual(['q?; yes']);
    expect(texts('["a","b"]')).toEqual(['a', 'b']);
  });

  test('CSV: quotes, line breaks in fields, the text column or all columns', () => {
    const rows = 'id,text\n1,"a, ""b""\nc"\n2,d\n';
    expect(passagesFromFile('t.csv', rows)).toMatchObject([
      { id: '1', text: 'a, "b" c' },
      { id: '2', text: 'd' },
    ]);
    expect(passagesFromFile('t.csv', 'name,what\nAda,maths\n')).toMatchObject([
      { id: 't.csv#1', text: 'Ada; maths' },
    ]);
  });

  test.each([
    ['d.json', '{', /Not valid JSON: d.json/],
    ['d.jsonl', '{"a":"b"}\n{', /d.jsonl, line 2/],
    ['t.csv', 'a\n"b', /Not valid CSV/],
  ])('%s that is broken', (path, text, message) => {
    expect(() => passagesFromFile(path, text)).toThrow(message);
  });

  test('other types are refused by name', () => {
    expect(() => passagesFromFile('a.pdf', '')).toThrow(/a\.pdf.*Known are/);
  });

  test.each(['a.txt', 'a.md', 'a.csv', 'a.jsonl'])('an empty %s has no passages', (path) => {
    expect(passagesFromFile(path, '')).toEqual([]);
  });
});
