// A map of words. It can be dragged, and zoomed with buttons, keys, a double click, or the wheel with Ctrl. A click on a
// word looks it up.

import { element, fillFacts } from '../../shared/dom/dom.ts';
import { svg } from '../../shared/dom/svg.ts';
import {
  type Camera,
  fitCamera,
  moved,
  type Point,
  pixelOf,
  type Size,
  zoomed,
} from '../../shared/point-map/camera.ts';
import { type Line, placeLabels } from '../../shared/point-map/label-layout.ts';
import { mountMapInput } from '../../shared/point-map/map-input.ts';
import { toolButton } from '../../shared/point-map/tool-button.ts';
import { descriptionOf, type MapData, type MapWord } from './map-data.ts';

const zoomStep = 1.5;
const lineHeight = 18;
/** The gap between an arrow and its end point, in pixels. */
const arrowGap = 9;

function arrowPath(from: Point, to: Point): string {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const reach = Math.max(0, length - arrowGap) / (length || 1);
  const at = { x: from.x + (to.x - from.x) * reach, y: from.y + (to.y - from.y) * reach };
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  const barb = (rotation: number): string =>
    `M${at.x} ${at.y}L${at.x - 9 * Math.cos(angle + rotation)} ${at.y - 9 * Math.sin(angle + rotation)}`;
  return `M${from.x} ${from.y}L${at.x} ${at.y}${barb(0.4)}${barb(-0.4)}`;
}

export class WordMap {
  readonly #frame: HTMLElement;
  readonly #drawing: SVGSVGElement;
  readonly #description = element('dl', 'facts');
  readonly #pick: (word: string) => void;
  readonly #textMeasure = document.createElement('canvas').getContext('2d');
  #data: MapData | null = null;
  #camera: Camera = fitCamera([], { width: 1, height: 1 });
  #highlighted = '';

  /** `label` is the accessible name of the map. */
  constructor(host: HTMLElement, label: string, pick: (word: string) => void) {
    this.#pick = pick;
    this.#drawing = svg('svg', { role: 'img', 'aria-label': label });
    this.#frame = element('div', 'map-frame');
    this.#frame.append(this.#drawing);
    this.#frame.tabIndex = 0;
    this.#frame.setAttribute('role', 'group');
    this.#frame.setAttribute(
      'aria-label',
      `${label}: arrow keys move it, plus and minus zoom, 0 shows all words`,
    );
    const tools = element(
      'div',
      'map-tools',
      toolButton('+', 'Zoom in', () => this.#zoom(zoomStep)),
      toolButton('−', 'Zoom out', () => this.#zoom(1 / zoomStep)),
      toolButton('All', 'Show all of the map', () => this.#showAll()),
    );
    const fold = element(
      'details',
      'fold',
      element('summary', '', 'The map as text'),
      this.#description,
    );
    host.append(element('div', 'map-box', this.#frame, tools), fold);
    mountMapInput(this.#frame, {
      move: (by) => this.#setCamera(moved(this.#camera, by)),
      zoom: (steps, at) => this.#zoom(zoomStep ** steps, at),
      showAll: () => this.#showAll(),
    });
    new ResizeObserver(() => this.#showAll()).observe(this.#frame);
  }

  show(data: MapData | null): void {
    this.#data = data;
    fillFacts(this.#description, data === null ? [] : descriptionOf(data));
    this.#showAll();
  }

  /** Highlights a word; an empty string highlights none. */
  highlight(word: string): void {
    this.#highlighted = word;
    this.#draw();
  }

  get #size(): Size {
    return { width: this.#frame.clientWidth, height: this.#frame.clientHeight };
  }

  get #fit(): Camera {
    return fitCamera(this.#data?.words ?? [], this.#size);
  }

  #showAll(): void {
    this.#setCamera(this.#fit);
  }

  #zoom(factor: number, at?: Point): void {
    const { width, height } = this.#size;
    this.#setCamera(zoomed(this.#camera, factor, at ?? { x: width / 2, y: height / 2 }, this.#fit));
  }

  #setCamera(camera: Camera): void {
    this.#camera = camera;
    // A finger moves the map only if it is zoomed in. Otherwise it scrolls the page.
    this.#frame.classList.toggle('zoomed', camera.scale > this.#fit.scale);
    this.#draw();
  }

  #draw(): void {
    if (this.#data === null || this.#size.width === 0) {
      this.#drawing.replaceChildren();
      return;
    }
    const { words, arrows } = this.#data;
    const points = words.map((word) => pixelOf(this.#camera, word));
    const lines = arrows.flatMap(({ from, to }): Line[] => {
      const [a, b] = [points[from], points[to]];
      return a && b ? [[a, b]] : [];
    });
    this.#drawing.replaceChildren(
      ...lines.map(([from, to]) => svg('path', { class: 'arrow', d: arrowPath(from, to) })),
      ...this.#wordViews(words, points, lines),
    );
  }

  /** The highlighted word gets its label first and is drawn last, over the others. */
  #wordViews(
    words: readonly MapWord[],
    points: readonly Point[],
    lines: readonly Line[],
  ): SVGGElement[] {
    const isHighlighted = ({ text }: MapWord): number => Number(text === this.#highlighted);
    const order = words
      .map((word, i) => ({ word, point: points[i] ?? { x: 0, y: 0 } }))
      .sort((a, b) => isHighlighted(b.word) - isHighlighted(a.word));
    const labels = placeLabels(
      order.map(({ word, point }) => ({ ...point, label: this.#sizeOf(word.text) })),
      this.#size,
      lines,
    );
    return order
      .map(({ word, point }, i) => this.#wordView(word, point, labels[i] ?? null))
      .reverse();
  }

  #wordView({ text, role }: MapWord, { x, y }: Point, free: Point | null): SVGGElement {
    const highlighted = text === this.#highlighted;
    const group = svg('g', { class: `map-word ${role}${highlighted ? ' highlighted' : ''}` });
    // The highlighted word has a label even if that covers its neighbours.
    const label = free ?? (highlighted ? { x: x + arrowGap, y: y - lineHeight / 2 } : null);
    group.append(svg('circle', { cx: x, cy: y, r: role === 'found' ? 4 : 5.5 }));
    if (label === null) {
      group.append(svg('title', {}, text));
    } else {
      group.append(svg('text', { x: label.x, y: label.y + 0.75 * lineHeight }, text));
    }
    if (role !== 'sum') {
      group.addEventListener('click', () => this.#pick(text));
    }
    return group;
  }

  #sizeOf(text: string): Size {
    if (this.#textMeasure === null) {
      return { width: 8 * text.length, height: lineHeight };
    }
    // Labels are bold when highlighted, so the bold width is reserved.
    this.#textMeasure.font = `600 ${getComputedStyle(this.#drawing).font}`;
    return { width: this.#textMeasure.measureText(text).width, height: lineHeight };
  }
}
