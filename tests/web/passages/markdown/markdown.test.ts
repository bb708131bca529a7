import { describe, expect, test } from 'vitest';
import { countWords, passagesOf, read } from '../reading.ts';

describe('Markdown', () => {
  test('passages have their headings and lines', async () => {
    const text = '# Top\nIntro.\n## Part\nBody *of* `it`.\n\nNext\n====\nEnd.';
    expect(await passagesOf('a.md', text)).toEqual([
      { id: 'a.md#1', text: 'Top: Intro.', heading: 'Top', position: 2, source: 'a.md' },
      {
        id: 'a.md#2',
        text: 'Top › Part: Body of it.',
        heading: 'Top › Part',
        position: 4,
        source: 'a.md',
      },
      { id: 'a.md#3', text: 'Next: End.', heading: 'Next', position: 8, source: 'a.md' },
    ]);
  });

  test('a heading with nothing under it becomes a passage', async () => {
    const text = '# Top\n## Bare\n## Other\nText.\n### Last';
    expect(await passagesOf('a.md', text)).toMatchObject([
      { text: 'Top: Bare', heading: 'Top', position: 2 },
      { text: 'Top › Other: Text.' },
      { text: 'Top › Other: Last', heading: 'Top › Other' },
    ]);
  });

  test('a heading that takes more than half of a passage becomes a passage', async () => {
    const heading = 'long '.repeat(80).trim();
    const passages = await passagesOf('a.md', `# ${heading}\n\nShort.`, { count: countWords });
    expect(passages).toMatchObject([
      { text: heading, heading, position: 3 },
      { text: 'Short.', heading },
    ]);
  });

  test('code keeps its lines and has no headings', async () => {
    const text = 'See:\n\n```sh\n# no heading\n  ls -l\n```\n\n    indented\n';
    const [passage] = await passagesOf('a.md', text);
    expect(passage).toMatchObject({ text: 'See:\n# no heading\n  ls -l\nindented', position: 1 });
  });

  test('long code is cut between lines', async () => {
    const lines = Array.from({ length: 90 }, (_, i) => `let value${i} = ${i};`);
    const text = `\`\`\`\n${lines.join('\n')}\n\`\`\`\n`;
    const passages = await passagesOf('a.md', text, { count: countWords });
    expect(passages.length).toBeGreaterThan(2);
    expect(passages.map((passage) => passage.text).join('\n')).toBe(lines.join('\n'));
    for (const { text: part, position } of passages) {
      expect(part.split('\n')[0]).toBe(lines[position - 2]);
    }
  });

  test('the rows of a table name their columns', async () => {
    const text = 'Who:\n\n| Name | Born |\n|---|:-:|\n| **Ada** | 1815 |\n| Alan | |\n';
    const [passage] = await passagesOf('a.md', text);
    expect(passage?.text).toBe('Who:\nName: Ada; Born: 1815\nName: Alan');
  });

  test('list items are lines with their numbers', async () => {
    const text = '- eggs\n- [ ] milk\n  - fresh\n\n3. mix\n4. [x] bake &amp; eat\n';
    const [passage] = await passagesOf('a.md', text);
    expect(passage?.text).toBe('eggs\nmilk\nfresh\n3. mix\n4. bake & eat');
  });

  test('links, images, quotes, line breaks and HTML are read as text', async () => {
    const text =
      '> A [link](http://x "t") and ![a cat](c.png)\\\nnext &lt;b&gt; <b>bold</b><br>end\n\n<div>Block <i>of</i> it</div>\n\n[x]: http://y\n\n---\n\n&copy; \\*me\\*\n';
    const [passage] = await passagesOf('a.md', text);
    expect(passage?.text).toBe('A link and a cat next <b> bold end Block of it © *me*');
  });

  test('scripts are not read', async () => {
    expect(await passagesOf('a.md', '<script>\nalert(1)\n</script>\n\nText.')).toMatchObject([
      { text: 'Text.' },
    ]);
  });

  test('front matter gives the title and the description', async () => {
    const text =
      '---\ntitle: "On owls"\ntags: [a, b]\ndescription: They hoot.\n---\n\n## Food\nMice.\n';
    expect(await passagesOf('a.md', text)).toMatchObject([
      { text: 'On owls: They hoot.', heading: 'On owls' },
      { text: 'On owls › Food: Mice.', position: 8 },
    ]);
    expect(await passagesOf('a.md', '+++\ntitle = "T"\n+++\nText.')).toMatchObject([
      { text: 'T: Text.', position: 4 },
    ]);
  });

  test('prose between two horizontal rules is not front matter', async () => {
    const text = '---\nOnly a sentence, no matter.\n\n---\nEnd.';
    const { passages } = await read('a.md', text);
    expect(passages.map((passage) => passage.text).join(' ')).toContain('Only a sentence');
  });

  test('quotes that are nested too deeply are an error', async () => {
    await expect(read('deep.md', `${'> '.repeat(20_000)}x`)).rejects.toMatchObject({
      code: 'LimitExceeded',
      message: expect.stringContaining('deep.md') as string,
    });
  });

  test('line breaks may be those of Windows', async () => {
    expect(await passagesOf('a.md', '# A\r\n\r\none\r\ntwo\r\n')).toMatchObject([
      { text: 'A: one two', position: 3 },
    ]);
  });
});
