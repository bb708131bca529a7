// The queue of jobs in Redis.
import { createHash } from 'node:crypto';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { AmbryError, messageOf, OutageError, shownUrl } from './failure.ts';
import type { EmbedJob, Passage } from './types.ts';

export interface QueuePlace {
  readonly redis: string;
  readonly queue: string;
}

export interface OpenQueue extends AsyncDisposable {
  readonly queue: Queue<EmbedJob>;
  readonly client: Redis;
}

const queueNames = /^[A-Za-z0-9_-]{1,64}$/;

/** The name of a job is made of its passages, so that the same passages are never in the queue twice. */
export function jobIdOf(model: string, passages: readonly Passage[]): string {
  const hash = createHash('sha256').update(model);
  for (const { key, text } of passages) {
    hash.update(JSON.stringify([key, text]));
  }
  return `j${hash.digest('hex').slice(0, 40)}`;
}

/** Connects once, and refuses when that fails. Later failures of the connection are waited out. */
export async function connectRedis({ redis, queue }: QueuePlace): Promise<Redis> {
  if (!queueNames.test(queue)) {
    const message = `--queue must be 1 to 64 letters, digits, _ or -, not "${queue}".`;
    throw new AmbryError('BadValue', message, { path: '--queue' });
  }
  const client = new Redis(redis, { lazyConnect: true, maxRetriesPerRequest: null });
  let failure: unknown;
  client.on('error', (error) => {
    failure = error;
  });
  try {
    await client.connect();
  } catch (error) {
    client.disconnect();
    const message = `No connection to Redis at ${shownUrl(redis)}: ${messageOf(failure ?? error)}. Is it running?`;
    throw new OutageError(message, '--redis', error);
  }
  return client;
}

/** The signal closes the connection, so that nothing waits for a Redis that does not answer. */
export async function openQueue(place: QueuePlace, signal: AbortSignal): Promise<OpenQueue> {
  const client = await connectRedis(place);
  const queue = new Queue<EmbedJob>(place.queue, { connection: client });
  queue.on('error', () => {});
  const stop = () => client.disconnect();
  signal.addEventListener('abort', stop);
  if (signal.aborted) {
    stop();
  }
  return {
    queue,
    client,
    [Symbol.asyncDispose]: async () => {
      signal.removeEventListener('abort', stop);
      if (!signal.aborted) {
        await queue.close();
      }
      client.disconnect();
    },
  };
}

/** Jobs that a worker has or will get. */
export const jobsLeft = (queue: Queue<EmbedJob>): Promise<number> =>
  queue.getJobCountByTypes('waiting', 'active', 'delayed');

/** Undefined where Redis does not tell its settings. */
async function settingOf(client: Redis, name: string): Promise<string | undefined> {
  const pair = (await client.config('GET', name).catch(() => [])) as string[];
  return pair[1];
}

/** What of Redis's settings can lose jobs. */
export async function redisWarnings(client: Redis): Promise<string[]> {
  if ((await settingOf(client, 'appendonly')) !== 'no') {
    return [];
  }
  return [
    'Redis has "appendonly no": a restart loses the jobs since its last snapshot. Set "appendonly yes", or run "enqueue" again after a restart.',
  ];
}

/** Refuses a Redis that deletes jobs when its memory is full. */
export async function checkEviction(client: Redis): Promise<void> {
  const policy = await settingOf(client, 'maxmemory-policy');
  if (policy === undefined || policy === 'noeviction') {
    return;
  }
  const message = `Redis has "maxmemory-policy ${policy}", which deletes jobs when its memory is full. Set it to noeviction.`;
  throw new AmbryError('Unsupported', message, { path: '--redis' });
}

/** A hash of Redis: the SHA-256 of the model, the passages written, the size of a job, and how far corpora were read. */
export const metaKey = (queue: string) => `ambry:${queue}`;

/** Ties the queue to a model. Refuses another one. */
export async function checkQueueModel(client: Redis, queue: string, sha256: string): Promise<void> {
  await client.hsetnx(metaKey(queue), 'model', sha256);
  const own = await client.hget(metaKey(queue), 'model');
  if (own === sha256) {
    return;
  }
  const message = `The queue "${queue}" has jobs for another model: SHA-256 ${own}, not ${sha256}. Give that model or another queue.`;
  throw new AmbryError('Mismatch', message, { path: '--model' });
}

export async function countWritten(client: Redis, queue: string, passages: number): Promise<void> {
  await client.hincrby(metaKey(queue), 'written', passages);
}
