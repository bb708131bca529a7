import type { SearchHit } from 'ambry';
import { searchDefaults } from 'ambry/tables';
import { z } from 'zod';
import { exactObject } from '../options/check-options.ts';
import { cutText, Room } from '../results/shorten.ts';
import type { Service } from '../service/service.ts';
import { nameArgument, named } from './named.ts';
import { fieldsOf, type ShownPassage, shownId } from './passage.ts';
import { defineTool, type Tool } from './tool.ts';

const mostPassages = 50;
const mostQuery = 4000;
/** Characters of a passage. Others have room beside it, and `read_passage` has the rest. */
const mostText = 4000;

export function searchIndex({ indexes, settings }: Service): Tool {
  const { maxResult, prompt } = settings;
  return defineTool({
    name: 'search_index',
    title: 'Search documents',
    description:
      'Finds the passages of the user’s documents that are nearest to a query in meaning, the best first. Each has an id, with which read_passage shows what stands before and after it.',
    input: exactObject(
      {
        query: z.string().min(1).max(mostQuery).describe('A question or a sentence, in any words.'),
        index: nameArgument([...indexes.keys()], 'index'),
        k: z
          .int()
          .min(1)
          .max(mostPassages)
          .default(searchDefaults.k)
          .describe('How many passages.'),
        hybrid: z
          .boolean()
          .default(false)
          .describe('Ranks by the words of the query, too. Good for names, numbers and codes.'),
      },
      'argument',
    ),
    run: ({ query, index: name, k, hybrid }, call) =>
      named(indexes, name, 'index').use(call, async (index) => {
        const hits = await index.search(query, {
          k,
          hybrid,
          signal: call.signal,
          ...(prompt !== undefined && { prompt }),
        });
        return { index: name, ...shownHits(hits, maxResult) };
      }),
  });
}

/** As many hits as there is room for. */
function shownHits(hits: readonly SearchHit[], maxResult: number): Record<string, unknown> {
  const room = new Room(maxResult);
  const passages: ShownPassage[] = [];
  for (const hit of hits) {
    const passage = shownHit(hit);
    if (!room.take(passage)) {
      break;
    }
    passages.push(passage);
  }
  const leftOut = hits.length - passages.length;
  return { passages, ...(leftOut > 0 && { leftOut }) };
}

function shownHit({ id, score, terms, text, doc }: SearchHit): ShownPassage {
  const shown = cutText(text, mostText);
  return {
    id: shownId(id),
    score: Number(score.toFixed(4)),
    ...fieldsOf(doc),
    ...(terms && terms.length > 0 && { terms }),
    text: shown,
    ...(shown.length < text.length && { cut: true, characters: text.length }),
  };
}
