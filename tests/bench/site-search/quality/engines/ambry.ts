// ambry-site-search with its default model. It searches in Node; files come from the disk.

import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Encoder, open } from 'ambry/encoder';
import { buildSiteIndex } from '../../../../../packages/site-search/src/build/build-site-index.ts';
import { openSiteSearch, type SiteSearch } from '../../../../../packages/site-search/src/index.ts';
import type { Engine, MakeEngine } from './engine.ts';

const defaultModel = fileURLToPath(
  new URL('../../../../../web/demo/public/models/english-static-336.weights', import.meta.url),
);
const siteAddress = 'https://site.example/';

export const makeAmbry =
  (mode: 'words' | 'hybrid' | 'meaning', modelPath = defaultModel): MakeEngine =>
  async ({ folder, out }): Promise<Engine> => {
    // The code of the element is no part of the index.
    const { bytes } = await buildSiteIndex(folder, out, { model: modelPath, element: false });
    const modelBytes = readFileSync(modelPath);
    const model = await open(new Uint8Array(modelBytes), { architecture: 'static' });
    let fetched = 0;
    const fetch = async (path: string) => {
      const file = await readFile(join(out, path));
      fetched += file.length;
      return new Response(new Uint8Array(file));
    };
    const start = () => openSiteSearch({ fetch }, { model: model as Encoder, site: siteAddress });
    let site: SiteSearch = await start();
    return {
      name: `ambry, ${mode}`,
      indexBytes: bytes - modelBytes.length,
      codeBytes: undefined,
      async restart() {
        fetched = 0;
        site = await start();
      },
      async search(query, count) {
        const begin = performance.now();
        const { pages } = await site.search(`${query} `, { mode, k: count });
        const milliseconds = performance.now() - begin;
        const bytesOfQuery = fetched;
        fetched = 0;
        return { pages: pages.map(({ url }) => pathOf(url)), milliseconds, bytes: bytesOfQuery };
      },
      async close() {
        await model.dispose();
      },
    };
  };

function pathOf(url: string): string {
  const path = decodeURIComponent(new URL(url).pathname).slice(1);
  return path.endsWith('/') ? `${path}index` : path.replace(/\.html$/, '');
}
