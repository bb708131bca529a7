import { describe, expect, test } from 'vitest';
import { passagesOf, read } from '../reading.ts';

describe('a log', () => {
  test('is read line by line, without colors', async () => {
    const text =
      '12:00 \u001b[32mINFO\u001b[0m start\n12:01 ERROR owl\n    at hoot (owl.js:1)\n\n12:02 INFO \u001b]8;;https://x.org\u0007link\u001b]8;;\u0007 end\r\n';
    const { passages } = await read('a.log', text);
    expect(passages).toMatchObject([
      { text: '12:00 INFO start\n12:01 ERROR owl\n    at hoot (owl.js:1)\n12:02 INFO link end' },
    ]);
  });

  test('that is long is cut between lines, and passages know their lines', async () => {
    const lines = Array.from({ length: 5000 }, (_, i) => `12:00 INFO request ${i} was served`);
    const passages = await passagesOf('a.log', lines.join('\n'));
    expect(passages.length).toBeGreaterThan(300);
    for (const { text, position } of passages) {
      expect(text.split('\n')[0]).toBe(lines[position - 1]);
    }
  });
});

describe('YAML', () => {
  test('has the keys of the first level as headings', async () => {
    const text =
      '# A file.\nname: owls\njobs: # all\n  build:\n    run: make\n"on key":\n  - push\nlast: 1\n---\nother: |\n  Two\n  lines\n';
    expect(await passagesOf('a.yaml', text)).toMatchObject([
      { text: '# A file.\nname: owls', position: 1 },
      { text: 'jobs: build:\n    run: make', heading: 'jobs', position: 4 },
      { text: 'on key: - push', heading: 'on key', position: 7 },
      { text: 'last: 1', position: 8 },
      { text: 'other: Two\n  lines', heading: 'other', position: 11 },
    ]);
  });

  test('of a list, and of no form, is text', async () => {
    expect((await passagesOf('a.yml', '- a: 1\n  b: 2\n- c\n'))[0]?.text).toBe(
      '- a: 1\n  b: 2\n- c',
    );
    expect((await passagesOf('a.yml', 'just text\n: : :\n'))[0]?.text).toBe('just text\n: : :');
  });
});
