// A server over models at a free port, and what tests ask of it.
import type { Generator } from 'ambry';
import { expect } from 'vitest';
import { endId } from '../../../../tests/web/support/files/language-file.ts';
import type { ListenOptions, ModelEntries } from '../../src/index.ts';
import { serve } from '../../src/index.ts';

/** Keeps an answer of the model of `longAnswerFile` going. */
export const endless = { temperature: 0, logit_bias: { [endId]: -1000 } };

export interface TestServer extends AsyncDisposable {
  readonly url: string;
  /** What the server told of failures. */
  readonly errors: unknown[];
  close(): Promise<void>;
}

/** Waits until the models are open. */
export async function testServer(
  models: ModelEntries,
  options: ListenOptions = {},
): Promise<TestServer> {
  const errors: unknown[] = [];
  const server = await serve(models, { port: 0, ...options }, (error) => errors.push(error));
  await server.opened;
  const { url, close } = server;
  return { url, errors, close, [Symbol.asyncDispose]: close };
}

/** What the library itself answers to a user. */
export async function ownAnswer(model: Generator, content: string, options: object) {
  return model.generate({ messages: [{ role: 'user', content }] }, options).result;
}

export function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal && { signal }),
  });
}

/** The tokens that a model of the server wrote so far, also in answers that were aborted. */
export async function generatedTokens({ url }: TestServer, model: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const [, value] =
    new RegExp(`^ambry_tokens_total\\{model="${model}",kind="generated"\\} (\\d+)$`, 'm').exec(
      text,
    ) ?? [];
  return Number(value);
}

/** Waits for a value, on the busiest machine. */
export function eventually<T>(read: () => T) {
  return expect.poll(read, { timeout: 50_000, interval: 20 });
}
