// What a worker would answer for texts with made-up tokens and logits.
import { numbersOfToken, type TokenRows } from '../../../web/src/token-head/protocol.ts';

type MadeToken = readonly [start: number, end: number, flags: number];

export interface MadeText {
  readonly text: string;
  readonly windows: readonly (readonly MadeToken[])[];
  /** For each token of each window a number for each label, in sixteenths. */
  readonly logits: readonly (readonly (readonly number[])[])[];
}

export function rowsOf(texts: readonly MadeText[]): TokenRows {
  const windows = texts.flatMap(({ windows }, input) =>
    windows.map((tokens) => ({ input, tokens })),
  );
  const rows = texts.flatMap(({ logits }) => logits.flat());
  const tokens = windows.flatMap((window) => window.tokens);
  const numbers = tokens.flatMap(([start, end, flags], id) => [id, start, end, flags]);
  expectWhole(numbers.length, tokens.length * numbersOfToken);
  expectWhole(rows.length, tokens.length);
  return {
    width: rows[0]?.length ?? 0,
    logits: Float32Array.from(rows.flat(), (logit) => logit / 16),
    inputs: Uint32Array.from(windows, ({ input }) => input),
    counts: Uint32Array.from(windows, (window) => window.tokens.length),
    tokens: Uint32Array.from(numbers),
  };
}

function expectWhole(found: number, wanted: number): void {
  if (found !== wanted) {
    throw new Error(`the made-up rows have ${found} numbers, not ${wanted}`);
  }
}
