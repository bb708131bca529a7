// ambry-site-search with its default model, or with vectors of words in its place (`related`). It searches in Node; files come from
// the disk, as a server sends them that answers requests for several ranges.

import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Encoder, open } from 'ambry/encoder';
import { buildSiteIndex } from '../../../../../packages/site-search/src/build/build-site-index.ts';
import { openSiteSearch, type SiteSearch } from '../../../../../packages/site-search/src/index.ts';
import { answerTo } from '../../../../support/range-answers.ts';
import type { Engine, MakeEngine, Site } from './engine.ts';

const defaultModel = fileURLToPath(
  new URL('../../../../../web/demo/public/models/english-static-336.weights', import.meta.url),
);
const siteAddress = 'https://site.example/';

interface Built {
  readonly folder: string;
  readonly bytes: number;
}

/** What gives queries their meaning. */
type Meaning = 'words' | 'model';
/** All modes with the model have one index. */
const indexes: Record<Meaning, WeakMap<Site['pages'], Promise<Built>>> = {
  words: new WeakMap(),
  model: new WeakMap(),
};

function built({ pages, folder, out }: Site, model: string, meaning: Meaning): Promise<Built> {
  // The code of the element is no part of the index.
  const found =
    indexes[meaning].get(pages) ??
    buildSiteIndex(folder, out, { model, meaning, element: false }).then(({ bytes }) => ({
      folder: out,
      bytes,
    }));
  indexes[meaning].set(pages, found);
  return found;
}

export const makeAmbry =
  (
    name: 'words' | 'hybrid' | 'meaning' | 'related',
    modelPath: string = defaultModel,
  ): MakeEngine =>
  async (pages): Promise<Engine> => {
    const isRelated = name === 'related';
    const mode = isRelated ? 'hybrid' : name;
    const { folder, bytes } = await built(pages, modelPath, isRelated ? 'words' : 'model');
    const modelBytes = readFileSync(modelPath);
    const model = await open(new Uint8Array(modelBytes), { architecture: 'static' });
    let [fetched, requests] = [0, 0];
    const fetch = async (path: string, { headers }: { headers?: Record<string, string> }) => {
      const file = await readFile(join(folder, path));
      const answer = answerTo(file, headers?.['range'], 'several');
      fetched += answer.bytes.length;
      requests++;
      const { status } = answer;
      return new Response(new Uint8Array(answer.bytes), { status, headers: answer.headers });
    };
    const given = isRelated ? {} : { model: model as Encoder };
    const start = () => openSiteSearch({ fetch }, { ...given, site: siteAddress });
    let site: SiteSearch = await start();
    return {
      name: `ambry, ${name}`,
      indexBytes: isRelated ? bytes : bytes - modelBytes.length,
      codeBytes: undefined,
      async restart() {
        [fetched, requests] = [0, 0];
        site = await start();
      },
      async search(query, count, isOpen) {
        const begin = performance.now();
        const { pages } = await site.search(isOpen ? query : `${query} `, { mode, k: count });
        const milliseconds = performance.now() - begin;
        const cost = { bytes: fetched, requests };
        [fetched, requests] = [0, 0];
        return { pages: pages.map(({ url }) => pathOf(url)), milliseconds, ...cost };
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
