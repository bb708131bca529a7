// A map of words to look around in: it is dragged, zoomed with buttons, keys, a double click or the wheel
// with Ctrl, and pressing a word takes it up. The same words stand in a list beside it.

import { button, element, fillFacts } from '../../shared/dom.ts';
import { svg } from '../../shared/svg.ts';
import { type Camera, fitting, moved, place, type Size, zoomed } from './camera.ts';
import { type Line, placeLabels } from './label-layout.ts';
import { type Mark, type Picture, wordsOf } from './map-data.ts';
import { mountMapInput } from './map-input.ts';
import type { Point } from './projection.ts';

const kStep = 1.5;
const kLineHeight = 18;
/** An arrow ends before the point that it leads to. */
const kArrowGap = 9;

function arrowPath(from: Point, to: Point): string {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const reach = Math.max(0, length - kArrowGap) / (length || 1);
  const at = { x: from.x + (to.x - from.x) * reach, y: from.y + (to.y - from.y) * reach };
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  const barb = (turn: number): string =>
    `M${at.x} ${at.y}L${at.x - 9 * Math.cos(angle + turn)} ${at.y - 9 * Math.sin(angle + turn)}`;
  return `M${from.x} ${from.y}L${at.x} ${at.y}${barb(0.4)}${barb(-0.4)}`;
}

export class WordMap {
  readonly #frame: HTMLElement;
  readonly #drawing: SVGSVGElement;
  readonly #words = element('dl', 'facts');
  readonly #pick: (word: string) => void;
  readonly #pen = document.createElement('canvas').getContext('2d');
  #picture: Picture | null = null;
  #camera: Camera = fitting([], { width: 1, height: 1 });
  #lit = '';

  /** `label` names the map for those who do not see it. */
  constructor(host: HTMLElement, label: string, pick: (word: string) => void) {
    this.#pick = pick;
    this.#drawing = svg('svg', { role: 'img', 'aria-label': label });
    this.#frame = element('div', 'map-frame');
    this.#frame.append(this.#drawing);
    this.#frame.tabIndex = 0;
    this.#frame.setAttribute('role', 'group');
    this.#frame.setAttribute(
      'aria-label',
      `${label}: arrow keys move it, plus and minus zoom, 0 shows all`,
    );
    const tools = element(
      'div',
      'map-tools',
      this.#tool('+', 'Zoom in', () => this.#zoom(kStep)),
      this.#tool('−', 'Zoom out', () => this.#zoom(1 / kStep)),
      this.#tool('All', 'Show the whole map', () => this.#whole()),
    );
    const fold = element(
      'details',
      'fold',
      element('summary', '', 'The map in words'),
      this.#words,
    );
    host.append(element('div', 'map-box', this.#frame, tools), fold);
    mountMapInput(this.#frame, {
      move: (by) => this.#look(moved(this.#camera, by)),
      zoom: (steps, at) => this.#zoom(kStep ** steps, at),
      whole: () => this.#whole(),
    });
    new ResizeObserver(() => this.#whole()).observe(this.#frame);
  }

  show(picture: Picture | null): void {
    this.#picture = picture;
    fillFacts(this.#words, picture === null ? [] : wordsOf(picture));
    this.#whole();
  }

  /** Marks a word that is pointed at elsewhere; the empty string marks none. */
  light(word: string): void {
    this.#lit = word;
    this.#draw();
  }

  #tool(text: string, label: string, act: () => void): HTMLButtonElement {
    const made = button(text, 'quiet', act);
    made.setAttribute('aria-label', label);
    return made;
  }

  get #size(): Size {
    return { width: this.#frame.clientWidth, height: this.#frame.clientHeight };
  }

  get #fit(): Camera {
    return fitting(this.#picture?.marks ?? [], this.#size);
  }

  #whole(): void {
    this.#look(this.#fit);
  }

  #zoom(factor: number, at?: Point): void {
    const { width, height } = this.#size;
    this.#look(zoomed(this.#camera, factor, at ?? { x: width / 2, y: height / 2 }, this.#fit));
  }

  #look(camera: Camera): void {
    this.#camera = camera;
    // From near, a finger moves the map in every direction; the whole map lets it scroll the page.
    this.#frame.classList.toggle('near', camera.scale > this.#fit.scale);
    this.#draw();
  }

  #draw(): void {
    if (this.#picture === null || this.#size.width === 0) {
      this.#drawing.replaceChildren();
      return;
    }
    const { marks, arrows } = this.#picture;
    const points = marks.map((mark) => place(this.#camera, mark));
    const lines = arrows.flatMap(({ from, to }): Line[] => {
      const [a, b] = [points[from], points[to]];
      return a && b ? [[a, b]] : [];
    });
    this.#drawing.replaceChildren(
      ...lines.map(([from, to]) => svg('path', { class: 'arrow', d: arrowPath(from, to) })),
      ...this.#marks(marks, points, lines),
    );
  }

  /** What is lit draws last, over the others, and gets its label first. */
  #marks(marks: readonly Mark[], points: readonly Point[], lines: readonly Line[]): SVGGElement[] {
    const order = marks
      .map((mark, i) => ({ mark, point: points[i] ?? { x: 0, y: 0 } }))
      .sort((a, b) => Number(b.mark.text === this.#lit) - Number(a.mark.text === this.#lit));
    const labels = placeLabels(
      order.map(({ mark, point }) => ({ ...point, label: this.#sizeOf(mark.text) })),
      this.#size,
      lines,
    );
    return order.map(({ mark, point }, i) => this.#mark(mark, point, labels[i] ?? null)).reverse();
  }

  #mark({ text, role }: Mark, { x, y }: Point, free: Point | null): SVGGElement {
    const lit = text === this.#lit;
    const group = svg('g', { class: `mark ${role}${lit ? ' lit' : ''}` });
    // What is lit is named even where that covers its neighbours.
    const label = free ?? (lit ? { x: x + kArrowGap, y: y - kLineHeight / 2 } : null);
    group.append(svg('circle', { cx: x, cy: y, r: role === 'found' ? 4 : 5.5 }));
    if (label === null) {
      group.append(svg('title', {}, text));
    } else {
      group.append(svg('text', { x: label.x, y: label.y + 0.75 * kLineHeight }, text));
    }
    if (role !== 'sum') {
      group.addEventListener('click', () => this.#pick(text));
    }
    return group;
  }

  #sizeOf(text: string): Size {
    if (this.#pen === null) {
      return { width: 8 * text.length, height: kLineHeight };
    }
    // The width of the heaviest label, so that none grows into its neighbour when it is lit.
    this.#pen.font = `600 ${getComputedStyle(this.#drawing).font}`;
    return { width: this.#pen.measureText(text).width, height: kLineHeight };
  }
}
