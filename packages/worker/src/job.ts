// Does one job: embeds its passages, writes the vectors and sets bad passages aside.
import { type Job, UnrecoverableError } from 'bullmq';
import type { Redis } from 'ioredis';
import { type EmbedTexts, embedApart } from './embed-apart.ts';
import { countWritten } from './queue.ts';
import type { EmbedJob, Sink } from './types.ts';
import { whileConnected } from './while-connected.ts';

export interface JobParts {
  /** The SHA-256 of the model. */
  readonly sha256: string;
  readonly embed: EmbedTexts;
  readonly sink: Sink;
  readonly client: Redis;
  /** An abort lets the job end, but does not let it wait for an outage to pass. */
  readonly signal: AbortSignal;
  readonly note: (line: string) => void;
}

/** Returns the number of passages written. The queue is told last, so that a worker that dies in between leaves a job that
 *  another worker repeats without harm. */
export async function doJob(job: Job<EmbedJob>, parts: JobParts): Promise<number> {
  const { data, id = '', queueName } = job;
  const { sha256, embed, sink, client } = parts;
  if (data.model !== sha256) {
    throw new UnrecoverableError(
      `The job is for the model with SHA-256 ${data.model}; this worker has ${sha256}.`,
    );
  }
  const missing = await whileConnected(() => sink.missing(id, data.passages), parts);
  const { good, bad } = await embedApart(embed, missing);
  if (good.length > 0) {
    await whileConnected(() => sink.write(id, good), parts);
  }
  await countWritten(client, queueName, good.length);
  if (bad.length === 0) {
    return good.length;
  }
  await job.updateData({ ...data, passages: bad.map(({ passage }) => passage) });
  throw new BadPassages(
    good.length,
    bad.map(({ passage, reason }) => `${passage.key}: ${reason}`).join('\n'),
  );
}

/** The job keeps only passages that cannot be embedded, and is set aside. */
export class BadPassages extends UnrecoverableError {
  /** How many passages of the job were written. */
  readonly written: number;

  constructor(written: number, message: string) {
    super(message);
    // BullMQ goes by the name.
    this.name = 'UnrecoverableError';
    this.written = written;
  }
}
