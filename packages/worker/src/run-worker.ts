// A worker: takes jobs, embeds their passages and writes the vectors.
import { type Job, Queue, UnrecoverableError, Worker } from 'bullmq';
import { embedApart } from './embed-apart.ts';
import { type Embedder, modelHash, openEmbedder } from './model.ts';
import { checkEviction, checkQueueModel, connectRedis, metaKey, redisWarnings } from './queue.ts';
import type { EmbedJob, Sink } from './types.ts';
import { whileConnected } from './while-connected.ts';

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
  /** How often the queue is searched for such jobs. */
  readonly stalledMs: number;
  readonly signal: AbortSignal;
  readonly note: (line: string) => void;
  readonly onWritten?: (passages: number) => void;
}

/** Runs until the signal aborts, or with `drain` until no job is left. Returns the number of passages written. An abort
 *  lets the current job end. */
export async function runWorker(options: WorkerOptions): Promise<number> {
  const { sink, queue, note, signal } = options;
  const sha256 = await modelHash(options.model, options.prompt);
  const client = await connectRedis(options);
  try {
    await checkEviction(client);
    for (const warning of await redisWarnings(client)) note(warning);
    await checkQueueModel(client, queue, sha256);
    const model = await openEmbedder(options.model);
    try {
      await whileConnected(() => sink.prepare({ sha256, dim: model.dim }), { signal, note });
      return await takeJobs(options, { sha256, model, client });
    } finally {
      await model.dispose();
    }
  } finally {
    client.disconnect();
  }
}

interface OpenParts {
  readonly sha256: string;
  readonly model: Embedder;
  readonly client: Awaited<ReturnType<typeof connectRedis>>;
}

async function takeJobs(options: WorkerOptions, parts: OpenParts): Promise<number> {
  const { queue, lockMs, stalledMs, signal, note } = options;
  let written = 0;
  let crash: unknown;
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const process = async (job: Job<EmbedJob>) => {
    try {
      await doJob(job, options, parts, (count) => {
        written += count;
        options.onWritten?.(written);
      });
    } catch (error) {
      if ((error as { code?: string }).code === 'Crashed') {
        crash = error;
        end();
      }
      throw error;
    }
  };
  const connection = parts.client.duplicate({ maxRetriesPerRequest: null });
  connection.on('error', () => {});
  const worker = new Worker<EmbedJob>(queue, process, {
    connection,
    lockDuration: lockMs,
    stalledInterval: stalledMs,
    // A job that ends three workers is set aside.
    maxStalledCount: 3,
  });
  worker.on('error', (error) => note(`Redis: ${error.message}`));
  worker.on('failed', (job, error) => note(`job ${job?.id} failed: ${error.message}`));
  if (options.drain) worker.on('drained', () => void endIfEmpty(options, parts, end));
  const poll = options.drain
    ? setInterval(() => void endIfEmpty(options, parts, end), 1000)
    : undefined;
  signal.addEventListener('abort', () => end(), { once: true });
  if (signal.aborted) end();
  await ended;
  clearInterval(poll);
  await worker.close();
  // BullMQ leaves a connection open that it was given.
  connection.disconnect();
  if (crash) throw crash;
  return written;
}

async function endIfEmpty(
  { queue }: WorkerOptions,
  { client }: OpenParts,
  end: () => void,
): Promise<void> {
  const counts = new Queue<EmbedJob>(queue, { connection: client, skipMetasUpdate: true });
  counts.on('error', () => {});
  // A Redis that does not answer may still have jobs.
  const left = await counts.getJobCountByTypes('waiting', 'active', 'delayed').catch(() => 1);
  await counts.close();
  if (left === 0) end();
}

/** Writes the good passages, then sets the bad ones aside. The queue is told last, so that a worker that dies in between
 *  leaves a job that another worker repeats without harm. */
async function doJob(
  job: Job<EmbedJob>,
  { sink, truncate, prompt, signal, note, queue }: WorkerOptions,
  { sha256, model, client }: OpenParts,
  onWritten: (passages: number) => void,
): Promise<void> {
  const { data, id = '' } = job;
  if (data.model !== sha256) {
    throw new UnrecoverableError(
      `The job is for the model with SHA-256 ${data.model}; this worker has ${sha256}.`,
    );
  }
  // An abort does not end the job, except while a server does not answer.
  const waiting = { signal, note };
  const missing = await whileConnected(() => sink.missing(id, data), waiting);
  const embed = (texts: readonly string[]) =>
    model.embed(texts, {
      normalize: true,
      ...(truncate && { truncate }),
      ...(prompt !== undefined && { prompt }),
    });
  const { good, bad } = await embedApart(embed, missing);
  if (good.length > 0) await whileConnected(() => sink.write(id, data, good), waiting);
  await client.hincrby(metaKey(queue), 'written', good.length);
  onWritten(good.length);
  if (bad.length === 0) return;
  const passages = bad.map(({ passage }) => passage);
  await job.updateData({ ...data, round: data.round + 1, passages });
  throw new UnrecoverableError(
    bad.map(({ passage, reason }) => `${passage.key}: ${reason}`).join('\n'),
  );
}
