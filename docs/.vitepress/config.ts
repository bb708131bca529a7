// The site is built from the pages that docs/site/stage.ts collects. It asks no other host for anything, and its pages run
// under the strict policy of the demo pages: no inline scripts and no inline styles.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformerStyleToClass } from '@shikijs/transformers';
import { ambrySearch } from 'ambry-site-search/vitepress';
import { defineConfig } from 'vitepress';
import { slug } from '../../tests/lint/links.mjs';
import { sitePages } from '../../web/demo/shell/pages.ts';
import { entryPages, topics } from '../site/api-topics.ts';
import { keepBraces } from '../site/inline-code.ts';
import { groups, isForDevelopers, sitePath } from '../site/pages.ts';
import { fitTables } from '../site/tables.ts';
import { themeKey } from '../site/theme-key.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const pages = `${root}build/docs/pages/`;
/** Vectors of the pages before, so that only pages that have changed are embedded again. */
const cache = `${root}build/docs/search-cache`;
/** Groups that are open on every page. The others are open on their own pages. */
const openGroups = ['Start', 'Guides'];
const codeStyles = transformerStyleToClass({ classPrefix: 'code-' });
const titles: Readonly<Record<string, string>> = {
  'README.md': 'What Ambry is',
  'ARCHITECTURE.md': 'Architecture',
  'CONTRIBUTING.md': 'Contributing',
  'CHANGELOG.md': 'Changes',
  'docs/browser.md': 'In a browser',
  'docs/node.md': 'In Node',
  'docs/command-line.md': 'On the command line',
  'docs/what-opens.md': 'What it opens',
  'docs/decisions.md': 'Design decisions',
  'docs/decide.md': 'Decisions',
  'docs/search.md': 'Search on your site',
  'docs/site-search.md': 'Search in site generators',
  'docs/csp.md': 'Content security policy',
  'docs/gpu.md': 'Graphics processors',
  'docs/static.md': 'Static embeddings',
  'docs/sparse.md': 'Sparse encoders',
  'docs/scale.md': 'Large corpora',
  'docs/token-classification.md': 'Names and entities',
  'docs/coming-from.md': 'From another library',
  'docs/same-task.md': 'Side by side',
  'docs/not-for.md': 'When not to use it',
  'docs/formats.md': 'All formats',
  'core/formats/gguf/README.md': 'GGUF',
  'core/formats/amb/README.md': 'AMB',
  'core/formats/alt/README.md': 'ALT',
  'core/formats/embd/README.md': 'EMBD',
  'core/formats/huggingface/README.md': 'Directories',
  'core/formats/safetensors/README.md': 'safetensors',
  'core/formats/pytorch/README.md': 'PyTorch',
  'core/formats/onnx/README.md': 'ONNX',
  'core/formats/finalfusion/README.md': 'finalfusion',
  'core/formats/fasttext/README.md': 'fastText',
  'core/formats/wordvec/README.md': 'Word vectors',
  'core/formats/tinyruntime/README.md': 'tinyRuntime',
  'docs/commands.md': 'Commands',
  'docs/api/index.md': 'Overview',
  ...Object.fromEntries(
    [...topics, ...entryPages].map(({ id, title }) => [`docs/api/${id}.md`, title]),
  ),
};

export default defineConfig({
  title: 'Ambry',
  description: 'Opens, checks, converts and runs small models in the browser and in Node',
  srcDir: pages,
  cacheDir: `${root}build/docs/cache/`,
  metaChunk: true,
  // The theme that the visitor chose on the demo pages. A change of it would otherwise write an inline style.
  appearance: { disableTransition: false, storageKey: themeKey },
  markdown: {
    anchor: { slugify: slug },
    codeTransformers: [codeStyles],
    config(md) {
      keepBraces(md);
      fitTables(md);
    },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  vite: {
    plugins: [
      ambrySearch({
        // The page search.html would have the address of the folder "search".
        folder: 'find',
        model: `${root}web/demo/public/models/english-static-336.weights`,
        // The demo pages around this site have it.
        modelUrl: '../../models/english-static-336.weights',
        cache,
        exclude: isForDevelopers,
      }),
      // The colours of code are classes. Their rules are one file, written when all pages have been read.
      {
        name: 'code-styles',
        enforce: 'post',
        generateBundle() {
          this.emitFile({
            type: 'asset',
            fileName: 'assets/code.css',
            source: codeStyles.getCSS(),
          });
        },
      },
    ],
  },
  transformHead: ({ siteConfig }) => [
    ['script', { src: `${siteConfig.site.base}../scripts/theme.js` }],
    ['link', { rel: 'stylesheet', href: `${siteConfig.site.base}assets/code.css` }],
  ],
  themeConfig: {
    // The menu and the logo of the demo pages, in whose site this one is a folder.
    logoLink: { link: '/../', target: '_self' },
    nav: [
      ...sitePages.map(({ path, name }) => ({
        text: name,
        link: `/../${path.replace('index.html', '')}`,
        target: '_self',
      })),
      { text: 'Docs', link: '/', activeMatch: '/' },
    ],
    outline: [2, 3],
    sidebar: groups.map(([text, paths]) => ({
      text,
      collapsed: !openGroups.includes(text),
      items: paths
        .filter((path) => existsSync(pages + sitePath(path)))
        .map((path) => ({ text: titles[path] ?? nameOf(path), link: `/${sitePath(path)}` })),
    })),
  },
});

/** `docs/late-interaction.md` is "Late interaction". */
function nameOf(path: string): string {
  const words = path.replace(/^.*\/|\.md$/g, '').replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
