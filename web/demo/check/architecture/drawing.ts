// Draws the parts as boxes. The drawing is a tree for the keyboard and for screen readers.

import { formatAmount, formatBytes, formatCount, formatPercent } from '../../shared/base/format.ts';
import { svg } from '../../shared/dom/svg.ts';
import {
  type Arrow,
  type Box,
  type Caption,
  type Drawing,
  drawingWidth,
  partsPerStep,
} from './drawing-layout.ts';
import type { Part } from './parts.ts';

const padding = 12;
const stripeWidth = 4;
const copyOffset = 4;
/** About the width of a character, to cut texts that do not fit. */
const titleCharacter = 7.4;
const noteCharacter = 6.6;

export function cutText(text: string, width: number, characterWidth: number): string {
  const count = Math.max(1, Math.floor(width / characterWidth));
  return text.length <= count ? text : `${text.slice(0, count - 1)}…`;
}

export const timesText = ({ times }: Part): string => (times > 1 ? `× ${formatCount(times)}` : '');

export const boxId = ({ part, left }: Box): string => (left > 0 ? `more ${part.id}` : part.id);

/** `Layers 0 to 11, × 12, 192 tensors, 85.1 MB` */
function nameOf({ part, left }: Box): string {
  if (left > 0) {
    return moreText(left);
  }
  return [
    part.title,
    timesText(part),
    part.note,
    formatAmount(part.tensors.length, 'tensor'),
    formatBytes(part.bytes),
  ]
    .filter((text) => text !== '')
    .join(', ');
}

const moreText = (left: number): string =>
  `Show ${formatCount(Math.min(left, partsPerStep))} more of ${formatCount(left)}`;

function text(x: number, y: number, className: string, content: string): SVGTextElement {
  return svg('text', { x, y, class: className }, content);
}

/** The box, with the share of the file's weights as a bar at its lower edge. */
function partShapes(box: Box, allBytes: number): SVGElement[] {
  const { part, x, y, width, height, open } = box;
  const share = allBytes > 0 ? part.bytes / allBytes : 0;
  const opener = part.parts.length > 0 ? (open ? '▾ ' : '▸ ') : '';
  const times = timesText(part);
  const room = width - 2 * padding - stripeWidth;
  const title = cutText(`${opener}${part.title}`, room - 7.4 * (times.length + 1), titleCharacter);
  const size = `${formatBytes(part.bytes)}, ${formatPercent(share)}`;
  const note = cutText(part.note, room - noteCharacter * (size.length + 1), noteCharacter);
  const left = x + padding + stripeWidth;
  const right = x + width - padding;
  return [
    svg('rect', { x, y, width, height, class: 'part-box', rx: 3 }),
    svg('rect', { x, y, width: stripeWidth, height, class: `part-stripe ${part.role}` }),
    svg('rect', {
      x: x + stripeWidth,
      y: y + height - 4,
      width: share * (width - stripeWidth),
      height: 4,
      class: 'part-share',
    }),
    text(left, y + 19, 'part-title', title),
    text(right, y + 19, 'part-title end', times),
    text(left, y + 36, 'part-note', note),
    text(right, y + 36, 'part-note end', size),
  ];
}

/** The edges of equal layers behind this one. */
function copies({ x, y, width, height, copies: count }: Box): SVGElement[] {
  return Array.from({ length: count }, (_, i) => {
    const offset = (count - i) * copyOffset;
    return svg('rect', { x: x + offset, y: y + offset, width, height, class: 'part-copy', rx: 3 });
  });
}

function moreShapes({ x, y, width, height, left }: Box): SVGElement[] {
  return [
    svg('rect', { x, y, width, height, class: 'part-box more', rx: 3 }),
    text(x + padding, y + height / 2 + 5, 'part-title', moreText(left)),
  ];
}

/** Frames are outside of the boxes, so that the middle of an open box is its own. */
function frame({ x, y, width, frame: height }: Box): SVGElement[] {
  return height > 0 ? [svg('rect', { x, y, width, height, class: 'part-frame', rx: 3 })] : [];
}

function boxView(box: Box, allBytes: number, chosen: string): SVGGElement {
  const id = boxId(box);
  const shapes = box.left > 0 ? moreShapes(box) : partShapes(box, allBytes);
  const view = svg(
    'g',
    {
      class: `part${id === chosen ? ' chosen' : ''}`,
      role: 'treeitem',
      tabindex: -1,
      'aria-label': nameOf(box),
      'aria-level': box.level,
      'aria-posinset': box.position,
      'aria-setsize': box.siblings,
      'aria-selected': String(id === chosen),
      'data-part': id,
    },
    ...copies(box),
    ...shapes,
  );
  if (box.left === 0 && box.part.parts.length > 0) {
    view.setAttribute('aria-expanded', String(box.open));
  }
  return view;
}

function arrowView({ x, from, to }: Arrow): SVGPathElement {
  return svg('path', { d: `M${x} ${from}V${to}m-4 -5l4 5l4 -5`, class: 'part-arrow' });
}

const captionView = ({ text: content, y }: Caption): SVGTextElement =>
  text(drawingWidth / 2, y, 'part-caption', content);

/** `allBytes` are the bytes of all tensors, `chosen` is the id of the chosen box. */
export function drawingView(drawing: Drawing, allBytes: number, chosen: string): SVGSVGElement {
  return svg(
    'svg',
    {
      viewBox: `-1 0 ${drawingWidth + 2} ${Math.ceil(drawing.height)}`,
      class: 'parts-drawing',
      role: 'tree',
      'aria-label': 'Parts of the model',
    },
    ...drawing.boxes.flatMap(frame),
    ...drawing.boxes.map((box) => boxView(box, allBytes, chosen)),
    ...drawing.arrows.map(arrowView),
    ...drawing.captions.map(captionView),
  );
}
