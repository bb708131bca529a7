// The words that a caller allows, as tokens.
import { AmbryError } from '../base/errors.ts';
import type { Tokens } from '../tokenizer/types.ts';

/** The token of a word, alone and after a space. Some tokenizers have one for each. */
export interface CandidateToken {
  readonly alone: number;
  readonly afterSpace: number;
}

type Tokenize = (text: string) => Promise<Tokens>;

/** The tokens of the candidates. Rejects with `BadValue` for one that is not a token of the model. */
export function candidateTokens(
  candidates: readonly string[],
  unknown: number | undefined,
  tokenize: Tokenize,
): Promise<CandidateToken[]> {
  return Promise.all(
    candidates.map(async (candidate, i) => {
      const [alone, afterSpace] = await Promise.all([
        tokenize(candidate),
        tokenize(` ${candidate}`),
      ]);
      const [first, second] = [tokenOf(alone, unknown), tokenOf(afterSpace, unknown)];
      const one = first ?? second;
      const other = second ?? first;
      if (one === undefined || other === undefined) {
        throw noToken(candidate, alone.tokens, `options.candidates[${i}]`);
      }
      return { alone: one, afterSpace: other };
    }),
  );
}

function tokenOf({ ids }: Tokens, unknown: number | undefined): number | undefined {
  return ids.length === 1 && ids[0] !== unknown ? ids[0] : undefined;
}

function noToken(candidate: string, tokens: readonly string[], path: string): AmbryError {
  const isCut = tokens.length > 1;
  const why = isCut
    ? `is ${tokens.length} tokens of the model (${tokens.slice(0, 8).join(', ')})`
    : 'is no token of the model';
  const message = `"${candidate.slice(0, 60)}" ${why}, and a mask stands for one token.`;
  return new AmbryError('BadValue', message, { path });
}
