// Places the visible parts on the drawing: one box under another, inner parts within the frame of their part.

import type { Part } from './parts.ts';

export const drawingWidth = 360;
const boxHeight = 48;
const gap = 6;
const arrowGap = 18;
const inset = 10;
const copyOffset = 4;
const captionHeight = 18;
/** A part with more inner parts shows them in steps of this size. */
export const partsPerStep = 100;

/** A box that stands for a part, or for inner parts that are not shown yet. */
export interface Box {
  readonly part: Part;
  /** How many inner parts of `part` are not shown yet; 0 for the box of the part itself. */
  readonly left: number;
  readonly level: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly open: boolean;
  /** The height of the frame around an open part; 0 for others. */
  readonly frame: number;
  /** How many equal boxes are seen behind this one. */
  readonly copies: number;
  /** The position among its siblings, from 1, and their number. */
  readonly position: number;
  readonly siblings: number;
}

/** The arrow from one box down to the next. */
export interface Arrow {
  readonly x: number;
  readonly from: number;
  readonly to: number;
}

/** What goes into the model, above its parts, or comes out of it, below. */
export interface Caption {
  readonly text: string;
  readonly y: number;
}

export interface Drawing {
  readonly captions: readonly Caption[];
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
  readonly height: number;
}

interface Shown {
  /** The ids of the parts that are open. */
  readonly open: ReadonlySet<string>;
  /** How many inner parts are shown of a part, by its id, where it is not the first step. */
  readonly counts: ReadonlyMap<string, number>;
}

class Layout {
  readonly boxes: Box[] = [];
  readonly arrows: Arrow[] = [];
  readonly #shown: Shown;

  constructor(shown: Shown) {
    this.#shown = shown;
  }

  /** Places siblings from `y` on, and returns where they end. `owner` is the part that holds them. */
  place(parts: readonly Part[], level: number, y: number, flows: boolean, owner?: Part): number {
    const count = this.#shown.counts.get(owner?.id ?? '') ?? partsPerStep;
    const shown = parts.slice(0, count);
    const left = parts.length - shown.length;
    const siblings = shown.length + (left > 0 ? 1 : 0);
    let at = y;
    shown.forEach((part, i) => {
      if (i > 0) {
        at = this.step(at, flows);
      }
      at = this.#placePart(part, level, at, i + 1, siblings);
    });
    if (left > 0 && owner !== undefined) {
      at += gap;
      const box = this.#box(owner, level, at, siblings, siblings);
      this.boxes.push({ ...box, left, open: false, copies: 0 });
      at += boxHeight;
    }
    return at;
  }

  #box(part: Part, level: number, y: number, position: number, siblings: number): Box {
    const x = (level - 1) * inset;
    const open = this.#shown.open.has(part.id) && part.parts.length > 0;
    const copies = open ? 0 : Math.min(2, part.times - 1);
    const width = drawingWidth - 2 * x - copies * copyOffset;
    const height = boxHeight;
    return {
      part,
      left: 0,
      level,
      x,
      y,
      width,
      height,
      open,
      frame: 0,
      copies,
      position,
      siblings,
    };
  }

  #placePart(part: Part, level: number, y: number, position: number, siblings: number): number {
    const box = this.#box(part, level, y, position, siblings);
    const at = this.boxes.push(box) - 1;
    if (!box.open) {
      return y + boxHeight + box.copies * copyOffset;
    }
    const end = this.place(part.parts, level + 1, y + boxHeight + gap, part.flows, part) + gap;
    this.boxes[at] = { ...box, frame: end - y };
    return end;
  }

  step(from: number, flows: boolean): number {
    if (!flows) {
      return from + gap;
    }
    const to = from + arrowGap;
    this.arrows.push({ x: drawingWidth / 2, from: from + 2, to: to - 2 });
    return to;
  }
}

/** `ends` are the texts of what goes in and comes out; null if that is not known. */
export function layOut(
  parts: readonly Part[],
  shown: Shown,
  ends: readonly [string, string] | null = null,
): Drawing {
  const layout = new Layout(shown);
  if (ends === null) {
    const end = layout.place(parts, 1, 1, true);
    return { captions: [], boxes: layout.boxes, arrows: layout.arrows, height: end + 1 };
  }
  const from = layout.step(captionHeight, true);
  const to = layout.step(layout.place(parts, 1, from, true), true);
  const captions = [
    { text: ends[0], y: captionHeight - 4 },
    { text: ends[1], y: to + captionHeight - 4 },
  ];
  return { captions, boxes: layout.boxes, arrows: layout.arrows, height: to + captionHeight };
}
