// The worker's side: reads one document after another, and asks the caller to count tokens.
import { AmbryError, messageOf } from '../../errors.ts';
import type { Readers } from '../contents.ts';
import { readPassages } from '../read-passages.ts';
import type { Passage } from '../types.ts';
import type { FromReader, ReadRequest, ToReader } from './protocol.ts';

export interface ReaderScope {
  post(message: FromReader): void;
  listen(onMessage: (message: unknown) => void): void;
}

/** Limits of one message. The caller's thread unpacks a message without a break. */
const maxBatchPassages = 512;
const maxBatchUnits = 1 << 18;

/** The caller, as the reading of a document sees it. */
interface Caller {
  readonly post: (message: FromReader) => void;
  /** Posts a message and waits for its answer. */
  readonly ask: <A>(message: FromReader) => Promise<A>;
}

export function serveReader({ post, listen }: ReaderScope, readers: Readers): void {
  let answer: ((value: never) => void) | undefined;
  const ask = <A>(message: FromReader) =>
    new Promise<A>((resolve) => {
      answer = resolve;
      post(message);
    });
  listen((message) => {
    // PDF.js has messages of its own.
    if (typeof message !== 'object' || message === null) return;
    const news = message as ToReader;
    if ('read' in news) void answerTo(news.read, { post, ask }, readers);
    else if ('counts' in news) answer?.(news.counts as never);
    else if ('more' in news) answer?.(news.more as never);
  });
  post({ ready: true });
}

async function answerTo(
  { path, bytes, most, isCounted }: ReadRequest,
  { post, ask }: Caller,
  readers: Readers,
): Promise<void> {
  const count = (texts: readonly string[]) => ask<readonly number[]>({ count: texts });
  const onStep = (step: string) => post({ step });
  try {
    const options = { most, onStep, ...(isCounted && { count }) };
    const { passages, encoding, warnings } = await readPassages(path, bytes, options, readers);
    for (const batch of batchesOf(passages)) await ask({ passages: batch });
    post({ done: { encoding, warnings } });
  } catch (error) {
    post(error instanceof AmbryError ? { problem: error.toJSON() } : { fatal: messageOf(error) });
  }
}

function* batchesOf(passages: readonly Passage[]): Generator<Passage[]> {
  let batch: Passage[] = [];
  let units = 0;
  for (const passage of passages) {
    batch.push(passage);
    units += passage.text.length;
    if (batch.length < maxBatchPassages && units < maxBatchUnits) continue;
    yield batch;
    batch = [];
    units = 0;
  }
  if (batch.length > 0) yield batch;
}
