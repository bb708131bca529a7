// A request that does not wait forever for its answer.
import { Stalled } from '../base/stream.ts';
import { makeRequest } from './requests.ts';

interface TimedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly stallMs: number;
}

/** Resolves with the headers of the answer; the body has a timer of its own. When no answer comes for `stallMs`, it throws
 *  `Stalled`. */
export async function fetchWithTimeout(
  url: string,
  { headers, signal, stallMs }: TimedRequest,
): Promise<Response> {
  const request = new AbortController();
  let stalled: Stalled | undefined;
  const abort = () => request.abort(signal.reason);
  const stall = () => {
    stalled = new Stalled(stallMs);
    request.abort(stalled);
  };
  const timer = setTimeout(stall, stallMs);
  signal.addEventListener('abort', abort);
  try {
    signal.throwIfAborted();
    return await makeRequest(url, { headers, signal: request.signal });
  } catch (error) {
    throw stalled ?? error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}
