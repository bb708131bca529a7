// Pages with very many headings.
import { describe, expect, test } from 'vitest';
import { countWords, passagesOf, read } from '../reading.ts';

describe('headings without text below them', () => {
  test('are lines of few passages', async () => {
    const terms = Array.from({ length: 20_000 }, (_, i) => `term${i}`);
    for (const [path, page] of [
      ['a.md', terms.map((term) => `## ${term}\n`).join('\n')],
      ['a.html', terms.map((term) => `<h2>${term}</h2>`).join('')],
    ] as const) {
      const passages = await passagesOf(path, page, { most: 100, count: countWords });
      expect(passages.length).toBeLessThanOrEqual(20_000 / 45);
      expect(passages.flatMap(({ text }) => text.split('\n'))).toEqual(terms);
    }
  });

  test('stand below the headings above them, and begin anew after a text', async () => {
    const page = '# A\n## B\n## C\n# D\ntext\n# E\n# F\n## G\n';
    expect(await passagesOf('a.md', page)).toMatchObject([
      { text: 'A: B\nC', heading: 'A', position: 2 },
      { text: 'D: text', heading: 'D' },
      { text: 'E', position: 6 },
      { text: 'F: G', heading: 'F' },
    ]);
  });

  test('and headings with a text each keep their passages', async () => {
    const page = Array.from({ length: 20_000 }, (_, i) => `## term${i}\nmeaning ${i}\n`).join('\n');
    const { passages } = await read('a.md', page, { count: countWords });
    expect(passages).toHaveLength(20_000);
    expect(passages[19_999]).toMatchObject({ text: 'term19999: meaning 19999' });
  });
});
