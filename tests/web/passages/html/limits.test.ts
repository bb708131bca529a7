// HTML that is made to be slow. The tests that took minutes end by their timeout.
import { expect, test } from 'vitest';
import { hostileDocuments } from '../hostile.ts';
import { passagesOf, read } from '../reading.ts';

const inTime = { timeout: 20_000 };
const bytesOf = (name: string, bytes: number) => hostileDocuments[name]?.make(bytes) ?? '';

test.each([
  ['html: nested tables', 1],
  ['html: nested closed tables', 1],
  ['html: nested tables in captions', 1],
  ['html: numbered list', 5000],
])('%s', inTime, async (name, least) => {
  const { passages } = await read('a.html', bytesOf(name, 600_000));
  expect(passages.length).toBeGreaterThanOrEqual(least);
});

test('the numbers of a list are those of its items', async () => {
  const html = `<ol start=3>${'<li>a'.repeat(3)}<p>b</p><li>c<ol><li>x<li>y</ol><li>d</ol>`;
  const [passage] = await passagesOf('a.html', html);
  expect(passage?.text).toMatch(/^3\. a\n4\. a\n5\. a/);
  expect(passage?.text).toMatch(/1\. x\n2\. y/);
});

test('formatting that is not closed costs nothing', inTime, async () => {
  const html = `${bytesOf('html: formatting over paragraphs', 3_000_000)}<p>the end`;
  const [passage] = await passagesOf('a.html', html);
  expect(passage?.text).toBe('the end');
});
