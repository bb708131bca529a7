// What a worker says of the tokens of texts, by inputs and windows.
import { numbersOfToken, type TokenRows, tokenFlags } from './protocol.ts';

/** The tokens of one window of a text, or of a pair whose second text is cut into windows. */
export class TokenWindow {
  readonly length: number;
  readonly #tokens: Uint32Array;

  constructor(tokens: Uint32Array) {
    this.#tokens = tokens;
    this.length = tokens.length / numbersOfToken;
  }

  id(token: number): number {
    return this.#number(token, 0);
  }

  /** Where the token begins in its own text, in UTF-16 units. */
  begin(token: number): number {
    return this.#number(token, 1);
  }

  end(token: number): number {
    return this.#number(token, 2);
  }

  is(token: number, flag: keyof typeof tokenFlags): boolean {
    return (this.#number(token, 3) & tokenFlags[flag]) !== 0;
  }

  #number(token: number, at: number): number {
    return this.#tokens[token * numbersOfToken + at] ?? 0;
  }
}

/** A window, and the rows of logits that it has, one after another. */
export interface WindowRows {
  readonly window: TokenWindow;
  readonly logits: Float32Array;
}

/** The windows of each input. `rowsOf` says how many rows of logits a window has. */
export function windowsOf(
  { width, logits, inputs, counts, tokens }: TokenRows,
  inputCount: number,
  rowsOf: (window: TokenWindow) => number,
): WindowRows[][] {
  const each = Array.from({ length: inputCount }, (): WindowRows[] => []);
  let token = 0;
  let row = 0;
  inputs.forEach((input, i) => {
    const next = token + (counts[i] ?? 0);
    const window = new TokenWindow(tokens.subarray(token * numbersOfToken, next * numbersOfToken));
    const rows = rowsOf(window);
    each[input]?.push({ window, logits: logits.subarray(row * width, (row + rows) * width) });
    token = next;
    row += rows;
  });
  return each;
}
