// Turns the items of PDF.js into runs with their place on the page, and leaves out what is drawn twice.
import type { TextItem } from './pdfjs.ts';

/** Some text on one line. Places are measured along and across its direction, so that turned text is like any other. */
export interface Run {
  readonly text: string;
  readonly begin: number;
  readonly end: number;
  /** The height of the base line, in points. It grows against the direction of reading. */
  readonly y: number;
  /** The font size in points. */
  readonly size: number;
  /** The direction of the text in degrees. */
  readonly angle: number;
  readonly isRightToLeft: boolean;
  readonly endsLine: boolean;
}

export function runOf(item: TextItem, text: string): Run {
  const [a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = item.transform;
  const length = Math.hypot(a, b) || 1;
  const [along, across] = [a / length, b / length];
  const begin = e * along + f * across;
  return {
    text,
    begin,
    end: begin + item.width,
    y: f * along - e * across,
    size: item.height || Math.hypot(c, d),
    angle: Math.round((Math.atan2(b, a) * 180) / Math.PI),
    isRightToLeft: item.dir === 'rtl',
    endsLine: item.hasEOL,
  };
}

/** The second copy of a text is at most so far from the first, in font sizes. */
const maxOffset = 0.2;
/** Letters that are different may lie over each other by so many font sizes. */
const maxKerning = 0.1;
/** Copies are looked for among so many runs at one place. */
const maxNeighbours = 8;
/** A copy of the last letters may be so much wider or narrower than the part that lies over the first. */
const maxWidthError = 0.35;

/** Some programs draw text twice with a small offset, for bold letters or a shadow. */
export class DrawnTwice {
  /** By cells of the page, whose sides are a font size. */
  readonly #places = new Map<string, Run[]>();
  #last: Run | undefined;

  /** The run without the text that was drawn already. */
  once(run: Run): Run {
    if (run.text.trim() === '') {
      return run;
    }
    const isCopy = this.#isCopy(run);
    const text = isCopy ? '' : run.text.slice(repeated(this.#last, run));
    this.#last = run;
    return { ...run, text };
  }

  /** Remembers a run that is no copy. */
  #isCopy(run: Run): boolean {
    const { begin, y, size, angle } = run;
    const cell = size || 1;
    const [column, row] = [Math.floor(begin / cell), Math.floor(y / cell)];
    for (let i = -1; i <= 1; i++) {
      for (let j = -1; j <= 1; j++) {
        const near = this.#places.get(`${angle} ${size} ${column + i} ${row + j}`);
        if (near?.some((other) => isOver(other, run))) {
          return true;
        }
      }
    }
    const key = `${angle} ${size} ${column} ${row}`;
    const here = this.#places.get(key);
    if (!here) {
      this.#places.set(key, [run]);
    } else if (here.length < maxNeighbours) {
      here.push(run);
    }
    return false;
  }
}

function isOver(first: Run, second: Run): boolean {
  const most = Math.min(maxOffset * first.size, (first.end - first.begin) / 2);
  return (
    first.text === second.text &&
    Math.abs(first.begin - second.begin) <= most &&
    Math.abs(first.y - second.y) <= maxOffset * first.size
  );
}

/** How many letters at the begin of a run lie over the end of the one before. PDF.js ends a run where a letter or a word
 *  is drawn again, so that each begins with a copy. It does not where a narrow letter, such as `l`, is drawn again alone. */
function repeated(before: Run | undefined, run: Run): number {
  if (!before || before.angle !== run.angle || Math.abs(before.y - run.y) > maxOffset * run.size) {
    return 0;
  }
  const covered = before.end - run.begin;
  if (run.begin < before.begin || covered <= maxKerning * run.size) {
    return 0;
  }
  const { text } = run;
  const width = (run.end - run.begin) / text.length;
  const likely = Math.round(covered / (width || 1));
  for (const letters of nearestFirst(likely)) {
    const isInside = letters > 0 && letters <= Math.min(text.length, before.text.length);
    const isClose = Math.abs(letters * width - covered) <= maxWidthError * covered + width / 2;
    if (isInside && isClose && before.text.endsWith(text.slice(0, letters))) {
      return letters;
    }
  }
  return 0;
}

/** Numbers of letters that are about as wide as the part that is covered. Letters differ in width. */
function nearestFirst(likely: number): number[] {
  return [0, 1, -1, 2, -2, 3, -3].map((more) => likely + more);
}
