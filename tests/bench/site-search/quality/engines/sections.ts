// minisearch, Orama and FlexSearch index the sections of the pages as documents. A page has the rank of its best section. The whole
// index is one file, which a reader downloads first.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type Engine, eachOnce, type MakeEngine, type Site } from './engine.ts';

/** Sections that are looked at for so many pages. */
const mostSections = 200;

interface Section {
  readonly id: string;
  readonly page: string;
  readonly title: string;
  readonly titles: readonly string[];
  readonly text: string;
}

function sectionsOf({ documents }: Site): Section[] {
  return documents.flatMap(({ path, title, sections }) =>
    sections.map(({ heading, text }, i) => ({
      id: `${path}#${i}`,
      page: path,
      title: heading || title,
      titles: heading === title ? [] : [title],
      text,
    })),
  );
}

const pageOf = (id: string): string => id.slice(0, id.lastIndexOf('#'));

/** A module below the folder where packages were installed. */
const peer = (folder: string, path: string) =>
  import(pathToFileURL(resolve(folder, 'node_modules', path)).href);

/** An engine whose index is one text. */
function wholeIndex(
  name: string,
  json: string,
  codeBytes: number | undefined,
  find: (query: string) => Iterable<string>,
): Engine {
  const indexBytes = gzipSync(json).length;
  let isFetched = false;
  return {
    name,
    indexBytes,
    codeBytes,
    async restart() {
      isFetched = false;
    },
    async search(query, count) {
      const start = performance.now();
      const pages = eachOnce(find(query), count);
      const requests = isFetched ? 0 : 1;
      isFetched = true;
      const milliseconds = performance.now() - start;
      return { pages, milliseconds, bytes: requests * indexBytes, requests };
    },
    async close() {},
  };
}

/** With the fields and the settings that VitePress has. */
export const makeMiniSearch: MakeEngine = async (site) => {
  const { default: MiniSearch } = await import('minisearch');
  const index = new MiniSearch<Section>({
    fields: ['title', 'titles', 'text'],
    storeFields: ['title', 'titles'],
    searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } },
  });
  index.addAll(sectionsOf(site));
  const find = (query: string) => {
    const found = index.search(query).slice(0, mostSections);
    return found.map(({ id }) => pageOf(String(id)));
  };
  const code = gzipSync(readFileSync(new URL(import.meta.resolve('minisearch')))).length;
  return wholeIndex('minisearch', JSON.stringify(index), code, find);
};

/** With stems, stop words, and a title that counts twice. */
export const makeOrama: MakeEngine = async (site, peers) => {
  const orama = await peer(peers, '@orama/orama/dist/esm/index.js');
  const { stopwords } = await peer(peers, '@orama/stopwords/dist/en.js');
  const db = orama.create({
    schema: { title: 'string', page: 'string', text: 'string' },
    components: { tokenizer: { language: 'english', stemming: true, stopWords: stopwords } },
  });
  const documents = sectionsOf(site).map(({ id, title, titles: [page = ''], text }) => {
    return { id, title, page, text };
  });
  await orama.insertMultiple(db, documents);
  const find = (query: string): string[] => {
    const settings = { term: query, boost: { title: 2 }, limit: mostSections };
    const { hits } = orama.search(db, settings) as { hits: { id: string }[] };
    return hits.map(({ id }) => pageOf(id));
  };
  return wholeIndex('Orama', JSON.stringify(orama.save(db)), undefined, find);
};

/** With the beginnings of words, and the title before the text. */
export const makeFlexSearch: MakeEngine = async (site, peers) => {
  const { Charset, Document } = await peer(
    peers,
    'flexsearch/dist/flexsearch.bundle.module.min.mjs',
  );
  const index = new Document({
    tokenize: 'forward',
    encoder: Charset.LatinBalance,
    document: { id: 'id', index: ['title', 'titles', 'text'] },
  });
  const sections = sectionsOf(site);
  for (const section of sections) {
    index.add({ ...section, titles: section.titles.join(' ') });
  }
  const find = (query: string): string[] => {
    const settings = { limit: mostSections, suggest: true, merge: true };
    return index.search(query, settings).map(({ id }: { id: string }) => pageOf(id));
  };
  const parts: string[] = [];
  await index.export((key: string, data: string) => parts.push(`${key}${data}`));
  return wholeIndex('FlexSearch', parts.join('\n'), undefined, find);
};
