// One model, several workers: the texts are embedded side by side, and the rows come back in order. Whatever
// goes wrong in one worker ends the job in all of them.
import { AmbryError, abortError } from '../../errors.ts';
import type { Model } from '../../model/model.ts';
import type { Channel } from '../../rpc/channel.ts';
import type { Calls, Embedded, EmbedSettings } from '../../rpc/protocol.ts';
import type { JobOptions, Progress } from '../../rpc/types.ts';
import type { EmbedOptions } from '../types.ts';
import { type Copy, type Crew, crewOf } from './crew.ts';
import { embedByLanes, placed } from './embed-lanes.ts';
import { kLeastTexts, type Share, Shares } from './shares.ts';

const kMostWorkers = 64;

interface PoolOptions extends JobOptions {
  readonly workers?: number | undefined;
  /** Called with what a share became; the worker takes the next one when it is done. */
  readonly onShare: (share: Share, embedded: Embedded) => Promise<void> | void;
}

interface Input {
  readonly texts: readonly string[];
  readonly settings: EmbedSettings;
}

/** What the texts become, part by part in their order. */
export async function embedParts(
  model: Model,
  input: Input,
  options: Omit<PoolOptions, 'onShare'>,
): Promise<Embedded[]> {
  const parts: [Share, Embedded][] = [];
  const onShare = (share: Share, embedded: Embedded) => void parts.push([share, embedded]);
  await embedShares(model, input, { ...options, onShare });
  return parts.sort(([a], [b]) => a.begin - b.begin).map(([, embedded]) => embedded);
}

/** As one worker would give it. */
export async function embedTogether(
  model: Model,
  input: Input,
  options: EmbedOptions,
): Promise<Embedded> {
  const all = await embedParts(model, input, options);
  const vectors = new Float32Array(all.reduce((sum, part) => sum + part.vectors.length, 0));
  let at = 0;
  for (const part of all) {
    vectors.set(part.vectors, at);
    at += part.vectors.length;
  }
  const rowCounts = Uint32Array.from(all.flatMap((part) => [...part.rowCounts]));
  return { vectors, dim: all[0]?.dim ?? 0, rowCounts };
}

/** Embeds the texts in shares, which come in any order. */
export async function embedShares(
  model: Model,
  input: Input,
  { workers = 1, signal, onProgress, onShare }: PoolOptions,
): Promise<void> {
  if (signal?.aborted) throw abortError(signal);
  const lanes = lanesFor(model, input.texts.length, workers);
  const crew = crewOf(model);
  const share = lanes > 1 ? await crew.share() : null;
  if (share) {
    const report = (loaded: number, note: string | undefined) =>
      onProgress?.({ phase: 'embed', loaded, total: input.texts.length, cached: false, note });
    try {
      const copies = crew.enter(lanes - 1);
      const together = { own: model.channel, memory: share.memory, ...input };
      return await embedByLanes(together, crew, copies, { signal, onProgress: report, onShare });
    } finally {
      crew.leave();
    }
  }
  const job = new Job(input, lanes, onProgress, onShare);
  const abort = () => job.fail(abortError(signal));
  signal?.addEventListener('abort', abort, { once: true });
  try {
    await job.run(crew, crew.enter(lanes - 1));
  } finally {
    signal?.removeEventListener('abort', abort);
    crew.leave();
  }
}

/** How many workers are worth it, of those that may be taken. */
function lanesFor(model: Model, texts: number, workers: number): number {
  if (!Number.isInteger(workers) || workers < 1 || workers > kMostWorkers) {
    const message = `The number of workers must be a whole number from 1 to ${kMostWorkers}, not ${workers}.`;
    throw new AmbryError('BadValue', message, { path: 'workers' });
  }
  // Of an encoder's worker alone is all that it holds in the WebAssembly's memory.
  const isEncoder = !model.words && !model.classify && !model.generate;
  return isEncoder ? Math.min(workers, Math.ceil(texts / (2 * kLeastTexts)) || 1) : 1;
}

class Job {
  readonly #input: Input;
  readonly #shares: Shares;
  readonly #onProgress: ((progress: Progress) => void) | undefined;
  readonly #onShare: PoolOptions['onShare'];
  readonly #stop = new AbortController();
  #failure: unknown;
  #note: string | undefined;
  #done = 0;
  /** Texts that workers are done with in shares that they are not done with. */
  readonly #underWay = new Map<Share, number>();

  constructor(
    input: Input,
    lanes: number,
    onProgress: ((progress: Progress) => void) | undefined,
    onShare: PoolOptions['onShare'],
  ) {
    this.#input = input;
    this.#shares = new Shares(input.texts, lanes);
    this.#onProgress = onProgress;
    this.#onShare = onShare;
  }

  /** The first failure is the job's; the other workers stop. */
  fail(error: unknown): void {
    this.#failure ??= error;
    this.#stop.abort();
  }

  async run(crew: Crew, copies: readonly Copy[]): Promise<void> {
    const work = (channel: Channel<Calls>, _lane: number, onCrash: () => void) =>
      this.#lane(channel, onCrash);
    await crew.workTogether(copies, work, (note) => {
      this.#note = note;
    });
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Gives a worker shares as long as there are any; never rejects. */
  async #lane(channel: Channel<Calls>, onCrash: () => void): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const share = this.#shares.next();
      if (!share) break;
      const { begin, end } = share;
      const input = { ...this.#input, texts: this.#input.texts.slice(begin, end) };
      const onProgress = ({ loaded }: Progress) => this.#report(share, loaded);
      try {
        const embedded = await channel.call('embed', input, { signal, onProgress });
        await this.#onShare(share, embedded);
      } catch (error) {
        if ((error as AmbryError).code === 'Crashed') onCrash();
        this.fail(placed(error, begin));
        return;
      }
      this.#done += end - begin;
      this.#underWay.delete(share);
      this.#report();
    }
  }

  #report(share?: Share, loaded = 0): void {
    if (share) this.#underWay.set(share, loaded);
    const underWay = [...this.#underWay.values()].reduce((sum, texts) => sum + texts, 0);
    this.#onProgress?.({
      phase: 'embed',
      loaded: this.#done + underWay,
      total: this.#input.texts.length,
      cached: false,
      note: this.#note,
    });
  }
}
