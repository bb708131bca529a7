// Builds the lines of a page from its runs. A line has several parts where there is much space between words, as in tables
// and between columns.

import { withoutLetterSpacing } from './letter-spacing.ts';
import type { Run } from './runs.ts';

/** The text between two wide gaps of a line. */
export type LinePart = Omit<Run, 'endsLine'>;

/** The parts of a line, in the order of the file. */
export type TextLine = readonly LinePart[];

/** A gap that is wider than so many font sizes may be that between two columns. */
const minGap = 0.9;
/** Words are at least so far from each other, in font sizes. */
const minSpace = 0.15;

export function linesOf(runs: Iterable<Run>): TextLine[] {
  const lines: LinePart[][] = [];
  let line: LinePart[] = [];
  let part: OpenPart | undefined;
  const endPart = () => {
    const done = part?.done();
    if (done) {
      line.push(done);
    }
    part = undefined;
  };
  const endLine = () => {
    endPart();
    if (line.length > 0) {
      lines.push(line);
    }
    line = [];
  };
  for (const run of runs) {
    if (part && run.text !== '' && run.angle !== part.angle) {
      endLine();
    }
    if (part && !part.takes(run)) {
      endPart();
    }
    if (run.text.trim() !== '' || part) {
      part ??= new OpenPart();
      part.add(run);
    }
    if (run.endsLine) {
      endLine();
    }
  }
  endLine();
  return lines;
}

class OpenPart {
  readonly #runs: Run[] = [];
  #begin = Infinity;
  #end = -Infinity;

  get angle(): number | undefined {
    return this.#runs[0]?.angle;
  }

  /** Whether the run is not far from the text so far. */
  takes(run: Run): boolean {
    if (run.text === '') {
      return true;
    }
    const most = minGap * (run.size || this.#size);
    if (run.text.trim() === '') {
      return run.end - run.begin <= most;
    }
    const after = run.begin - this.#end;
    const before = this.#begin - run.end;
    return after > -most ? after <= most : run.isRightToLeft && before > -most && before <= most;
  }

  get #size(): number {
    return this.#runs.at(-1)?.size ?? 0;
  }

  add(run: Run): void {
    this.#runs.push(run);
    if (run.text.trim() !== '') {
      this.#begin = Math.min(this.#begin, run.begin);
      this.#end = Math.max(this.#end, run.end);
    }
  }

  /** Undefined without text. */
  done(): LinePart | undefined {
    const text = withoutLetterSpacing(this.#runs.map((run, i) => this.#spaced(run, i)));
    const main = mainOf(this.#runs);
    if (text.trim() === '' || !main) {
      return undefined;
    }
    const { y, size, angle, isRightToLeft } = main;
    return {
      text: text.trim(),
      begin: this.#begin,
      end: this.#end,
      y,
      size,
      angle,
      isRightToLeft,
    };
  }

  /** PDF.js gives the spaces of text from left to right. */
  #spaced(run: Run, i: number): string {
    const before = this.#runs[i - 1];
    const isApart = before && run.isRightToLeft && before.begin - run.end > minSpace * run.size;
    return isApart ? ` ${run.text}` : run.text;
  }
}

/** The run with most letters gives the size and the base line. Others may be raised, such as the numbers of notes. */
function mainOf(runs: readonly Run[]): Run | undefined {
  let main: Run | undefined;
  for (const run of runs) {
    if (run.text.trim() !== '' && run.text.length > (main?.text.length ?? 0)) {
      main = run;
    }
  }
  return main;
}
