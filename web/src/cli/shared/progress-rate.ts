// Estimates the speed and the remaining time of long work from the last seconds. The average since the start would
// mislead: the first passages of an index may be cached, and long ones may come at any time.
import type { Progress } from '../../entries/types.ts';

const windowMs = 10_000;
/** There is no estimate before this time has passed. */
const minElapsedMs = 1000;

export interface ProgressEstimate {
  readonly perSecond: number;
  /** Null while the total is unknown. */
  readonly secondsLeft: number | null;
}

export class ProgressRate {
  #phase: Progress['phase'] | undefined;
  #samples: { readonly loaded: number; readonly atMs: number }[] = [];

  /** Adds a report. Returns null if there is no estimate yet. */
  update({ phase, loaded, total }: Progress, atMs: number): ProgressEstimate | null {
    const last = this.#samples.at(-1);
    if (phase !== this.#phase || (last && loaded < last.loaded)) {
      this.#samples = [];
    }
    this.#phase = phase;
    this.#samples.push({ loaded, atMs });
    while (this.#samples[1] && this.#samples[1].atMs <= atMs - windowMs) {
      this.#samples.shift();
    }
    const first = this.#samples[0] ?? { loaded, atMs };
    const elapsed = atMs - first.atMs;
    const done = loaded - first.loaded;
    if (elapsed < minElapsedMs || done === 0) {
      return null;
    }
    const perSecond = (done / elapsed) * 1000;
    return { perSecond, secondsLeft: total === 0 ? null : Math.max(0, total - loaded) / perSecond };
  }
}
