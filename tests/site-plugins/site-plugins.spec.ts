// Each plugin in a real site: installed from the packed packages, built by the generator, served under a strict policy, and
// searched through the element in three browsers.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from '@playwright/test';
import { openSiteSearch } from 'ambry-site-search';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chromiumPath } from '../../e2e/support/chromium.ts';
import { firefox } from '../engines/support/puppeteer-engines.ts';
import { useEngine } from '../engines/support/use-engine.ts';
import { webkit } from '../engines/support/webkit-engine.ts';
import {
  installApp,
  installedVersion,
  packPackages,
  type Tarballs,
  workFolder,
} from '../support/packed-apps.ts';
import { ended, run, withServer } from '../support/processes.ts';
import { type BuiltSite, serveBuilt } from './support/built-site.ts';
import { elementJob } from './support/element-job.ts';
import {
  documented,
  type Generator,
  generators,
  placeModel,
  useDocumentedConfig,
} from './support/generators.ts';
import { inlineParts } from './support/policy.ts';

const work = workFolder('site-plugins');
const packages = ['ambry', 'ambry-site-search'];
const own = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
let packed: Promise<Tarballs> | undefined;
let browser: Browser | undefined;

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
});
afterAll(async () => browser?.close());

async function install({ app, place }: Generator): Promise<string> {
  packed ??= packPackages(work, packages);
  const files = [[own(`apps/${app}`), '']] as const;
  const folder = await installApp(work, await packed, { name: app, files, packages });
  place(folder);
  placeModel(folder);
  return folder;
}

const bin = (folder: string, name = ''): string => `${folder}node_modules/.bin/${name}`;
/** As in a shell: some tools do otherwise in tests. */
const quiet = {
  NODE_ENV: undefined,
  VITEST: undefined,
  ASTRO_TELEMETRY_DISABLED: '1',
  DOCUSAURUS_NO_TELEMETRY: '1',
  NO_COLOR: '1',
};

describe.each(generators)('$name', (generator) => {
  const { build, out, tool } = generator;
  let folder = '';
  let printed = '';
  let site: BuiltSite | undefined;
  const home = () => `${site?.url}handbook/`;

  beforeAll(async () => {
    folder = await install(generator);
    printed = await run(bin(folder, build[0]), build.slice(1), { cwd: folder, env: quiet });
    site = await serveBuilt(join(folder, out), '/handbook/', generator.hasRouter);
  });
  afterAll(() => site?.close());
  beforeEach(({ task }) => {
    task.meta.detail = installedVersion(folder, tool);
  });

  /** Searches an index by words, in Node. */
  async function titlesFor(query: string, locale = ''): Promise<string[]> {
    const index = join(folder, out, locale, 'search');
    const fetch = async (path: string) => new Response(await readFile(join(index, path)));
    const search = await openSiteSearch(
      { fetch },
      { model: false, site: 'https://example.org/handbook/' },
    );
    try {
      return (await search.search(query)).pages.map(({ title }) => title);
    } finally {
      await search.dispose();
    }
  }

  test('the build tells what it has indexed', () => {
    expect(printed).toMatch(/search: \d+ passages from \d+ pages.*files/);
  });

  test('the index has the contents and nothing of the theme', async () => {
    expect(await titlesFor('purr')).toEqual(['Cats']);
    expect(await titlesFor('bowline')).toEqual(['Sails']);
    for (const word of ['skip', 'copy', 'edit', 'permalink', 'previous', 'unreachable', 'js']) {
      expect(await titlesFor(`${word} `), word).toEqual([]);
    }
  });

  test.runIf(generator.listed)('pages that list others are no results', async () => {
    const [word = '', title] = generator.listed ?? [];
    expect(await titlesFor(word)).toEqual([title]);
  });

  test.runIf(generator.hasLocales)('French pages have an index of their own', async () => {
    expect(await titlesFor('ronronnent', 'fr')).toEqual(['Les chats']);
    expect(await titlesFor('ronronnent')).toEqual([]);
  });

  test.runIf(generator.config.endsWith('.ts'))('the configuration has valid types', async () => {
    const flags = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022'];
    const lib = ['--lib', 'es2022,dom,dom.iterable', '--types', 'node'];
    const roots = ['--typeRoots', own('../../node_modules/@types')];
    const modules = ['--module', 'esnext', '--moduleResolution', 'bundler'];
    const args = [...flags, ...lib, ...roots, ...modules, generator.config];
    await run(own('../../node_modules/.bin/tsc'), args, { cwd: folder });
  });

  test('Chromium: typing, results, and opening one', async () => {
    const page = await (browser as Browser).newPage();
    await page.goto(`${home()}${generator.cats}`);
    await page.evaluate('globalThis.isSamePage = true');
    const box = page.locator('ambry-search');
    await box.getByRole('combobox').fill('purr');
    await expect.poll(() => box.getByRole('option').first().textContent()).toContain('Cats');
    await box.getByRole('combobox').fill('bad weather at sea');
    const storms = box.getByRole('option', { name: 'Storms' }).first();
    await storms.waitFor();
    await page.evaluate(generator.darken);
    await page.screenshot({ path: `${work}${generator.app}-dark.png`, animations: 'disabled' });
    await storms.click();
    await page.waitForURL(`**/handbook/${generator.sails}#storms`);
    await page.getByText('In a gale, sailors take in the canvas').first().waitFor();
    expect(await page.evaluate('globalThis.isSamePage === true')).toBe(generator.hasRouter);
    expect(await page.evaluate('globalThis.ambryProblems')).toEqual([]);
    await page.close();
  });

  test.runIf(generator.hasLocales)('Chromium: the box of a French page', async () => {
    const page = await (browser as Browser).newPage();
    await page.goto(`${home()}fr/${generator.cats}`);
    const box = page.locator('ambry-search');
    await box.getByRole('combobox').fill('ronronnent');
    await expect.poll(() => box.getByRole('option').first().textContent()).toContain('Les chats');
    expect(await page.evaluate('globalThis.ambryProblems')).toEqual([]);
    await page.close();
  });

  test('the scripts that the generator writes into pages', ({ task }) => {
    const page = generator.cats.endsWith('/') ? `${generator.cats}index` : generator.cats;
    const { scripts, styles, hasStyleAttributes } = inlineParts(
      readFileSync(join(folder, out, `${page}.html`), 'utf8'),
    );
    const attributes = hasStyleAttributes ? ', style attributes' : '';
    task.meta.detail = `${scripts.length} scripts, ${styles.length} styles${attributes}`;
    expect(scripts.join()).not.toMatch(/ambry/i);
  });

  for (const engine of [firefox, webkit]) {
    describe(engine.name, () => {
      const running = useEngine(engine);
      test(generator.name, () => elementJob(running().page, `${home()}${generator.cats}`));
    });
  }

  test('the dev server shows what is said', async () => {
    const { dev, devShows } = generator;
    await withServer(
      bin(folder, dev[0]),
      dev.slice(1),
      { cwd: folder, env: quiet },
      async (url) => {
        const page = await (browser as Browser).newPage();
        await page.goto(`${url}handbook/${generator.cats}`);
        if (devShows === 'the box') {
          await page.locator('ambry-search').getByRole('combobox').fill('purr');
          await page.locator('ambry-search').getByRole('option').first().waitFor();
        } else {
          await page.getByText('Search works in the built site').first().waitFor();
          expect(await page.locator('ambry-search').count()).toBe(0);
        }
        await page.close();
      },
    );
  });

  test('a build that cannot be indexed fails, and says why', async () => {
    const env = { ...quiet, MODEL: 'missing.weights' };
    const { code, all } = await ended(bin(folder, build[0]), build.slice(1), { cwd: folder, env });
    expect(code).not.toBe(0);
    expect(all).toContain('The model missing.weights cannot be read (ENOENT)');
  });

  test('the configuration of docs/site-search.md builds', async () => {
    rmSync(join(folder, out), { recursive: true });
    useDocumentedConfig(folder, generator);
    await run(bin(folder, build[0]), build.slice(1), { cwd: folder, env: quiet });
    expect(existsSync(join(folder, out, 'search/manifest.json'))).toBe(true);
  });
});

test('the Astro site has the component as docs/site-search.md has it', () => {
  const [block] = documented('search-box.astro');
  const layout = readFileSync(own('apps/astro/src/layouts/page.astro'), 'utf8');
  const lines = block?.code.split('\n').filter((line) => /SearchBox/.test(line)) ?? [];
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    expect(layout).toContain(line);
  }
});
