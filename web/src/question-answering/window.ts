// The windows in which a long text is read: those of Transformers' pipeline, where the model takes so many tokens.
import type { FileInfo } from '../model/file-info.ts';
import type { TokenHeadInput } from '../token-head/protocol.ts';

const usualWindow = 384;
const usualOverlap = 128;
/** Some models use none of their first positions. */
const unusedPositions = 2;
/** The tokenizer adds so many tokens to a pair at most. */
const addedTokens = 4;

/** What is absent is left to the worker. */
export function windowFor(
  question: string,
  { config }: FileInfo,
  overlap: number | undefined,
): Pick<TokenHeadInput['settings'], 'window' | 'overlap'> {
  if (Number(config?.['maxPositions'] ?? 0) < usualWindow + unusedPositions) {
    return overlap === undefined ? {} : { overlap };
  }
  if (overlap !== undefined) {
    return { window: usualWindow, overlap };
  }
  // A question has no more tokens than bytes. A long one may leave less than the usual overlap for the text.
  const { length } = new TextEncoder().encode(question);
  const fits = length < usualWindow - usualOverlap - addedTokens;
  return { window: usualWindow, ...(fits && { overlap: usualOverlap }) };
}
