// Indexes the waiting passages in batches. Passages of finished batches can be searched meanwhile.

import type { Progress } from 'ambry';
import { formatCount } from '../../shared/base/format.ts';
import type { Store } from '../../shared/base/store.ts';
import type { JobContext } from '../../shared/jobs/jobs.ts';
import { countWaiting, takeWaiting } from '../documents/passage-queue.ts';
import {
  countPassages,
  type Embedder,
  type LoadedModel,
  type SearchState,
} from '../state/state.ts';
import { Throughput } from './throughput.ts';

/** Small, so that the first results come soon. */
const firstBatchSize = 256;
/** Passages for each worker. A cancel discards at most one batch. */
const batchSize = 1024;
/** The page is not updated more often, so that a search has time to finish. */
const updateIntervalMs = 700;

/** Larger models run in one worker only, to save memory. */
const maxPoolModelBytes = 64e6;
const maxWorkers = 4;
/** Fewer passages are indexed before a second worker is ready. */
const minPassagesForPool = 2 * firstBatchSize;

interface Machine {
  readonly cores: number;
  /** Known in Chromium only, rounded and limited. */
  readonly gigabytes: number | undefined;
}

function thisMachine(): Machine {
  const { hardwareConcurrency, deviceMemory } = navigator as Navigator & {
    readonly deviceMemory?: number;
  };
  return { cores: hardwareConcurrency || 1, gigabytes: deviceMemory };
}

/** The number of workers that embed at the same time. One core is left for the page where there are more than two. The
 *  copies of the weights take at most an eighth of the memory. */
export function workerCountFor(
  { weightBytes }: Pick<Embedder, 'weightBytes'>,
  passages: number,
  { cores, gigabytes = 4 }: Machine,
): number {
  if (passages < minPassagesForPool || weightBytes > maxPoolModelBytes) {
    return 1;
  }
  const copies = Math.floor((gigabytes * 1e9) / 8 / Math.max(1, weightBytes));
  return Math.max(1, Math.min(maxWorkers, Math.max(2, cores - 1), cores, copies));
}

export interface IndexOptions {
  readonly workers: number;
  /** The name under which the vectors are saved for the next visit. */
  readonly keep?: string;
}

export function indexOptionsFor(
  { model, name }: LoadedModel,
  passages: number,
  saveVectors: boolean,
): IndexOptions {
  const workers = workerCountFor(model, passages, thisMachine());
  return saveVectors ? { workers, keep: `search ${name}` } : { workers };
}

/** Reports the progress of indexing with its speed. Saved vectors do not count for the speed. */
export class IndexingProgress {
  /** Why vectors are not saved, or why fewer workers run than allowed. */
  note = '';
  readonly #total: number;
  readonly #report: JobContext['report'];
  readonly #throughput = new Throughput();
  /** Passages of earlier batches. */
  #done: number;
  /** Passages of earlier batches whose vectors were saved. */
  #saved = 0;
  #savedInBatch = 0;

  constructor(done: number, total: number, report: JobContext['report']) {
    this.#done = done;
    this.#total = total;
    this.#report = report;
    this.#show(done);
  }

  readonly onProgress = ({ loaded, cached, note }: Progress): void => {
    this.note = note ?? this.note;
    this.#savedInBatch = Number(cached);
    this.#show(this.#done + loaded);
  };

  /** Records that a batch is in the index. */
  batchDone(passages: number): void {
    this.#done += passages;
    this.#saved += this.#savedInBatch;
    this.#savedInBatch = 0;
  }

  #show(done: number): void {
    const saved = this.#saved + this.#savedInBatch;
    const speed = this.#throughput.describe(performance.now(), done - saved, this.#total - saved);
    const fromSaved = saved === 0 ? '' : `${formatCount(saved)} from saved vectors`;
    this.#report(done, this.#total, [speed, fromSaved].filter((text) => text !== '').join(', '));
  }
}

/** Indexes all waiting passages. Returns a note from the package, or an empty string. If it ends early, the state still
 *  tells which passages are indexed. The vectors of the built-in notes are never saved. */
export async function indexWaiting(
  store: Store<SearchState>,
  { signal, report }: JobContext,
  saveVectors: boolean,
): Promise<string> {
  const { index, loaded, builtInNotes } = store.state;
  if (index === null || loaded === null) {
    return '';
  }
  let { sources } = store.state;
  let shownAt = Number.NEGATIVE_INFINITY;
  const done = countPassages(sources);
  const waiting = countWaiting(sources);
  const options = indexOptionsFor(loaded, waiting, saveVectors && !builtInNotes);
  const progress = new IndexingProgress(done, done + waiting, report);
  try {
    for (let size = firstBatchSize; ; size = batchSize * options.workers) {
      const { docs, after } = takeWaiting(sources, size);
      if (docs.length === 0) {
        return progress.note;
      }
      await index.add(docs, { signal, ...options, onProgress: progress.onProgress });
      progress.batchDone(docs.length);
      sources = after;
      if (performance.now() - shownAt > updateIntervalMs) {
        store.update({ sources });
        shownAt = performance.now();
      }
    }
  } finally {
    store.update({ sources });
  }
}
