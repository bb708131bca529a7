// How good, how large and how fast the answers of an engine are.
import type { Answer, Engine } from './engines/engine.ts';
import type { Query } from './queries.ts';

const counted = 10;
/** A reader who asks so many queries one after the other. */
const queriesOfSession = 6;
const sessions = 20;

export interface Quality {
  readonly queries: number;
  /** The mean of 1 / rank, 0 below the tenth. */
  readonly mrr: number;
  /** How often the page is the first one. */
  readonly first: number;
}

export interface Cost {
  readonly firstRequests: number;
  readonly firstBytes: number;
  readonly furtherRequests: number;
  readonly furtherBytes: number;
  /** 95 of a hundred further answers take no more bytes. */
  readonly further95: number;
  readonly milliseconds: number;
}

/** The rank of each query's page, 0 if it is not among the first ten. */
export async function ranksOf(engine: Engine, queries: readonly Query[]): Promise<number[]> {
  const ranks: number[] = [];
  for (const { text, page, without, isOpen = false } of queries) {
    const { pages } = await engine.search(text, counted + without.length, isOpen);
    const left = pages.filter((path) => path === page || !without.includes(path));
    ranks.push(left.slice(0, counted).indexOf(page) + 1);
  }
  return ranks;
}

export function qualityOf(ranks: readonly number[]): Quality {
  const mrr = mean(ranks.map((rank) => (rank > 0 ? 1 / rank : 0)));
  return { queries: ranks.length, mrr, first: ranks.filter((rank) => rank === 1).length };
}

export async function costOf(engine: Engine, queries: readonly Query[]): Promise<Cost> {
  const [first, further]: [Answer[], Answer[]] = [[], []];
  for (let session = 0; session < sessions; session++) {
    await engine.restart();
    for (let i = 0; i < queriesOfSession; i++) {
      const at = ((session * queriesOfSession + i) * 7919) % queries.length;
      const { text, isOpen = false } = queries[at] as Query;
      (i === 0 ? first : further).push(await engine.search(text, counted, isOpen));
    }
  }
  const [firstBytes, furtherBytes] = [first, further].map((all) => all.map(({ bytes }) => bytes));
  const times = [...first, ...further].map(({ milliseconds }) => milliseconds);
  return {
    firstRequests: mean(first.map(({ requests }) => requests)),
    firstBytes: mean(firstBytes ?? []),
    furtherRequests: mean(further.map(({ requests }) => requests)),
    furtherBytes: mean(furtherBytes ?? []),
    further95: quantile(furtherBytes ?? [], 0.95),
    milliseconds: quantile(times, 0.5),
  };
}

const mean = (list: readonly number[]): number =>
  list.reduce((sum, value) => sum + value, 0) / Math.max(1, list.length);

function quantile(list: readonly number[], share: number): number {
  return list.toSorted((a, b) => a - b)[Math.floor(share * (list.length - 1))] ?? 0;
}
