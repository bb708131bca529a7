// Work over many texts, in pieces that each take a turn of the model.
import { AmbryError } from 'ambry';
import type { ServedModel } from './models.ts';

/** How long a piece should take, in milliseconds. Others wait no longer for their turn. */
const pieceMs = 200;
const mostTexts = 256;
/** A text costs its tokens, which models cut off after some hundreds, and a little for itself. */
const mostLetters = 2000;
const eachLetters = 32;
/** What a piece costs until the first ones have been measured: a few long texts. */
const firstCost = 8 * (mostLetters + eachLetters);

const costOf = (text: string) => Math.min(text.length, mostLetters) + eachLetters;

/** What a model does in a turn; it adapts to the machine. */
const costs = new WeakMap<ServedModel, number>();

/** Calls `work` for one run of texts after another, each in a turn of its own. `least`: fewer texts are not worth a turn. */
export async function inPieces<T>(
  served: ServedModel,
  signal: AbortSignal,
  texts: readonly string[],
  least: number,
  work: (texts: readonly string[], begin: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  const size = texts.reduce((sum, text) => sum + text.length, 0);
  for (let begin = 0; begin < texts.length || results.length === 0; ) {
    const { end, cost } = pieceAt(texts, begin, least, costs.get(served) ?? firstCost);
    const from = begin;
    const result = await served.use(
      signal,
      async () => {
        const start = performance.now();
        const done = await work(texts.slice(from, end), from).catch((error) => {
          throw placed(error, from);
        });
        learn(served, cost, performance.now() - start);
        return done;
      },
      { size, goesOn: results.length > 0 },
    );
    results.push(result);
    begin = end;
  }
  return results;
}

function pieceAt(texts: readonly string[], begin: number, least: number, budget: number) {
  let cost = 0;
  let end = begin;
  while (end < texts.length && end - begin < mostTexts) {
    const next = costOf(texts[end] ?? '');
    if (end - begin >= least && cost + next > budget) {
      break;
    }
    cost += next;
    end++;
  }
  return { end, cost };
}

/** The error, with the place of a text in the whole request. */
function placed(error: unknown, begin: number): unknown {
  const [, list, index] =
    (error instanceof AmbryError && /^(\w+)\[(\d+)\]$/.exec(error.path ?? '')) || [];
  if (!(error instanceof AmbryError) || index === undefined || begin === 0) {
    return error;
  }
  const path = `${list}[${begin + Number(index)}]`;
  return new AmbryError(error.code, error.message, { path });
}

/** Small pieces say little, because each has a cost of its own. */
function learn(served: ServedModel, cost: number, ms: number): void {
  const before = costs.get(served) ?? firstCost;
  if (cost < before / 4 && ms < pieceMs) {
    return;
  }
  const fitting = (cost * pieceMs) / Math.max(ms, 1);
  const bounded = Math.min(Math.max(fitting, before / 4), before * 2);
  costs.set(served, Math.min(bounded, mostTexts * (mostLetters + eachLetters)));
}
