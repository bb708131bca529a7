// Measures the speed of a job and estimates the time left.

import { formatCount } from '../../shared/base/format.ts';

/** The speed is measured over this time, as it changes with what else the page does. */
const windowMs = 6000;
/** A shorter time gives no useful estimate. */
const minWindowMs = 400;

interface Sample {
  readonly at: number;
  readonly done: number;
}

/** `40 s`, `3 min`, `1 h 10 min` */
export function formatDuration(seconds: number): string {
  if (seconds < 59.5) {
    return `${Math.max(1, Math.round(seconds))} s`;
  }
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) {
    return `${minutes} min`;
  }
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)} h${rest === 0 ? '' : ` ${rest} min`}`;
}

function formatRate(rate: number): string {
  return rate < 10 ? rate.toFixed(1) : formatCount(Math.round(rate));
}

export class Throughput {
  #samples: Sample[] = [];

  /** `850 per second, 40 s left`, or an empty string while that is unknown. `now` is in milliseconds. */
  describe(now: number, done: number, total: number): string {
    const recent = this.#samples.filter(({ at }) => now - at <= windowMs);
    this.#samples = [...recent, { at: now, done }];
    const [first] = this.#samples;
    if (first === undefined || now - first.at < minWindowMs || done <= first.done) {
      return '';
    }
    const rate = ((done - first.done) * 1000) / (now - first.at);
    const left = formatDuration((total - done) / rate);
    return `${formatRate(rate)} per second, ${left} left`;
  }
}
