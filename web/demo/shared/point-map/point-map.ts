// A map of many points. It can be dragged and zoomed, and walked through with arrow keys. A click on a point, or Enter,
// picks it. It draws at most once a frame, and only when something has changed.

import { element } from '../dom/dom.ts';
import { type Camera, fitCamera, moved, type Point, pixelOf, type Size, zoomed } from './camera.ts';
import { between, flight } from './flight.ts';
import { type MapColours, mapColours, watchColours } from './map-colours.ts';
import { mountMapInput, zoomStep } from './map-input.ts';
import { Painter } from './painter.ts';
import { PointCard } from './point-card.ts';
import {
  countOf,
  type MapView,
  type PointMapData,
  pointAt,
  pointTowards,
  positionOf,
} from './points.ts';
import { savePicture } from './save-picture.ts';
import { toolButton } from './tool-button.ts';

export interface PointMapOptions {
  /** The accessible name: "Map of all passages". */
  readonly label: string;
  /** The name of the file that the map is saved as, without `.png`. */
  readonly fileName: string;
  readonly pick: (point: number) => void;
}

/** Space for the outermost points. */
const margin: Size = { width: 24, height: 24 };
/** The largest zoom factor. */
const maxZoom = 60;
const flightMs = 450;
const queryFlightMs = 700;
const pointFlightMs = 900;
/** A point answers to the pointer within so many pixels: a finger is less exact than a mouse. */
const reach = { mouse: 12, touch: 24 } as const;
/** Device pixels per pixel: more are not seen, but cost time. */
const maxRatio = 2;

const mix = (a: Point, b: Point, part: number): Point => ({
  x: between(a.x, b.x, part),
  y: between(a.y, b.y, part),
});

export class PointMap {
  readonly #options: PointMapOptions;
  readonly #frame: HTMLElement;
  readonly #canvas = element('canvas');
  readonly #card = new PointCard();
  readonly #save: HTMLButtonElement;
  readonly #painter = new Painter();
  readonly #cameraFlight = flight();
  readonly #queryFlight = flight();
  readonly #pointFlight = flight();
  #data: PointMapData | null = null;
  #camera: Camera = fitCamera([], { width: 1, height: 1 });
  #fit: Camera = this.#camera;
  #hits: readonly number[] = [];
  #query: Point | null = null;
  #current: number | null = null;
  #drawing = 0;
  #colours: MapColours | null = null;

  constructor(host: HTMLElement, options: PointMapOptions) {
    this.#options = options;
    this.#canvas.setAttribute('role', 'img');
    this.#canvas.setAttribute('aria-label', options.label);
    this.#frame = element('div', 'map-frame point-map', this.#canvas, this.#card.element);
    this.#frame.tabIndex = 0;
    this.#frame.setAttribute('role', 'group');
    this.#frame.setAttribute(
      'aria-label',
      `${options.label}: arrow keys go from point to point, Enter chooses, plus and minus zoom, 0 shows all`,
    );
    this.#save = toolButton('Save picture', 'Save picture of the map', () => void this.#export());
    const tools = element(
      'div',
      'map-tools',
      this.#save,
      toolButton('+', 'Zoom in', () => this.#zoom(zoomStep)),
      toolButton('−', 'Zoom out', () => this.#zoom(1 / zoomStep)),
      toolButton('All', 'Show all of the map', () => this.showAll()),
    );
    host.append(element('div', 'map-box', this.#frame, tools));
    this.#mountInput();
    watchColours(() => {
      this.#colours = null;
      this.#schedule();
    });
    new ResizeObserver(() => this.#resize()).observe(this.#frame);
  }

  /** Shows other points. The map keeps its place if it was moved, and points move there from `start`. */
  show(data: PointMapData | null, start?: Float32Array): void {
    const wasMoved = start !== undefined && this.#camera.scale > this.#fit.scale;
    this.#pointFlight.stop();
    this.#data = data;
    this.#current = null;
    this.#card.hide();
    this.#fit = this.#fitOf();
    if (data !== null && start !== undefined) {
      this.#movePoints(data, start);
    }
    if (!wasMoved) {
      this.#cameraFlight.stop();
      this.#setCamera(this.#fit);
    }
    this.#schedule();
  }

  #movePoints(data: PointMapData, start: Float32Array): void {
    const end = data.positions;
    const positions = start.slice();
    const moving = { ...data, positions };
    this.#pointFlight.start(pointFlightMs, (part) => {
      for (let i = 0; i < end.length; i += 1) {
        positions[i] = between(start[i] as number, end[i] as number, part);
      }
      this.#data = part < 1 ? moving : data;
      this.#schedule();
    });
  }

  /** Lights up points, the best first, and lets the question fly to its place. */
  light(hits: readonly number[], query: Point | null): void {
    this.#hits = hits;
    const before = this.#query;
    this.#queryFlight.stop();
    if (query === null) {
      this.#query = null;
    } else {
      // A first question comes from above the map.
      const { width } = this.#size;
      const above = { x: width / 2, y: -20 };
      const from = before ?? this.#pointIn(above);
      this.#queryFlight.start(queryFlightMs, (part) => {
        this.#query = mix(from, query, part);
        this.#schedule();
      });
    }
    this.#schedule();
  }

  /** Moves to some points. */
  goTo(points: readonly number[]): void {
    const data = this.#data;
    if (data !== null && points.length > 0) {
      const close = fitCamera(
        points.map((point) => positionOf(data, point)),
        this.#size,
        margin,
      );
      const scale = Math.min(close.scale, this.#fit.scale * maxZoom);
      this.#flyTo(
        scale === close.scale
          ? close
          : zoomed(close, scale / close.scale, this.#middle, this.#fit, maxZoom),
      );
    }
  }

  showAll(): void {
    this.#flyTo(this.#fit);
  }

  get #size(): Size {
    return { width: this.#frame.clientWidth, height: this.#frame.clientHeight };
  }

  get #middle(): Point {
    const { width, height } = this.#size;
    return { x: width / 2, y: height / 2 };
  }

  get #currentPixel(): Point | null {
    return this.#data === null || this.#current === null
      ? null
      : pixelOf(this.#camera, positionOf(this.#data, this.#current));
  }

  #fitOf(): Camera {
    const data = this.#data;
    const points =
      data === null
        ? []
        : Array.from({ length: countOf(data) }, (_, point) => positionOf(data, point));
    return fitCamera(points, this.#size, margin);
  }

  #pointIn({ x, y }: Point): Point {
    const { camera } = this.#view;
    return { x: (x - camera.x) / camera.scale, y: (camera.y - y) / camera.scale };
  }

  #resize(): void {
    const wasFit = this.#camera.scale <= this.#fit.scale;
    this.#fit = this.#fitOf();
    this.#setCamera(wasFit ? this.#fit : this.#camera);
  }

  #zoom(factor: number, at?: Point): void {
    this.#cameraFlight.stop();
    const around = at ?? this.#currentPixel ?? this.#middle;
    this.#setCamera(zoomed(this.#camera, factor, around, this.#fit, maxZoom));
  }

  #flyTo(camera: Camera): void {
    const from = this.#camera;
    this.#cameraFlight.start(flightMs, (part) => {
      const scale = from.scale * (camera.scale / from.scale) ** part;
      this.#setCamera({ ...mix(from, camera, part), scale: part === 1 ? camera.scale : scale });
    });
  }

  #setCamera(camera: Camera): void {
    this.#camera = camera;
    // A finger moves the map only if it is zoomed in. Otherwise it scrolls the page.
    this.#frame.classList.toggle('zoomed', camera.scale > this.#fit.scale);
    this.#schedule();
  }

  #mountInput(): void {
    mountMapInput(this.#frame, {
      move: (by) => {
        this.#cameraFlight.stop();
        this.#setCamera(moved(this.#camera, by));
      },
      zoom: (steps, at) => this.#zoom(zoomStep ** steps, at),
      showAll: () => this.showAll(),
      step: (towards) => this.#step(towards),
    });
    const under = ({ clientX, clientY, pointerType }: PointerEvent): number | null => {
      const { left, top } = this.#frame.getBoundingClientRect();
      const near = pointerType === 'touch' ? reach.touch : reach.mouse;
      const pixel = { x: clientX - left, y: clientY - top };
      return this.#data === null ? null : pointAt(this.#data, this.#camera, pixel, near);
    };
    this.#canvas.addEventListener('pointermove', (event) => {
      if (event.pointerType === 'mouse' && event.buttons === 0) {
        this.#look(under(event));
      }
    });
    this.#canvas.addEventListener('pointerleave', () => this.#look(null));
    this.#canvas.addEventListener('click', (event) => {
      const point = under(event as PointerEvent);
      this.#look(point);
      if (point !== null) {
        this.#options.pick(point);
      }
    });
    this.#frame.addEventListener('keydown', ({ key }) => {
      if (key === 'Enter' && this.#current !== null) {
        this.#options.pick(this.#current);
      } else if (key === 'Escape') {
        this.#look(null);
      }
    });
  }

  /** The first step goes to the best hit, or to the point nearest to the middle. */
  #step(towards: Point): void {
    if (this.#data === null || countOf(this.#data) === 0) {
      return;
    }
    const next =
      this.#current === null
        ? (this.#hits[0] ?? pointAt(this.#data, this.#camera, this.#middle, Infinity))
        : pointTowards(this.#data, this.#current, towards);
    if (next !== null) {
      this.#look(next);
      this.#bringIntoView(next);
    }
  }

  #bringIntoView(point: number): void {
    if (this.#data === null) {
      return;
    }
    const { width, height } = this.#size;
    const { x, y } = pixelOf(this.#camera, positionOf(this.#data, point));
    if (x < 0 || y < 0 || x > width || y > height) {
      this.#flyTo(moved(this.#camera, { x: width / 2 - x, y: height / 2 - y }));
    }
  }

  #look(point: number | null): void {
    if (point !== this.#current) {
      this.#current = point;
      this.#schedule();
    }
  }

  get #view(): MapView {
    return {
      camera: this.#camera,
      fit: this.#fit,
      size: this.#size,
      hits: this.#hits,
      query: this.#query,
      current: this.#current,
    };
  }

  #schedule(): void {
    if (this.#drawing === 0) {
      this.#drawing = requestAnimationFrame(() => {
        this.#drawing = 0;
        this.#draw();
      });
    }
  }

  #draw(): void {
    const { width, height } = this.#size;
    const data = this.#data;
    this.#save.disabled = data === null;
    if (width === 0) {
      return;
    }
    const ratio = Math.min(maxRatio, devicePixelRatio);
    if (this.#canvas.width !== Math.round(width * ratio)) {
      this.#canvas.width = Math.round(width * ratio);
    }
    if (this.#canvas.height !== Math.round(height * ratio)) {
      this.#canvas.height = Math.round(height * ratio);
    }
    const context = this.#canvas.getContext('2d');
    if (context === null) {
      return;
    }
    if (data === null) {
      context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
      return;
    }
    this.#colours ??= mapColours(this.#frame);
    this.#painter.paint(context, data, this.#view, this.#colours, ratio);
    this.#showCard(data);
  }

  #showCard(data: PointMapData): void {
    if (this.#current === null) {
      this.#card.hide();
    } else {
      const at = pixelOf(this.#camera, positionOf(data, this.#current));
      this.#card.show(data.describe(this.#current), at, this.#size);
    }
  }

  async #export(): Promise<void> {
    if (this.#data !== null) {
      this.#colours ??= mapColours(this.#frame);
      const name = `${this.#options.fileName}.png`;
      await savePicture(this.#data, this.#view, this.#colours, name);
    }
  }
}
