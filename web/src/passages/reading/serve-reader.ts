// The worker's side: reads one document after another, and asks the caller to count tokens.
import { AmbryError, messageOf, toWire } from '../../base/errors.ts';
import type { FindReader } from '../sections/contents.ts';
import type { PassageBatch } from './passage-batches.ts';
import type { FromReader, ReadRequest, ToReader } from './protocol.ts';
import { readPassages } from './read-passages.ts';
import type { RecordServer } from './serve-records.ts';

interface ReaderScope {
  post(message: FromReader): void;
  listen(onMessage: (message: unknown) => void): void;
}

/** Batches that the caller has not answered. While it unpacks one, the next is made. */
const maxUnanswered = 2;

/** The caller, as the reading of a document sees it. */
interface Caller {
  readonly post: (message: FromReader) => void;
  readonly count: (texts: readonly string[]) => Promise<readonly number[]>;
  /** Posts passages, and waits until the caller has taken most of those before. */
  readonly give: (batch: PassageBatch) => Promise<void>;
}

/** `records` answers the calls of `readRecords`, in a worker that has them. */
export function serveReader(
  { post, listen }: ReaderScope,
  readers: FindReader,
  records?: RecordServer,
): void {
  let onCounts: ((counts: readonly number[]) => void) | undefined;
  let onMore: (() => void) | undefined;
  let unanswered = 0;
  const count = (texts: readonly string[]) =>
    new Promise<readonly number[]>((resolve) => {
      onCounts = resolve;
      post({ count: texts });
    });
  const give = async (batch: PassageBatch) => {
    post({ batch });
    if (++unanswered < maxUnanswered) {
      return;
    }
    await new Promise<void>((resolve) => {
      onMore = resolve;
    });
  };
  listen((message) => {
    // PDF.js has messages of its own.
    if (typeof message !== 'object' || message === null) {
      return;
    }
    const news = message as ToReader;
    if ('read' in news) {
      void answerTo(news.read, { post, count, give }, readers);
    } else if ('counts' in news) {
      onCounts?.(news.counts);
    } else if ('records' in news) {
      records?.receive(news.records);
    } else if ('more' in news) {
      unanswered--;
      onMore?.();
    }
  });
  post({ ready: true });
}

async function answerTo(
  { path, bytes, most, isCounted }: ReadRequest,
  { post, count, give }: Caller,
  readers: FindReader,
): Promise<void> {
  const onStep = (step: string) => post({ step });
  try {
    const options = { most, onStep, ...(isCounted && { count }) };
    const reading = readPassages(path, bytes, options, readers);
    let next = await reading.next();
    for (; !next.done; next = await reading.next()) {
      await give(next.value);
    }
    post({ done: next.value });
  } catch (error) {
    post(error instanceof AmbryError ? { problem: toWire(error) } : { fatal: messageOf(error) });
  }
}
