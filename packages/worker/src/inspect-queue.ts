// Counts, failed jobs, and putting these back.
import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { metaKey } from './queue.ts';
import type { EmbedJob } from './types.ts';

export interface QueueStatus {
  /** Jobs that wait for a worker, also those that are tried again later. */
  readonly waiting: number;
  readonly active: number;
  readonly failed: number;
  /** Passages that workers have written for this queue. Work that was done twice counts twice. */
  readonly written: number;
  /** Passages in the jobs that wait or are active. The last job of a corpus may have fewer than are counted. */
  readonly left: number;
}

export async function queueStatus(queue: Queue<EmbedJob>, client: Redis): Promise<QueueStatus> {
  const counts = await queue.getJobCounts('waiting', 'delayed', 'active', 'failed');
  const { waiting = 0, delayed = 0, active = 0, failed = 0 } = counts;
  const [written, jobSize] = await client.hmget(metaKey(queue.name), 'written', 'jobSize');
  const left = (waiting + delayed + active) * Number(jobSize);
  return { waiting: waiting + delayed, active, failed, written: Number(written), left };
}

export interface FailedJob {
  readonly job: string;
  readonly keys: readonly string[];
  readonly reason: string;
}

const pageSize = 100;

export async function* failedJobs(queue: Queue<EmbedJob>): AsyncGenerator<FailedJob> {
  for (let at = 0; ; at += pageSize) {
    const jobs = await queue.getFailed(at, at + pageSize - 1);
    for (const { id = '', data, failedReason } of jobs) {
      yield { job: id, keys: data.passages.map(({ key }) => key), reason: failedReason };
    }
    if (jobs.length < pageSize) {
      return;
    }
  }
}

/** Puts all failed jobs back into the queue and returns how many there were. */
export async function retryFailed(queue: Queue<EmbedJob>): Promise<number> {
  const failed = await queue.getFailedCount();
  if (failed > 0) {
    await queue.retryJobs({ state: 'failed' });
  }
  return failed;
}
