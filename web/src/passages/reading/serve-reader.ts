// The worker's side: reads one document after another, and asks the caller to count tokens.
import { AmbryError, messageOf } from '../../errors.ts';
import type { Readers } from '../contents.ts';
import { readPassages } from '../read-passages.ts';
import type { PassageGroup } from './passage-groups.ts';
import type { FromReader, ReadRequest, ToReader } from './protocol.ts';
import type { RecordServer } from './serve-records.ts';

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

/** `records` answers the calls of `readRecords`, in a worker that has them. */
export function serveReader(
  { post, listen }: ReaderScope,
  readers: Readers,
  records?: RecordServer,
): void {
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
    else if ('records' in news) records?.receive(news.records);
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
    const reading = readPassages(path, bytes, options, readers);
    let next = await reading.next();
    for (; !next.done; next = await reading.next()) {
      for (const groups of batchesOf(next.value)) await ask({ groups });
    }
    post({ done: next.value });
  } catch (error) {
    post(error instanceof AmbryError ? { problem: error.toJSON() } : { fatal: messageOf(error) });
  }
}

function* batchesOf(groups: readonly PassageGroup[]): Generator<PassageGroup[]> {
  let batch: PassageGroup[] = [];
  let passages = 0;
  let units = 0;
  for (const whole of groups) {
    for (const group of shortGroups(whole)) {
      batch.push(group);
      passages += group.passages.length;
      for (const { text } of group.passages) units += text.length;
      if (passages < maxBatchPassages && units < maxBatchUnits) continue;
      yield batch;
      batch = [];
      passages = 0;
      units = 0;
    }
  }
  if (batch.length > 0) yield batch;
}

function* shortGroups(group: PassageGroup): Generator<PassageGroup> {
  const { passages } = group;
  if (passages.length <= maxBatchPassages) {
    yield group;
    return;
  }
  for (let at = 0; at < passages.length; at += maxBatchPassages) {
    yield { ...group, passages: passages.slice(at, at + maxBatchPassages) };
  }
}
