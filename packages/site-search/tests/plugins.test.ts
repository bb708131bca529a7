// What the plugins for site generators have in common. tests/site-plugins builds real sites with them.
import { expect, test } from 'vitest';
import { ambrySearch as astroSearch } from '../src/plugins/astro/integration.ts';
import { listPages } from '../src/plugins/docusaurus/list-pages.ts';
import {
  boxAttributes,
  boxHtml,
  boxPlace,
  indexFolder,
  indexOptions,
  scriptUrl,
} from '../src/plugins/shared/options.ts';
import { ambrySearch as starlightSearch } from '../src/plugins/starlight/plugin.ts';
import { ambrySearch as vitePressSearch } from '../src/plugins/vitepress/plugin.ts';
import { modelPath, page, temporaryFolder, writePages } from './support/site.ts';

test.each([
  ['/', '', '/', '/search/'],
  ['/docs/', '', '/docs/', '/docs/search/'],
  ['/docs', 'fr', '/docs/fr/', '/docs/fr/search/'],
])('the box of a site at %s with the locale %j', (base, locale, site, src) => {
  const place = boxPlace(base, {}, locale);
  expect(place).toEqual({ site, src });
  expect(scriptUrl(place)).toBe(`${src}ambry-search.js`);
});

test.each([
  '',
  '/',
  '/search',
  '../search',
  'a/../b',
  '.search',
  'a?b',
])('the folder %j is refused', (folder) => {
  expect(() => indexFolder({ folder })).toThrow(
    expect.objectContaining({ code: 'BadValue', path: 'options.folder' }),
  );
});

test('options are divided between the box and the index', () => {
  const options = { k: 5, facets: ['lang', 'kind'], label: 'a "b" <c>', model: 'm', folder: 'x' };
  const attributes = boxAttributes(options);
  expect(attributes).toEqual({ hotkey: 'k', k: '5', facets: 'lang kind', label: 'a "b" <c>' });
  expect(boxAttributes({ hotkey: false })).toEqual({});
  expect(indexOptions(options)).toEqual({ model: 'm' });
  expect(boxHtml({ label: options.label }, '/s.js')).toBe(
    '<ambry-search label="a &quot;b&quot; &lt;c>"></ambry-search><script type="module" src="/s.js"></script>',
  );
});

test('an option that no plugin has is refused', () => {
  expect(() => indexOptions({ facet: ['lang'] } as object)).toThrow(
    expect.objectContaining({
      code: 'BadValue',
      path: 'options.facet',
      message: expect.stringMatching(/^There is no option "facet"\. The options are: .*facets/),
    }),
  );
});

test('pages of Docusaurus that list others are known by their component', () => {
  const routes = [
    { path: '/base/blog/', component: '@theme/BlogListPage' },
    { path: '/base/blog/a', component: '@theme/BlogPostPage' },
    {
      path: '/base/',
      component: '@theme/Root',
      routes: [{ path: '/base/tags', component: '@theme/DocTagsListPage' }],
    },
  ];
  expect([...listPages(routes, '/base/')].sort()).toEqual([
    'blog.html',
    'blog/index.html',
    'tags.html',
    'tags/index.html',
  ]);
});

test('the plugin of VitePress says where it belongs', () => {
  const plugin = vitePressSearch();
  expect(() => plugin.configResolved({ command: 'build' })).toThrow(
    expect.objectContaining({ code: 'Unsupported', path: 'vite.plugins' }),
  );
});

test('VitePress’s pages with `search: false` are left out, also in the folder of a language', async () => {
  const folder = temporaryFolder();
  writePages(folder, {
    'index.html': page('One', '<p>zebra</p>'),
    'hidden.html': page('Two', '<p>zebra too</p>'),
    'de/index.html': page('Drei', '<p>Zebra drei</p>'),
    'de/hidden.html': page('Vier', '<p>Zebra vier</p>'),
  });
  const told: string[] = [];
  const logger = { info: (line: string) => told.push(line), warn: () => {} };
  const locales = { root: {}, de: {} };
  const site = { outDir: folder, logger, site: { base: '/', title: 'Docs', locales } };
  const built = site as typeof site & {
    transformHead: (page: object) => unknown;
    buildEnd: (site: object) => Promise<void>;
  };
  built.transformHead = () => ['kept'];
  const plugin = vitePressSearch({ model: modelPath });
  plugin.configResolved({ command: 'build', vitepress: built } as never);
  for (const name of ['index.md', 'hidden.md', 'de/index.md', 'de/hidden.md']) {
    const frontmatter = name.includes('hidden') ? { search: false } : {};
    expect(built.transformHead({ page: name, pageData: { frontmatter } })).toEqual(['kept']);
  }
  await built.buildEnd(built);
  // On a busy machine there are lines of the progress, too.
  const counts = told.flatMap((line) => /from (\d+) pages/.exec(line)?.[1] ?? []);
  expect(counts).toEqual(['1', '1']);
});

/** The module that an integration of Astro makes. */
function moduleOf(i18n: object | undefined, command: string): string {
  let source: string | undefined;
  const config = { base: '/b', trailingSlash: 'ignore', build: { format: 'directory' }, i18n };
  astroSearch().hooks['astro:config:setup']({
    command,
    config: config as never,
    updateConfig: ({ vite }) => {
      source = vite.plugins[0]?.load('\0virtual:ambry-site-search');
    },
  });
  return source ?? '';
}

test('Astro’s locales have folders, but for the default one', () => {
  const locales = ['en', { path: 'francais', codes: ['fr', 'fr-CA'] }];
  const routing = { prefixDefaultLocale: false };
  const source = moduleOf({ defaultLocale: 'en', locales, routing }, 'build');
  expect(source).toContain('"/b/search/ambry-search.js"');
  for (const entry of ['["en",{"site":"/b/"', '["fr-CA",{"site":"/b/francais/"']) {
    expect(source).toContain(entry);
  }
  expect(moduleOf(undefined, 'build')).toContain('["root",{"site":"/b/"');
  expect(moduleOf(undefined, 'dev')).toContain('script = undefined');
});

test('Starlight’s search is replaced, unless the site has one of its own', () => {
  const warnings: string[] = [];
  const searchOf = (components: Record<string, string>) => {
    let own = '';
    starlightSearch().hooks['config:setup']({
      config: { title: 'Docs', components },
      logger: { info: () => {}, warn: (message) => warnings.push(message) },
      updateConfig: (config) => {
        own = config.components['Search'] ?? '';
      },
      addIntegration: () => {},
    });
    return own;
  };
  expect(searchOf({ Header: './header.astro' })).toBe('ambry-site-search/starlight/search.astro');
  expect(warnings).toEqual([]);
  expect(searchOf({ Search: './mine.astro' })).toBe('./mine.astro');
  expect(warnings.join()).toContain('./mine.astro');
});
