// How many everyday questions find their passage of the search page's notes first, and among the first three, by meaning,
// by words, by both, and as the page ranks. Run it after `npm run build`:
//
//   node tests/bench/search/everyday-bench.ts [MODEL...] [--list]
//
// --list prints the rank of each question too.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { hybridOf } from '../../../web/demo/search/state/state.ts';
import type { Doc, SearchIndex } from '../../../web/src/index.ts';
import { ambry } from '../../web/support/package.ts';
import { everydayQuestions } from './everyday-questions.ts';

const demo = new URL('../../../web/demo/', import.meta.url);
const builtIn = fileURLToPath(new URL('public/models/english-static-336.weights', demo));
/** The search page gives words a fifth. */
const rankings = { meaning: false, words: 1, both: true, page: hybridOf('words') } as const;
const shown = 10;

/** The rank of each question's passage, none below the tenth. */
async function ranksOf(index: SearchIndex, hybrid: boolean | number): Promise<number[]> {
  const ranks: number[] = [];
  for (const [question, passage] of everydayQuestions) {
    const hits = await index.search(question, { k: shown, hybrid });
    const place = hits.findIndex(({ id }) => id === passage);
    ranks.push(place < 0 ? Number.POSITIVE_INFINITY : place + 1);
  }
  return ranks;
}

const { values, positionals } = parseArgs({
  options: { list: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const notes = JSON.parse(await readFile(new URL('corpus/everyday.json', demo), 'utf8')) as {
  passages: Doc[];
};
for (const path of positionals.length > 0 ? positionals : [builtIn]) {
  await using model = await ambry.open({ path }, { kind: 'encoder' });
  await using index = await ambry.createIndex(model, notes.passages);
  for (const [name, hybrid] of Object.entries(rankings)) {
    const ranks = await ranksOf(index, hybrid);
    const within = (most: number) => ranks.filter((rank) => rank <= most).length;
    console.log(`${basename(path)}, ${name}: ${within(1)} first, ${within(3)} in three`);
    if (values.list) {
      ranks.forEach((rank, i) => {
        console.log(`  ${rank}  ${everydayQuestions[i]?.[0]}`);
      });
    }
  }
}
