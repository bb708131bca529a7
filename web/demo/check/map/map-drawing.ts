// Draws the map: lines with offsets, blocks with labels, and marks at the bytes of problems.

import type { FileRegion, Problem } from 'ambry';
import { formatAmount, formatBytes, formatCount } from '../../shared/base/format.ts';
import { svg } from '../../shared/dom/svg.ts';
import { blocksOf, labelFor, labelledBlocks, type MapBlock, placeOfByte } from './map-layout.ts';

const lineCount = 10;
const lineGap = 4;
const labelCharacter = 6.4;
const padding = 5;
/** A small region of a large file must still be visible. */
const leastWidth = 3;
/** A damaged file can have thousands of problems. */
const maxMarks = 100;

export const kindLabels: Readonly<Record<FileRegion['kind'], string>> = {
  section: 'headers and tables',
  tensor: 'tensors',
  padding: 'padding',
  unclaimed: 'bytes that nothing points to',
};

export function nameOf(region: FileRegion): string {
  return region.name === '' ? kindLabels[region.kind] : region.name;
}

/** The sizes of the drawing in pixels. */
interface MapSize {
  readonly width: number;
  readonly lineHeight: number;
  /** The column of the offsets. */
  readonly margin: number;
}

/** On a phone, the lines are as high as a finger. */
export const sizeFor = (width: number): MapSize =>
  width < 560 ? { width, lineHeight: 44, margin: 58 } : { width, lineHeight: 30, margin: 76 };

/** What the map shows. */
export interface MapContent {
  readonly regions: readonly FileRegion[];
  readonly bytes: number;
  /** Problems with their bytes. */
  readonly problems: readonly Problem[];
}

class MapDrawing {
  readonly #content: MapContent;
  readonly #size: MapSize;
  readonly #inner: number;

  constructor(content: MapContent, size: MapSize) {
    this.#content = content;
    this.#size = size;
    this.#inner = Math.max(1, size.width - size.margin);
  }

  draw(): SVGSVGElement {
    const { regions, bytes, problems } = this.#content;
    const { width, lineHeight } = this.#size;
    const height = lineCount * (lineHeight + lineGap) - lineGap;
    const blocks = blocksOf(regions, bytes, lineCount, leastWidth / this.#inner);
    const labelled = labelledBlocks(blocks);
    const marked = problems.length === 0 ? '' : `, ${formatAmount(problems.length, 'problem')}`;
    const text = `${formatAmount(regions.length, 'region')} over ${formatBytes(bytes)}${marked}`;
    return svg(
      'svg',
      { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': text },
      ...Array.from({ length: lineCount }, (_, line) => this.#line(line)).flat(),
      ...blocks.map((block) => this.#block(block)),
      ...blocks.flatMap((block) => (labelled.has(block) ? this.#label(block) : [])),
      ...problems.slice(0, maxMarks).flatMap((problem) => this.#mark(problem)),
    );
  }

  #y(line: number): number {
    return line * (this.#size.lineHeight + lineGap);
  }

  #x(share: number): number {
    return this.#size.margin + share * this.#inner;
  }

  /** The ground of a line, and the offset of its first byte. */
  #line(line: number): SVGElement[] {
    const { lineHeight, margin } = this.#size;
    const y = this.#y(line);
    const offset = formatBytes(Math.floor((line * this.#content.bytes) / lineCount));
    const middle = y + lineHeight / 2 + 4;
    return [
      svg('rect', { class: 'map-ground', x: margin, y, width: this.#inner, height: lineHeight }),
      svg('text', { class: 'map-offset', x: margin - 6, y: middle }, line === 0 ? '0' : offset),
    ];
  }

  #block({ region, index, count, line, from, to }: MapBlock): SVGRectElement {
    const range = `${formatBytes(region.bytes)} from byte ${formatCount(region.offset)}`;
    const others = count > 1 ? `, and ${formatAmount(count - 1, 'more small region')}` : '';
    const x = this.#x(from);
    const width = Math.max(leastWidth / 2, this.#x(to) - x - 1);
    return svg(
      'rect',
      {
        class: `block ${region.kind}${index % 2 === 1 ? ' odd' : ''}`,
        x: Math.min(x, this.#size.width - width),
        y: this.#y(line),
        width,
        height: this.#size.lineHeight,
        'data-index': index,
        'data-count': count,
      },
      svg('title', {}, `${nameOf(region)}: ${range}${others}`),
    );
  }

  #label({ region, count, line, from, to }: MapBlock): SVGElement[] {
    const room = (to - from) * this.#inner - 2 * padding;
    const size = formatBytes(region.bytes);
    const label = count > 1 ? '' : labelFor(nameOf(region), size, room / labelCharacter);
    if (label === '') {
      return [];
    }
    const y = this.#y(line) + this.#size.lineHeight / 2 + 4;
    return [
      svg('text', { class: `map-label ${region.kind}`, x: this.#x(from) + padding, y }, label),
    ];
  }

  #mark({ byteOffset, message }: Problem): SVGElement[] {
    if (byteOffset === undefined) {
      return [];
    }
    const { line, at } = placeOfByte(byteOffset, this.#content.bytes, lineCount);
    const x = this.#x(at);
    const y = this.#y(line);
    const bottom = y + this.#size.lineHeight;
    const shape = `M${x} ${y}V${bottom}M${x - 6} ${y - 3}h12l-6 9z`;
    const text = `Byte ${formatCount(byteOffset)}: ${message}`;
    return [svg('path', { class: 'map-problem', d: shape }, svg('title', {}, text))];
  }
}

export function mapDrawing(content: MapContent, size: MapSize): SVGSVGElement {
  return new MapDrawing(content, size).draw();
}
