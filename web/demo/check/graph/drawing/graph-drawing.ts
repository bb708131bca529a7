// The drawing of a graph in its frame. It can be dragged, zoomed, and walked through with arrow keys along its arrows.

import { element } from '../../../shared/dom/dom.ts';
import { svg } from '../../../shared/dom/svg.ts';
import {
  type Camera,
  fitCamera,
  moved,
  type Point,
  type Size,
  zoomed,
} from '../../../shared/point-map/camera.ts';
import { mountMapInput, zoomStep } from '../../../shared/point-map/map-input.ts';
import { toolButton } from '../../../shared/point-map/tool-button.ts';
import type { Entry } from '../entries/groups.ts';
import type { BoxGraph } from './boxes.ts';
import { type GraphLayout, layoutOf, type PlacedBox } from './layout.ts';
import { shapesOf } from './shapes.ts';

/** Space around the whole drawing. */
const margin: Size = { width: 16, height: 16 };
/** A graph is first shown with letters of at least so much of their size, from its beginning on. */
const leastScale = 0.9;
const largestScale = 3;

const middleOf = ({ x, y, width, height }: PlacedBox): Point => ({
  x: x + width / 2,
  y: y + height / 2,
});

const labelOf = ({ box }: PlacedBox): string => {
  const kind = box.kind === 'input' || box.kind === 'output' ? [box.kind] : [];
  return [...kind, box.title, ...box.lines].join(', ');
};

export class GraphDrawing {
  readonly #choose: (entry: Entry) => void;
  readonly #scene = svg('g', {});
  readonly #frame: HTMLElement;
  readonly #spoken = element('p', 'visually-hidden');
  #layout: GraphLayout = { boxes: [], edges: [], width: 0, height: 0 };
  #graph: BoxGraph = { boxes: [], edges: [] };
  #camera: Camera = fitCamera([], { width: 1, height: 1 });
  #current: PlacedBox | undefined;
  /** Shown as at first. */
  #isFirst = true;

  constructor(host: HTMLElement, choose: (entry: Entry) => void) {
    this.#choose = choose;
    const picture = svg('svg', { role: 'img', 'aria-label': 'Drawing of the graph' }, this.#scene);
    this.#frame = element('div', 'map-frame graph-frame', picture);
    this.#frame.tabIndex = 0;
    this.#frame.setAttribute('role', 'group');
    this.#frame.setAttribute(
      'aria-label',
      'Drawing of the graph: arrow keys go from node to node, Enter opens a group, plus and minus zoom, 0 shows all',
    );
    this.#spoken.setAttribute('role', 'status');
    const tools = element(
      'div',
      'map-tools',
      toolButton('+', 'Zoom in', () => this.#zoom(zoomStep)),
      toolButton('−', 'Zoom out', () => this.#zoom(1 / zoomStep)),
      toolButton('All', 'Show all of the graph', () => this.#setCamera(this.#fit)),
    );
    host.replaceChildren(element('div', 'map-box', this.#frame, tools, this.#spoken));
    this.#mountInput();
    new ResizeObserver(() => {
      if (this.#isFirst) {
        this.#showFirst();
      }
    }).observe(this.#frame);
  }

  /** Draws a graph. It keeps its place if `near` is a box of it, which stays where it is in the frame. */
  show(graph: BoxGraph, near?: string): void {
    const before = near === undefined ? undefined : this.#boxOf(near);
    const pixel = before && this.#pixelOf(middleOf(before));
    this.#graph = graph;
    this.#layout = layoutOf(graph);
    this.#current = undefined;
    this.#scene.replaceChildren(...shapesOf(this.#layout));
    const after = near === undefined ? undefined : this.#boxNear(near);
    if (pixel && after) {
      const now = this.#pixelOf(middleOf(after));
      this.#setCamera(moved(this.#camera, { x: pixel.x - now.x, y: pixel.y - now.y }));
    } else {
      this.#showFirst();
    }
  }

  /** Marks the box of an entry, and brings it into the frame. */
  mark(id: string): void {
    this.#setCurrent(this.#boxOf(id), false);
  }

  get #size(): Size {
    return { width: this.#frame.clientWidth, height: this.#frame.clientHeight };
  }

  /** The camera's y axis points upwards, that of the drawing downwards. */
  get #corners(): readonly Point[] {
    const { width, height } = this.#layout;
    return [
      { x: 0, y: 0 },
      { x: width, y: -height },
    ];
  }

  get #fit(): Camera {
    return this.#layout.boxes.length === 0
      ? this.#camera
      : fitCamera(this.#corners, this.#size, margin);
  }

  /** All of a small graph, and the beginning of a large one. */
  get #first(): Camera {
    const fit = this.#fit;
    const scale = Math.min(1, Math.max(leastScale, fit.scale));
    const { width, height } = this.#layout;
    const frame = this.#size;
    const isNarrow = width * scale + 2 * margin.width <= frame.width;
    const [top] = this.#layout.boxes;
    const centre = isNarrow || !top ? width / 2 : middleOf(top).x;
    const free = (frame.height - height * scale) / 2;
    return { scale, x: frame.width / 2 - centre * scale, y: Math.max(margin.height, free) };
  }

  #pixelOf({ x, y }: Point): Point {
    const { scale, x: left, y: top } = this.#camera;
    return { x: left + x * scale, y: top + y * scale };
  }

  #boxOf(id: string): PlacedBox | undefined {
    return this.#layout.boxes.find(({ box }) => box.id === id);
  }

  /** A box, or the first one of a group that has been opened. */
  #boxNear(id: string): PlacedBox | undefined {
    return this.#boxOf(id) ?? this.#layout.boxes.find(({ box }) => box.id.startsWith(`${id}/`));
  }

  #zoom(factor: number, at?: Point): void {
    const current = this.#current && this.#pixelOf(middleOf(this.#current));
    const { width, height } = this.#size;
    const around = at ?? current ?? { x: width / 2, y: height / 2 };
    const fit = this.#fit;
    this.#setCamera(zoomed(this.#camera, factor, around, fit, largestScale / fit.scale));
  }

  #showFirst(): void {
    this.#setCamera(this.#first);
    this.#isFirst = true;
  }

  #setCamera(camera: Camera): void {
    this.#isFirst = false;
    this.#camera = camera;
    const { scale, x, y } = camera;
    this.#scene.setAttribute('transform', `translate(${x} ${y}) scale(${scale})`);
    // A finger moves the drawing only after a zoom. Before, it scrolls the page.
    this.#frame.classList.toggle('zoomed', scale > this.#first.scale);
  }

  #mountInput(): void {
    mountMapInput(this.#frame, {
      move: (by) => this.#setCamera(moved(this.#camera, by)),
      zoom: (steps, at) => this.#zoom(zoomStep ** steps, at),
      showAll: () => this.#setCamera(this.#fit),
      step: (towards) => this.#step(towards),
    });
    this.#frame.addEventListener('click', ({ target }) => {
      const view = target instanceof Element ? target.closest<SVGElement>('[data-box]') : null;
      const found = this.#boxOf(view?.dataset['box'] ?? '');
      if (found) {
        this.#setCurrent(found, true);
        this.#chooseCurrent();
      }
    });
    this.#frame.addEventListener('keydown', (event) => {
      if ((event.key === 'Enter' || event.key === ' ') && this.#current) {
        event.preventDefault();
        this.#chooseCurrent();
      }
    });
  }

  #chooseCurrent(): void {
    const { entry } = this.#current?.box ?? {};
    if (entry) {
      this.#choose(entry);
    }
  }

  /** Goes along an arrow, or to the box beside it. */
  #step({ x, y }: Point): void {
    const { boxes } = this.#layout;
    const from = this.#current;
    if (from === undefined) {
      this.#setCurrent(boxes[0], true);
      return;
    }
    const at = boxes.indexOf(from);
    const next =
      y === 0
        ? boxes.filter((box) => Math.sign(box.x - from.x) === x && overlap(box, from))
        : this.#graph.edges.flatMap((edge) => {
            const [start, end] = y > 0 ? [edge.from, edge.to] : [edge.to, edge.from];
            const box = boxes[end];
            return start === at && box ? [box] : [];
          });
    const distance = (box: PlacedBox): number =>
      Math.abs(middleOf(box).x - middleOf(from).x) + Math.abs(box.y - from.y);
    const [nearest] = next.sort((a, b) => distance(a) - distance(b));
    if (nearest) {
      this.#setCurrent(nearest, true);
    }
  }

  #setCurrent(placed: PlacedBox | undefined, spoken: boolean): void {
    this.#current = placed;
    for (const view of this.#scene.querySelectorAll<SVGElement>('.graph-node')) {
      view.classList.toggle(
        'chosen',
        placed !== undefined && view.dataset['box'] === placed.box.id,
      );
    }
    if (placed) {
      this.#bringIn(placed);
      this.#spoken.textContent = spoken ? labelOf(placed) : '';
    }
  }

  #bringIn(placed: PlacedBox): void {
    const { x, y } = this.#pixelOf(middleOf(placed));
    const { width, height } = this.#size;
    const [across, down] = [width / 2 - x, height / 2 - y];
    const isOut = (distance: number, extent: number) => Math.abs(distance) > 0.4 * extent;
    if (isOut(across, width) || isOut(down, height)) {
      this.#setCamera(moved(this.#camera, { x: across, y: down }));
    }
  }
}

/** Whether two boxes are side by side. */
const overlap = (a: PlacedBox, b: PlacedBox): boolean =>
  a.y < b.y + b.height && b.y < a.y + a.height;
