// Runs the model once and reports its tokens while they come.

import type { ChatMessage, GeneratedToken, Generation, GenerationRun, Reply } from 'ambry';
import type { Outcome } from '../state/state.ts';

/** The time between two reports. A fast model makes several tokens in it. */
const reportIntervalMs = 30;
/** A stopped run ends with its next token, so that it can be continued. If no token comes in this time, it is aborted. */
const abortDelayMs = 500;

/** Begins an answer. The signal aborts it. */
export type StartRun = (
  signal: AbortSignal,
) => GenerationRun<Generation> | Promise<GenerationRun<Generation>>;

/** An answer that ended or was stopped. */
export interface Answered {
  readonly outcome: Outcome;
  readonly tokens: readonly GeneratedToken[];
  /** Messages that the context had no room for. */
  readonly dropped: readonly ChatMessage[];
}

export const textOfTokens = (tokens: readonly GeneratedToken[]): string =>
  tokens.map(({ text }) => text).join('');

export const reasoningOf = (tokens: readonly GeneratedToken[]): string =>
  tokens.map(({ reasoning = '' }) => reasoning).join('');

/** What `whole` has after what was received. */
const restOf = (whole: string, received: string): string =>
  whole.startsWith(received) ? whole.slice(received.length) : '';

/** The model may be a few tokens ahead of what was received. What they add is added as one token. */
function withRest(
  tokens: readonly GeneratedToken[],
  result: Generation,
): readonly GeneratedToken[] {
  const text = restOf(result.text, textOfTokens(tokens));
  const reasoning = restOf(result.reasoning, reasoningOf(tokens));
  if (text === '' && reasoning === '') {
    return tokens;
  }
  const { ids } = result;
  const id = ids[tokens.length] ?? ids.at(-1) ?? 0;
  const rest = { index: tokens.length, id, text, ...(reasoning !== '' && { reasoning }) };
  return [...tokens, rest];
}

/** `onTokens` gets all tokens so far. A stopped run keeps what it wrote. */
export async function runModel(
  start: StartRun,
  stopSignal: AbortSignal,
  onTokens: (tokens: readonly GeneratedToken[]) => void,
): Promise<Answered> {
  const tokens: GeneratedToken[] = [];
  const abort = new AbortController();
  stopSignal.addEventListener('abort', () => setTimeout(() => abort.abort(), abortDelayMs));
  const startedAt = performance.now();
  let firstTokenMs: number | null = null;
  let reportedAt = 0;
  try {
    const run = await start(abort.signal);
    for await (const token of run) {
      tokens.push(token);
      firstTokenMs ??= performance.now() - startedAt;
      if (stopSignal.aborted) {
        break;
      }
      if (performance.now() - reportedAt > reportIntervalMs) {
        onTokens([...tokens]);
        reportedAt = performance.now();
      }
    }
    const result = await run.result;
    const { stoppedBy, ids, promptIds, tokensPerSecond } = result;
    const outcome = {
      stoppedBy,
      tokens: ids.length,
      tokensPerSecond,
      firstTokenMs,
      ids: [...promptIds, ...ids],
    };
    const { droppedMessages = [] } = result as Partial<Reply>;
    return { outcome, tokens: withRest(tokens, result), dropped: droppedMessages };
  } catch (error) {
    if (!stopSignal.aborted) {
      throw error;
    }
    const { length } = tokens;
    const outcome = {
      stoppedBy: 'left',
      tokens: length,
      tokensPerSecond: 0,
      firstTokenMs,
      ids: [],
    };
    return { outcome: outcome as Outcome, tokens, dropped: [] };
  }
}
