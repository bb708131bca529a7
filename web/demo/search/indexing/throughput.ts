// How fast work goes, and how long the rest of it takes at that pace.

import { formatCount } from '../../shared/format.ts';

/** The pace is that of the last few seconds: what a page does meanwhile changes it. */
const kWindowMs = 6000;
/** Before that nothing can be said. */
const kLeastMs = 400;

interface Mark {
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

export class Pace {
  #marks: Mark[] = [];

  /** `850 a second, 40 s left` once that is known, after `done` of `total` were done at `now`. */
  remark(now: number, done: number, total: number): string {
    const recent = this.#marks.filter(({ at }) => now - at <= kWindowMs);
    this.#marks = [...recent, { at: now, done }];
    const [first] = this.#marks;
    if (first === undefined || now - first.at < kLeastMs || done <= first.done) {
      return '';
    }
    const rate = ((done - first.done) * 1000) / (now - first.at);
    const left = formatDuration((total - done) / rate);
    return `${formatRate(rate)} a second, ${left} left`;
  }
}
