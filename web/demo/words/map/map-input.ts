// Moves and zooms a map with the pointer, the wheel and the keyboard.

import type { Point } from './projection.ts';

export interface MapControls {
  move(by: Point): void;
  /** Zooms in, or out if negative, around a pixel of the frame. The default is its middle. */
  zoom(steps: number, at?: Point): void;
  showAll(): void;
}

const keyPixels = 40;
/** A shorter movement is a click. */
const minDragPixels = 4;
const wheelPixelsPerStep = 120;

function mountKeys(frame: HTMLElement, { move, zoom, showAll }: MapControls): void {
  const actions: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => move({ x: keyPixels, y: 0 }),
    ArrowRight: () => move({ x: -keyPixels, y: 0 }),
    ArrowUp: () => move({ x: 0, y: keyPixels }),
    ArrowDown: () => move({ x: 0, y: -keyPixels }),
    '+': () => zoom(1),
    '=': () => zoom(1),
    '-': () => zoom(-1),
    '0': showAll,
  };
  frame.addEventListener('keydown', (event) => {
    const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : actions[event.key];
    if (action !== undefined) {
      event.preventDefault();
      action();
    }
  });
}

function mountDrag(frame: HTMLElement, { move }: MapControls): void {
  let last: Point | null = null;
  let dragged = false;
  frame.addEventListener('pointerdown', ({ button, clientX, clientY }) => {
    last = button === 0 ? { x: clientX, y: clientY } : null;
    dragged = false;
  });
  frame.addEventListener('pointermove', ({ pointerId, clientX, clientY }) => {
    if (last === null) {
      return;
    }
    const by = { x: clientX - last.x, y: clientY - last.y };
    if (!dragged && Math.hypot(by.x, by.y) < minDragPixels) {
      return;
    }
    dragged = true;
    // The map now gets the pointer's events outside its frame, too.
    frame.setPointerCapture(pointerId);
    last = { x: clientX, y: clientY };
    move(by);
  });
  for (const end of ['pointerup', 'pointercancel'] as const) {
    frame.addEventListener(end, () => {
      last = null;
    });
  }
  // The click at the end of a drag selects no word.
  frame.addEventListener('click', (event) => dragged && event.stopPropagation(), { capture: true });
}

/** The wheel zooms only with Ctrl. Without it, the wheel scrolls the page. */
export function mountMapInput(frame: HTMLElement, controls: MapControls): void {
  const pixelIn = ({ clientX, clientY }: MouseEvent): Point => {
    const { left, top } = frame.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  mountKeys(frame, controls);
  mountDrag(frame, controls);
  frame.addEventListener('dblclick', (event) => {
    if (!(event.target instanceof SVGElement && event.target.closest('.map-word') !== null)) {
      controls.zoom(1, pixelIn(event));
    }
  });
  frame.addEventListener(
    'wheel',
    (event) => {
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        controls.zoom(-event.deltaY / wheelPixelsPerStep, pixelIn(event));
      }
    },
    { passive: false },
  );
}
