// The generators, and how each app is built and served.
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { blocksOf, type CodeBlock, root } from '../../docs/support/code-blocks.ts';

const content = fileURLToPath(new URL('../content/', import.meta.url));

export interface Generator {
  readonly name: string;
  readonly app: string;
  /** The package whose version is told. */
  readonly tool: string;
  readonly build: readonly string[];
  /** The folder of the built site. */
  readonly out: string;
  /** The addresses of pages below the site's. */
  readonly cats: string;
  readonly sails: string;
  /** Writes the pages into the app. */
  readonly place: (app: string) => void;
  /** Whether a result opens without loading the whole page, and pages prefetch others. */
  readonly hasRouter: boolean;
  /** Whether French pages have an index of their own. */
  readonly hasLocales: boolean;
  /** Makes the page dark. */
  readonly darken: string;
  /** The dev server with `PORT`, and what it shows in the place of the box. */
  readonly dev: readonly string[];
  readonly devShows: 'a note' | 'the box';
  readonly config: string;
  /** A word of a page that the generator also lists elsewhere, and the title of that page. */
  readonly listed?: readonly [word: string, title: string];
}

/** Copies the pages of a language, each through `change`. */
function copyPages(
  language: string,
  target: string,
  change = (text: string, _name: string): string => text,
): void {
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(join(content, language))) {
    const text = readFileSync(join(content, language, name), 'utf8');
    writeFileSync(join(target, name), change(text, name));
  }
}

const withLayout = (layout: string) => (text: string) =>
  text.replace('---\n', `---\nlayout: ${layout}\n`);

const folders = { cats: 'cats/', sails: 'sails/' };
const astroDev = ['astro', 'dev', '--port', 'PORT', '--host', '127.0.0.1'];

export const generators: readonly Generator[] = [
  {
    name: 'VitePress',
    app: 'vitepress',
    tool: 'vitepress',
    build: ['vitepress', 'build'],
    out: '.vitepress/dist',
    cats: 'cats',
    sails: 'sails',
    place(app) {
      copyPages('en', app);
      copyPages('fr', `${app}fr`);
    },
    hasRouter: true,
    hasLocales: true,
    darken: 'document.documentElement.classList.add("dark")',
    dev: ['vitepress', 'dev', '--port', 'PORT', '--strictPort', '--host', '127.0.0.1'],
    devShows: 'a note',
    config: '.vitepress/config.ts',
  },
  {
    name: 'Eleventy',
    app: 'eleventy',
    tool: '@11ty/eleventy',
    build: ['eleventy'],
    out: '_site',
    ...folders,
    place(app) {
      copyPages('en', `${app}content`);
      copyPages('fr', `${app}content/fr`);
    },
    hasRouter: false,
    hasLocales: false,
    darken: 'document.documentElement.style.colorScheme = "dark"',
    dev: ['eleventy', '--serve', '--port=PORT'],
    devShows: 'the box',
    config: 'eleventy.config.js',
  },
  {
    name: 'Astro',
    app: 'astro',
    tool: 'astro',
    build: ['astro', 'build'],
    out: 'dist',
    ...folders,
    place(app) {
      copyPages('en', `${app}src/pages`, withLayout('../layouts/page.astro'));
      copyPages('fr', `${app}src/pages/fr`, withLayout('../../layouts/page.astro'));
    },
    hasRouter: false,
    hasLocales: true,
    darken: 'document.documentElement.style.colorScheme = "dark"',
    dev: astroDev,
    devShows: 'a note',
    config: 'astro.config.ts',
  },
  {
    name: 'Starlight',
    app: 'starlight',
    tool: '@astrojs/starlight',
    build: ['astro', 'build'],
    out: 'dist',
    ...folders,
    place(app) {
      copyPages('en', `${app}src/content/docs`);
      copyPages('fr', `${app}src/content/docs/fr`);
    },
    hasRouter: false,
    hasLocales: true,
    darken: 'document.documentElement.dataset.theme = "dark"',
    dev: astroDev,
    devShows: 'a note',
    config: 'astro.config.ts',
  },
  {
    name: 'Docusaurus',
    app: 'docusaurus',
    tool: '@docusaurus/core',
    build: ['docusaurus', 'build'],
    out: 'build',
    ...folders,
    place(app) {
      copyPages('en', `${app}docs`);
      copyPages('fr', `${app}i18n/fr/docusaurus-plugin-content-docs/current`);
    },
    hasRouter: true,
    hasLocales: true,
    darken: 'document.documentElement.dataset.theme = "dark"',
    dev: ['docusaurus', 'start', '--port', 'PORT', '--host', '127.0.0.1', '--no-open'],
    devShows: 'a note',
    config: 'docusaurus.config.ts',
    listed: ['lighthouse', 'The launch'],
  },
];

/** Writes the configuration of docs/site-search.md into the app, which then finds the model of ambry-models. */
export function useDocumentedConfig(app: string, { app: name, config }: Generator): void {
  const [block] = documented(`from 'ambry-site-search/${name}'`, `'ambry-site-search/${name}'`);
  if (!block) {
    throw new Error(`docs/site-search.md has no configuration for ${name}.`);
  }
  writeFileSync(`${app}${config}`, block.code);
  const models = fileURLToPath(new URL('../../../packages/models', import.meta.url));
  rmSync(`${app}node_modules/ambry-models`, { recursive: true, force: true });
  symlinkSync(models, `${app}node_modules/ambry-models`);
}

/** The blocks of docs/site-search.md that have one of the texts. */
export function documented(...texts: readonly string[]): CodeBlock[] {
  const page = 'docs/site-search.md';
  const blocks = blocksOf(page, readFileSync(join(root, page), 'utf8'));
  return blocks.filter(({ code }) => texts.some((text) => code.includes(text)));
}

/** The sample model, under the name that the apps' configurations have. */
export function placeModel(app: string): void {
  const models = fileURLToPath(new URL('../../../web/demo/public/models/', import.meta.url));
  cpSync(`${models}english-static-336.weights`, `${app}static.weights`);
  rmSync(`${app}static.LICENSE`, { force: true });
}
