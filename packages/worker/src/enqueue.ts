// Puts a corpus into the queue, as jobs of some passages.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { isLines, readCorpus, unreadable } from './input.ts';
import { checkEviction, checkQueueModel, jobIdOf, metaKey } from './queue.ts';
import type { EmbedJob, Passage, Sink } from './types.ts';
import { whileConnected } from './while-connected.ts';

export interface EnqueueOptions {
  readonly corpus: readonly string[];
  /** The SHA-256 of the model. */
  readonly model: string;
  /** Passages of a job. */
  readonly jobSize: number;
  /** Enqueueing waits while more jobs than this wait in the queue. */
  readonly maxWaiting: number;
  /** How often a job is tried before it is set aside. */
  readonly attempts: number;
  /** Reads the whole corpus, although an earlier call has read its beginning. */
  readonly fromStart: boolean;
  /** Only counts what is missing. */
  readonly dryRun?: boolean;
  readonly signal: AbortSignal;
  readonly note: (line: string) => void;
  readonly onRead?: (passages: number) => void;
}

export interface EnqueueResult {
  /** Passages read by this call, without those that an earlier call has read. */
  readonly read: number;
  /** Passages that an earlier call has read. */
  readonly skipped: number;
  /** Passages that are written already. */
  readonly done: number;
  /** Passages in jobs that this call has added. */
  readonly added: number;
  /** Passages in jobs that are in the queue already. */
  readonly queued: number;
  /** Passages of jobs that were set aside. */
  readonly failed: number;
}

const pollMs = 200;

export async function enqueue(
  { queue, client }: { readonly queue: Queue<EmbedJob>; readonly client: Redis },
  sink: Sink,
  options: EnqueueOptions,
): Promise<EnqueueResult> {
  await checkEviction(client);
  await checkQueueModel(client, queue.name, options.model);
  const id = await corpusId(options);
  await sink.claimCorpus(id);
  const cursor = `cursor:${id}`;
  if (!options.dryRun) {
    await client.hset(metaKey(queue.name), 'jobSize', options.jobSize);
  }
  const start = options.fromStart ? 0 : Number(await client.hget(metaKey(queue.name), cursor));
  const counts = { read: 0, skipped: 0, done: 0, added: 0, queued: 0, failed: 0 };
  for await (const batch of batches(readCorpus(options.corpus), options.jobSize)) {
    options.signal.throwIfAborted();
    if (counts.skipped < start) {
      counts.skipped += batch.length;
      continue;
    }
    await addBatch(queue, sink, batch, options, counts);
    counts.read += batch.length;
    // The cursor follows its jobs in Redis's log, so a restart never keeps the cursor without the jobs.
    if (!options.dryRun) {
      await client.hset(metaKey(queue.name), cursor, counts.skipped + counts.read);
    }
    options.onRead?.(counts.skipped + counts.read);
  }
  return counts;
}

type Counts = { -readonly [Name in keyof EnqueueResult]: number };

async function addBatch(
  queue: Queue<EmbedJob>,
  sink: Sink,
  batch: readonly Passage[],
  options: EnqueueOptions,
  counts: Counts,
): Promise<void> {
  const { model, attempts, signal, note } = options;
  const jobId = jobIdOf(model, batch);
  const missing = await whileConnected(() => sink.missing(jobId, batch), { signal, note });
  counts.done += batch.length - missing.length;
  if (missing.length === 0) {
    return;
  }
  const state = await queue.getJobState(jobId);
  if (state === 'failed') {
    counts.failed += missing.length;
    return;
  }
  if (state !== 'unknown') {
    counts.queued += missing.length;
    return;
  }
  counts.added += missing.length;
  if (options.dryRun) {
    return;
  }
  await waitForRoom(queue, options);
  await queue.add(
    'embed',
    { model, passages: missing },
    {
      jobId,
      attempts,
      backoff: { type: 'exponential', delay: 1000 },
      removeOnComplete: true,
      removeOnFail: false,
    },
  );
}

async function waitForRoom(
  queue: Queue<EmbedJob>,
  { maxWaiting, signal }: EnqueueOptions,
): Promise<void> {
  while ((await queue.getJobCountByTypes('waiting', 'delayed')) >= maxWaiting) {
    await sleep(pollMs, undefined, { signal });
  }
}

async function* batches(
  passages: AsyncIterable<Passage>,
  size: number,
): AsyncGenerator<readonly Passage[]> {
  let batch: Passage[] = [];
  for await (const passage of passages) {
    batch.push(passage);
    if (batch.length < size) {
      continue;
    }
    yield batch;
    batch = [];
  }
  if (batch.length > 0) {
    yield batch;
  }
}

/** Changes when the content of the corpus changes, or when jobs get another size. The keys of a document's passages have
 *  its path. */
async function corpusId({ corpus, jobSize, signal }: EnqueueOptions): Promise<string> {
  const hash = createHash('sha256').update(String(jobSize));
  for (const path of corpus) {
    hash.update(isLines(path) ? '\0' : `\0${path}\0`);
    try {
      for await (const chunk of createReadStream(path, { signal })) {
        hash.update(chunk);
      }
    } catch (cause) {
      signal.throwIfAborted();
      throw unreadable(path, cause);
    }
  }
  return hash.digest('hex').slice(0, 16);
}
