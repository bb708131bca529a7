// One run of the model: tokens as they come, told a few times a second, and how it ended.

import type { GeneratedToken, GenerateOptions, Model, Prompt } from 'ambry';
import type { Outcome, Part } from './state.ts';

/** Between two tellings; fast models make many tokens in that time. */
const kPauseMs = 30;
/** A run that is left ends with its next token, from which it can go on; one that makes none is cut off. */
const kGraceMs = 500;

export const modelPart = (tokens: readonly GeneratedToken[]): Part => ({
  from: 'model',
  text: tokens.map(({ text }) => text).join(''),
  tokens,
});

/** `tell` gets all tokens so far. A run that is left keeps what it wrote. */
export async function write(
  model: Model,
  prompt: Prompt,
  options: GenerateOptions,
  leave: AbortSignal,
  tell: (tokens: readonly GeneratedToken[]) => void,
): Promise<Outcome> {
  const tokens: GeneratedToken[] = [];
  const cut = new AbortController();
  leave.addEventListener('abort', () => setTimeout(() => cut.abort(), kGraceMs));
  const run = model.generate(prompt, { ...options, signal: cut.signal });
  let told = 0;
  try {
    for await (const token of run) {
      if (leave.aborted) {
        break;
      }
      tokens.push(token);
      if (performance.now() - told > kPauseMs) {
        tell([...tokens]);
        told = performance.now();
      }
    }
    const { stop, ids, promptIds, tokensPerSecond } = await run.result;
    // The model was a few tokens ahead of who left.
    const taken = leave.aborted ? ids.slice(0, tokens.length) : ids;
    return { stop, tokens: taken.length, tokensPerSecond, ids: [...promptIds, ...taken] };
  } catch (error) {
    if (!cut.signal.aborted) {
      throw error;
    }
    return { stop: 'left', tokens: tokens.length, tokensPerSecond: 0, ids: [] };
  } finally {
    tell([...tokens]);
  }
}
