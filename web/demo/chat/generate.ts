// Runs the model once and reports its tokens while they come.

import type { GeneratedToken, GenerateOptions, Model, Prompt } from 'ambry';
import type { Outcome, Turn } from './state.ts';

/** The time between two reports. A fast model makes several tokens in it. */
const reportIntervalMs = 30;
/** A stopped run ends with its next token, so that it can be continued. If no token comes in this time, it is aborted. */
const abortDelayMs = 500;

export const modelTurn = (tokens: readonly GeneratedToken[]): Turn => ({
  from: 'model',
  text: tokens.map(({ text }) => text).join(''),
  tokens,
});

/** `onTokens` gets all tokens so far. A stopped run keeps what it wrote. */
export async function runModel(
  model: Model,
  prompt: Prompt,
  options: GenerateOptions,
  stopSignal: AbortSignal,
  onTokens: (tokens: readonly GeneratedToken[]) => void,
): Promise<Outcome> {
  const tokens: GeneratedToken[] = [];
  const abort = new AbortController();
  stopSignal.addEventListener('abort', () => setTimeout(() => abort.abort(), abortDelayMs));
  const run = model.generate(prompt, { ...options, signal: abort.signal });
  let reportedAt = 0;
  try {
    for await (const token of run) {
      if (stopSignal.aborted) {
        break;
      }
      tokens.push(token);
      if (performance.now() - reportedAt > reportIntervalMs) {
        onTokens([...tokens]);
        reportedAt = performance.now();
      }
    }
    const { stop, ids, promptIds, tokensPerSecond } = await run.result;
    // The model may be a few tokens ahead of what was received.
    const kept = stopSignal.aborted ? ids.slice(0, tokens.length) : ids;
    return { stop, tokens: kept.length, tokensPerSecond, ids: [...promptIds, ...kept] };
  } catch (error) {
    if (!abort.signal.aborted) {
      throw error;
    }
    return { stop: 'left', tokens: tokens.length, tokensPerSecond: 0, ids: [] };
  } finally {
    onTokens([...tokens]);
  }
}
