// A worker: takes jobs until none is left or it is told to stop.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Job, Queue, WaitingError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { AmbryError, messageOf } from './failure.ts';
import { BadPassages, doJob, type JobParts } from './job.ts';
import { modelHash, ReopeningEmbedder } from './model.ts';
import { checkEviction, checkQueueModel, connectRedis, jobsLeft, redisWarnings } from './queue.ts';
import type { EmbedJob, Sink } from './types.ts';

export interface WorkerOptions {
  readonly redis: string;
  readonly queue: string;
  readonly model: string;
  readonly sink: Sink;
  readonly truncate?: 'end' | 'error';
  readonly prompt?: string;
  /** Ends when no job is left. */
  readonly drain: boolean;
  /** A job of a worker that is silent for so long is given to another. */
  readonly lockMs: number;
  readonly signal: AbortSignal;
  readonly note: (line: string) => void;
  readonly onWritten?: (passages: number) => void;
}

/** A job that ended so many workers is set aside. */
const maxWorkerDeaths = 3;
const drainPollMs = 500;
/** How long a worker that was told to stop waits for a Redis that does not answer. */
const stopPatienceMs = 5000;

/** Runs until the signal aborts, or with `drain` until no job is left. Returns the number of passages written. An abort
 *  lets the current job end, and gives it back if a server is away. */
export async function runWorker(options: WorkerOptions): Promise<number> {
  const { sink, queue, prompt, truncate, signal, note } = options;
  const sha256 = await modelHash(options.model, prompt);
  const client = await connectRedis(options);
  try {
    await checkEviction(client);
    for (const warning of await redisWarnings(client)) {
      note(`warning  ${warning}`);
    }
    await checkQueueModel(client, queue, sha256);
    await using model = await ReopeningEmbedder.open(options.model, note);
    await sink.prepare({ sha256, ...model.factsFor(prompt) });
    const settings = {
      normalize: true,
      ...(truncate && { truncate }),
      ...(prompt !== undefined && { prompt }),
    };
    const embed = (texts: readonly string[]) => model.embed(texts, settings);
    return await takeJobs(options, { sha256, embed, sink, client, signal, note });
  } finally {
    client.disconnect();
  }
}

async function takeJobs(options: WorkerOptions, parts: JobParts): Promise<number> {
  const { queue, lockMs, signal, note } = options;
  const end = new AbortController();
  let written = 0;
  let failure: unknown;
  const count = (more: number) => {
    written += more;
    options.onWritten?.(written);
  };
  const process = async (job: Job<EmbedJob>, token?: string) => {
    try {
      count(await doJob(job, parts));
    } catch (error) {
      if (error instanceof BadPassages) {
        count(error.written);
      }
      // An `AmbryError` is a model or a place that cannot be used. That is not the fault of the job.
      const isBroken = error instanceof AmbryError;
      if (!isBroken && !isAbort(error, signal)) {
        throw error;
      }
      if (isBroken) {
        failure = error;
      }
      end.abort();
      await job.moveToWait(token);
      throw new WaitingError();
    }
  };
  const connection = parts.client.duplicate();
  connection.on('error', () => {});
  const worker = new Worker<EmbedJob>(queue, process, {
    connection,
    lockDuration: lockMs,
    stalledInterval: lockMs,
    maxStalledCount: maxWorkerDeaths,
  });
  worker.on('error', (error) => note(`Redis: ${messageOf(error)}`));
  worker.on('failed', (job, error) => note(`job ${job?.id} failed: ${error.message}`));
  try {
    const stop = AbortSignal.any([signal, end.signal]);
    void aborted(signal).then(() => note('Stopping after the current job.'));
    const ends = [aborted(stop)];
    if (options.drain) {
      ends.push(drained(queue, parts.client, stop));
    }
    await Promise.race(ends);
    await Promise.race([worker.close(), silence(connection, note)]);
  } finally {
    connection.disconnect();
  }
  if (failure) {
    throw failure;
  }
  return written;
}

const isAbort = (error: unknown, signal: AbortSignal) =>
  signal.aborted &&
  (error === signal.reason || (error instanceof Error && error.name === 'AbortError'));

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) {
      resolve();
    }
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Resolves when the queue has no job to do. */
async function drained(name: string, client: Redis, stop: AbortSignal): Promise<void> {
  const queue = new Queue<EmbedJob>(name, { connection: client, skipMetasUpdate: true });
  queue.on('error', () => {});
  while (!stop.aborted) {
    // A Redis that does not answer may still have jobs.
    if ((await jobsLeft(queue).catch(() => 1)) === 0) {
      return;
    }
    await sleep(drainPollMs, undefined, { signal: stop }).catch(() => {});
  }
}

/** Resolves when Redis has been away for a while. */
async function silence(client: Redis, note: (line: string) => void): Promise<void> {
  let since = performance.now();
  while (client.status !== 'end') {
    await sleep(drainPollMs, undefined, { ref: false });
    if (client.status === 'ready') {
      since = performance.now();
    }
    if (performance.now() - since < stopPatienceMs) {
      continue;
    }
    note('Redis does not answer. Another worker gets the current job when its lock ends.');
    return;
  }
}
