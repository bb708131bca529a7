// How fast long work goes, and how long it will take: by what happened in the last moments, because the first
// passages of an index may be there already and the longest come in any order.
import type { Progress } from '../../types.ts';

const kWindowMs = 10_000;
/** Before, there is nothing to go by. */
const kLeastMs = 1000;

export interface PaceNow {
  readonly perSecond: number;
  /** Null while the total is unknown. */
  readonly secondsLeft: number | null;
}

export class Pace {
  #phase: Progress['phase'] | undefined;
  #samples: { readonly loaded: number; readonly atMs: number }[] = [];

  /** Takes a report; null as long as it cannot be told. */
  take({ phase, loaded, total }: Progress, atMs: number): PaceNow | null {
    const last = this.#samples.at(-1);
    if (phase !== this.#phase || (last && loaded < last.loaded)) this.#samples = [];
    this.#phase = phase;
    this.#samples.push({ loaded, atMs });
    while (this.#samples[1] && this.#samples[1].atMs <= atMs - kWindowMs) this.#samples.shift();
    const first = this.#samples[0] ?? { loaded, atMs };
    const elapsed = atMs - first.atMs;
    const done = loaded - first.loaded;
    if (elapsed < kLeastMs || done === 0) return null;
    const perSecond = (done / elapsed) * 1000;
    return { perSecond, secondsLeft: total === 0 ? null : Math.max(0, total - loaded) / perSecond };
  }
}

/** `40 s`, `2:05`, `1:02:05` */
export function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return parts
    .slice(parts[0] === 0 ? 1 : 0)
    .map((part, i) => (i === 0 ? String(part) : String(part).padStart(2, '0')))
    .join(':');
}
