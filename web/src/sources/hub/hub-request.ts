// Requests for the hub's lists: JSON of bounded size.
import { AmbryError, isAbort } from '../../base/errors.ts';
import type { JobOptions } from '../../rpc/types.ts';
import { RetryPolicy } from '../base/retry-policy.ts';
import { chunksOf } from '../base/stream.ts';
import type { FetchOptions } from '../base/types.ts';
import { unreachable } from '../http/error.ts';
import { Remote } from '../http/remote.ts';
import { badList, tooLarge } from './hub-error.ts';

/** All lists of one name together. */
const mostBytes = 16 << 20;

interface HubAnswer {
  readonly response: Response;
  /** The parsed body. Undefined if the status is not success. */
  readonly value: unknown;
}

export class HubRequests {
  readonly #origin: string;
  readonly #signal: AbortSignal;
  readonly #retryPolicy: RetryPolicy;
  readonly #token: string | undefined;
  #bytes = 0;

  /** The token is sent to the endpoint's origin only. */
  constructor(
    endpoint: string,
    token: string | undefined,
    { signal, stallTimeout }: Pick<JobOptions, 'signal'> & Pick<FetchOptions, 'stallTimeout'>,
  ) {
    this.#origin = new URL(endpoint).origin;
    this.#token = token;
    this.#signal = signal ?? new AbortController().signal;
    this.#retryPolicy = new RetryPolicy({ stallMs: stallTimeout });
  }

  /** Requests JSON. A request that breaks is made again. */
  async get(url: string): Promise<HubAnswer> {
    const { origin } = new URL(url);
    if (origin !== this.#origin) {
      throw badList(url, `it goes on at another host than ${this.#origin}`);
    }
    const hub = this.#token === undefined ? {} : { token: this.#token };
    const remote = new Remote(url, this.#signal, this.#retryPolicy, hub);
    for (;;) {
      const response = await remote.ask({ accept: 'application/json' });
      if (!response.ok) {
        await response.body?.cancel();
        return { response, value: undefined };
      }
      try {
        const text = await this.#textOf(response, url);
        this.#retryPolicy.succeeded();
        return { response, value: parsed(text, url) };
      } catch (error) {
        if (isAbort(error) || error instanceof AmbryError) {
          throw error;
        }
        await this.#retryPolicy.wait(unreachable(url, error), this.#signal);
      }
    }
  }

  async #textOf(response: Response, url: string): Promise<string> {
    if (!response.body) {
      return '';
    }
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of chunksOf(response.body, this.#signal, this.#retryPolicy.stallMs)) {
      this.#bytes += chunk.byteLength;
      if (this.#bytes > mostBytes) {
        throw tooLarge(url, `${mostBytes} bytes`);
      }
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  }
}

function parsed(text: string, url: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badList(url, 'it is not JSON');
  }
}
