// Gets the plan of a network from an address. Anyone can write a link with one, so what comes is bounded; the package checks what it
// says.

import { AmbryError } from 'ambry';
import { textAtMost } from '../../shared/base/stream-text.ts';

/** A plan has a line for each layer. */
const maxBytes = 1_000_000;

async function answerOf(url: string, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, { signal, credentials: 'omit' });
  } catch (error) {
    signal.throwIfAborted();
    throw new AmbryError('Http', `No answer from ${url}`, { path: 'plan', cause: error });
  }
}

export async function fetchPlan(url: string, signal: AbortSignal): Promise<string> {
  if (url.startsWith('hf:')) {
    const message = 'The plan of a link must be at an https: address, or a path of this site.';
    throw new AmbryError('Unsupported', message, { path: 'plan' });
  }
  const response = await answerOf(url, signal);
  if (!response.ok || response.body === null) {
    const message = `The server of the plan answered ${response.status}.`;
    throw new AmbryError('Http', message, { path: 'plan' });
  }
  const text = await textAtMost(response.body, maxBytes, new TextDecoder());
  if (text === null) {
    const message = 'The plan at this address is longer than 1 MB, so it is no plan.';
    throw new AmbryError('LimitExceeded', message, { path: 'plan' });
  }
  return text;
}
