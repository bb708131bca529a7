// How the build of the documentation site changes pages: their links, and the scripts and styles in their HTML.
import { expect, test } from 'vitest';
import { commandPage } from '../../docs/site/command-pages.ts';
import { externalizeScripts } from '../../docs/site/external-scripts.ts';
import { groups, sitePath } from '../../docs/site/pages.ts';
import { rewriteLinks } from '../../docs/site/stage.ts';
import { commandNames } from '../../web/src/cli/commands.ts';

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
  for (const name of commandNames) expect(text).toContain(`\n### ambry ${name}\n`);
});

test('no two pages of the sidebar have the same address', () => {
  const addresses = groups.flatMap(([, paths]) => paths.map(sitePath));
  expect(new Set(addresses).size).toBe(addresses.length);
});
