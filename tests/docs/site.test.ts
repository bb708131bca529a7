// How the build of the documentation site changes pages: their links, and the scripts and styles in their HTML.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sidebarsOf } from '../../docs/.vitepress/theme/sidebars.ts';
import { tidied } from '../../docs/site/api-pages.ts';
import { topicOf } from '../../docs/site/api-topics.ts';
import { commandPage } from '../../docs/site/command-pages.ts';
import { externalizeScripts } from '../../docs/site/external-scripts.ts';
import { groups, isForDevelopers, sitePath } from '../../docs/site/pages.ts';
import { rewriteLinks } from '../../docs/site/stage.ts';
import { breakable } from '../../docs/site/tables.ts';
import { commandNames } from '../../web/src/cli/commands.ts';

test.each([
  ['README.md', 150],
  ['ARCHITECTURE.md', 150],
])('%s, which people read first, has at most %d lines', (page, most) => {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8');
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(most);
});

const pages = new Set(['README.md', 'docs/threads.md', 'core/io/README.md']);

test.each([
  ['docs/threads.md', '[a](../README.md#speed)', '[a](./index.md#speed)'],
  ['README.md', '[a](docs/threads.md)', '[a](./threads.md)'],
  ['README.md', '[a](core/io/)', '[a](./core/io/index.md)'],
  ['core/io/README.md', '[a](../../docs/threads.md#x)', '[a](../../threads.md#x)'],
  ['docs/threads.md', '[a](https://example.org/)', '[a](https://example.org/)'],
  ['docs/threads.md', '[a](#here)', '[a](#here)'],
  ['README.md', '![a](docs/images/a.png)', '![a](./images/a.png)'],
  ['README.md', '[the license](LICENSE)', 'the license'],
  ['README.md', '```js\nf[a](b)\n```\n[x](LICENSE)', '```js\nf[a](b)\n```\nx'],
])('in %s, %j becomes %j', (path, text, expected) => {
  expect(rewriteLinks(text, path, pages)).toBe(expected);
});

test('inline scripts become files, and other scripts stay', () => {
  const files = new Map<string, string>();
  const outside = '<script type="module" src="/docs/a.js"></script>';
  const html = externalizeScripts(`${outside}<script id="x">go()</script>`, '/docs/', files);
  const [name = ''] = files.keys();
  expect(name).toMatch(/^assets\/inline-[0-9a-f]{12}\.js$/);
  expect(files.get(name)).toBe('go()');
  expect(html).toBe(`${outside}<script id="x" src="/docs/${name}"></script>`);
});

test('styles of tags are removed, and those in the text of code stay', () => {
  const html = '<div style="top:0" id="a">&lt;p style="b"&gt;</div>';
  const expected = '<div id="a">&lt;p style="b"&gt;</div>';
  expect(externalizeScripts(html, '/', new Map())).toBe(expected);
});

test('the page of commands has all of them', async () => {
  const text = await commandPage();
  for (const name of commandNames) {
    expect(text).toContain(`\n### ambry ${name}\n`);
  }
});

test('no two pages of the sidebar have the same address', () => {
  const addresses = groups.flatMap(([, paths]) => paths.map(sitePath));
  expect(new Set(addresses).size).toBe(addresses.length);
});

test.each([
  ['open', 'index.ts', 'open'],
  ['Encoder', 'encoder/client.ts', 'encoder'],
  ['OpenOptions', 'model/types.ts', 'open'],
  ['EmbedOptions', 'model/embed-types.ts', 'encoder'],
  ['CacheControl', 'sources/cache/types.ts', 'open'],
])('the reference has %s of %s on the page %s', (name, path, id) => {
  expect(topicOf(name, path).id).toBe(id);
});

test('an export without a page is an error that says where to add it', () => {
  expect(() => topicOf('fly', 'index.ts')).toThrow(
    /fly of index.ts: add it to docs\/site\/api-topics.ts/,
  );
});

test('pages of the reference have no headings that every member has, and no empty results', () => {
  const page = [
    '### A',
    '#### Accessors',
    '##### size',
    '###### Get Signature',
    '> **get** **size**(): `number`',
    '###### Returns',
    '`number`',
    '##### find()',
    '###### Parameters',
    '| a |',
    '###### Returns',
    '`string`',
    'The text.',
  ].join('\n\n');
  expect(tidied(page)).toBe(
    '### A\n\n#### size\n\n> **get** **size**(): `number`\n\n#### find()\n\n**Parameters**\n\n| a |\n\n**Returns**\n\n`string`\n\nThe text.',
  );
});

test.each([
  ['<code>maxNewTokens</code>', '<code>max<wbr>New<wbr>Tokens</code>'],
  ['<code>a_b.c</code>', '<code>a_<wbr>b.<wbr>c</code>'],
  ['<code>x &lt; aB &amp;&amp; 1</code>', '<code>x &lt; a<wbr>B &amp;&amp; 1</code>'],
  ['<code class="nA">v-pre</code>', '<code class="nA">v-pre</code>'],
])('names in tables may be broken between their words: %s', (html, expected) => {
  expect(breakable(html)).toBe(expected);
});

test('pages of developers are those of their group, and those of rooms that the sidebar does not list', () => {
  const developers = [
    'CONTRIBUTING.html',
    'ARCHITECTURE.html',
    'core/simd/index.html',
    'tests/index.html',
  ];
  const readers = [
    'index.html',
    'api/index.html',
    'core/formats/gguf/index.html',
    'packages/site-search/index.html',
    'glossary.html',
  ];
  expect(developers.filter((file) => !isForDevelopers(file))).toEqual([]);
  expect(readers.filter(isForDevelopers)).toEqual([]);
});

test('guides are open, but on the pages of the groups below them', () => {
  const page = (link: string) => ({ text: link, link });
  const groups = [
    { text: 'Start', collapsed: false, items: [page('/index.md')] },
    { text: 'Guides', collapsed: false, items: [page('/chat.md')] },
    { text: 'API', collapsed: true, items: [page('/api/index.md'), page('/api/open.md')] },
  ];
  const sidebars = sidebarsOf(groups);
  expect(Object.keys(sidebars)).toEqual(['/', '/api/index.md', '/api/open.md']);
  expect(sidebars['/']).toEqual(groups);
  expect(sidebars['/api/open.md']?.map(({ collapsed }) => collapsed)).toEqual([false, true, true]);
});
