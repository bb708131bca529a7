import type { SearchIndex } from 'ambry';
import { exactObject } from '../options/check-options.ts';
import { problemOf } from '../results/problem.ts';
import { firstOf, Room, shortName } from '../results/shorten.ts';
import type { Opened, Waiting } from '../service/opened.ts';
import type { Service } from '../service/service.ts';
import { defineTool, type Tool } from './tool.ts';

/** Documents of each index that are named. */
const mostDocuments = 20;

export function listIndexes({ indexes, settings }: Service): Tool {
  return defineTool({
    name: 'list_indexes',
    title: 'List indexes',
    description:
      'Says which search indexes there are, how many passages and documents each has, the names of the first documents, and the languages, if they are known.',
    input: exactObject({}, 'argument'),
    run: async (_, call) => {
      const room = new Room(settings.maxResult);
      const all = await Promise.all(
        [...indexes].map(([name, opened]) => described(name, opened, call)),
      );
      const { shown, leftOut } = firstOf(all, room, all.length);
      return { indexes: shown, ...(leftOut > 0 && { leftOut }) };
    },
  });
}

/** One that does not open tells why, and the others are listed all the same. */
async function described(name: string, opened: Opened<SearchIndex>, call: Waiting) {
  try {
    return await opened.use(call, async (index) => ({ index: name, ...facts(index) }));
  } catch (error) {
    call.signal.throwIfAborted();
    return { index: name, error: problemOf(error) };
  }
}

function facts({ size, docs, languages, computesAlike }: SearchIndex) {
  const sources = new Set(docs.map(({ source }) => source).filter(isText));
  const names = [...sources].slice(0, mostDocuments).map((name) => shortName(name));
  return {
    passages: size,
    ...(sources.size > 0 && { documents: sources.size, firstDocuments: names }),
    ...(languages && { languages }),
    ...(!computesAlike && { note: 'The model computes other vectors now: make the index anew.' }),
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';
