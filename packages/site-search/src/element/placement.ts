// Where the panel of the results is: under the field, or above it where there is more room, and as wide as a phone.

export interface Box {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

interface Placement {
  readonly left: number;
  readonly width: number;
  readonly maxHeight: number;
  /** One of the two is there: from the top, or from the bottom of the view. */
  readonly top?: number;
  readonly bottom?: number;
}

const gap = 8;
const wanted = 640;
const leastHeight = 240;
const mostHeight = 640;

/** In CSS pixels. `view` is what the reader sees, above the keyboard of a phone. `height` is that of the window. */
export function placePanel(
  field: Box,
  view: Box,
  height: number,
  isRightToLeft: boolean,
): Placement {
  const room = view.right - view.left - 2 * gap;
  const width = Math.min(room, Math.max(wanted, field.right - field.left));
  const start = isRightToLeft ? field.right - width : field.left;
  const left = Math.min(Math.max(start, view.left + gap), view.right - gap - width);
  const below = view.bottom - field.bottom - 2 * gap;
  const above = field.top - view.top - 2 * gap;
  const isBelow = below >= Math.min(leastHeight, above);
  const maxHeight = Math.max(0, Math.min(mostHeight, isBelow ? below : above));
  const place = isBelow ? { top: field.bottom + gap } : { bottom: height - field.top + gap };
  return { left, width, maxHeight, ...place };
}
