// Indexing what waits, a batch at a time: what is indexed so far can be searched meanwhile.

import type { Model, Progress } from 'ambry';
import { formatCount } from '../../shared/format.ts';
import type { JobContext } from '../../shared/jobs.ts';
import type { Store } from '../../shared/store.ts';
import { countWaiting, takeWaiting } from '../documents/passage-queue.ts';
import { countPassages, type LoadedModel, type SearchState } from '../state.ts';
import { Pace } from './throughput.ts';

/** Small, so that the first answers come soon. */
const kFirstBatch = 256;
/** For each worker; what a cancel throws away at most. */
const kBatch = 1024;
/** The page shows new results no more often, so that a question has time to be answered. */
const kShownEveryMs = 700;

/** Models beyond this are not worth a second copy. */
const kSmallModelBytes = 64e6;
const kMostWorkers = 4;
/** Fewer passages are done before a second worker has its weights. */
const kLeastForPool = 2 * kFirstBatch;

export interface Machine {
  readonly cores: number;
  /** Where the browser tells: Chromium does, coarsely and at most 8 or 32. */
  readonly gigabytes: number | undefined;
}

export function thisMachine(): Machine {
  const { hardwareConcurrency, deviceMemory } = navigator as Navigator & {
    readonly deviceMemory?: number;
  };
  return { cores: hardwareConcurrency || 1, gigabytes: deviceMemory };
}

/** How many workers embed side by side. One core stays with the page, and all copies of the weights take an
 *  eighth of the memory at most. */
export function workersFor(
  { weightBytes }: Pick<Model, 'weightBytes'>,
  passages: number,
  { cores, gigabytes = 4 }: Machine,
): number {
  if (passages < kLeastForPool || weightBytes > kSmallModelBytes) {
    return 1;
  }
  const copies = Math.floor((gigabytes * 1e9) / 8 / Math.max(1, weightBytes));
  return Math.max(1, Math.min(kMostWorkers, Math.max(2, cores - 1), cores, copies));
}

export interface HowToIndex {
  readonly workers: number;
  readonly keep?: string;
}

/** How many workers, and under which name the vectors are kept for the next visit, if at all. */
export function howToIndex(
  { model, name }: LoadedModel,
  passages: number,
  keeps: boolean,
): HowToIndex {
  const workers = workersFor(model, passages, thisMachine());
  return keeps ? { workers, keep: `search ${name}` } : { workers };
}

/** Shows the progress of indexing with its pace, which kept vectors say nothing about. */
export class IndexingProgress {
  /** Why vectors are not kept, or fewer workers embed than may. */
  note = '';
  readonly #total: number;
  readonly #report: JobContext['report'];
  readonly #pace = new Pace();
  /** Of the batches before this one. */
  #done: number;
  #kept = 0;
  #keptNow = 0;

  constructor(done: number, total: number, report: JobContext['report']) {
    this.#done = done;
    this.#total = total;
    this.#report = report;
    this.#show(done);
  }

  readonly onProgress = ({ loaded, cached, note }: Progress): void => {
    this.note = note ?? this.note;
    this.#keptNow = Number(cached);
    this.#show(this.#done + loaded);
  };

  /** So many passages are in the index for good. */
  batchDone(passages: number): void {
    this.#done += passages;
    this.#kept += this.#keptNow;
    this.#keptNow = 0;
  }

  #show(done: number): void {
    const kept = this.#kept + this.#keptNow;
    const pace = this.#pace.remark(performance.now(), done - kept, this.#total - kept);
    const ofKept = kept === 0 ? '' : `${formatCount(kept)} of them kept from before`;
    this.#report(done, this.#total, [pace, ofKept].filter((text) => text !== '').join(', '));
  }
}

/** Moves passages from `waiting` into the index until none is left, and says what stood in the way. Whatever
 *  ends it early, the state says what is indexed. Vectors are kept where `keeps` says so, but never those of the
 *  built-in notes. */
export async function indexWaiting(
  store: Store<SearchState>,
  { signal, report }: JobContext,
  keeps: boolean,
): Promise<string> {
  const { index, loaded, builtInNotes } = store.state;
  if (index === null || loaded === null) {
    return '';
  }
  let { sources } = store.state;
  let shownAt = Number.NEGATIVE_INFINITY;
  const done = countPassages(sources);
  const waiting = countWaiting(sources);
  const how = howToIndex(loaded, waiting, keeps && !builtInNotes);
  const progress = new IndexingProgress(done, done + waiting, report);
  try {
    for (let most = kFirstBatch; ; most = kBatch * how.workers) {
      const { docs, after } = takeWaiting(sources, most);
      if (docs.length === 0) {
        return progress.note;
      }
      await index.add(docs, { signal, ...how, onProgress: progress.onProgress });
      progress.batchDone(docs.length);
      sources = after;
      if (performance.now() - shownAt > kShownEveryMs) {
        store.update({ sources });
        shownAt = performance.now();
      }
    }
  } finally {
    store.update({ sources });
  }
}
