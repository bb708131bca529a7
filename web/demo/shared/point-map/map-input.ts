// Moves and zooms a map with the pointer, two fingers, the wheel and the keyboard.

import type { Point } from './camera.ts';

interface MapControls {
  move(by: Point): void;
  /** Zooms in, or out if negative, around a pixel of the frame. The default is its middle. */
  zoom(steps: number, at?: Point): void;
  showAll(): void;
  /** What arrow keys do instead of moving the map. They move it with Shift then. `towards` has length 1, y downwards. */
  step?(towards: Point): void;
}

/** One step zooms by so much. */
export const zoomStep = 1.5;
const keyPixels = 40;
/** A shorter movement is a click. */
const minDragPixels = 4;
const wheelPixelsPerStep = 120;

const arrows: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

function mountKeys(frame: HTMLElement, { move, zoom, showAll, step }: MapControls): void {
  const actions: Readonly<Record<string, () => void>> = {
    '+': () => zoom(1),
    '=': () => zoom(1),
    '-': () => zoom(-1),
    '0': showAll,
  };
  const actionOf = ({ key, shiftKey }: KeyboardEvent): (() => void) | undefined => {
    const towards = arrows[key];
    if (towards === undefined) {
      return actions[key];
    }
    return step === undefined || shiftKey
      ? () => move({ x: -keyPixels * towards.x, y: -keyPixels * towards.y })
      : () => step(towards);
  };
  frame.addEventListener('keydown', (event) => {
    const withCommand = event.ctrlKey || event.metaKey || event.altKey;
    const action = withCommand ? undefined : actionOf(event);
    if (action !== undefined) {
      event.preventDefault();
      action();
    }
  });
}

type PixelOf = (event: MouseEvent) => Point;

/** One pointer moves the map. Two zoom it around their middle, and move it with that. */
function mountPointers(frame: HTMLElement, { move, zoom }: MapControls, pixelIn: PixelOf): void {
  const pointers = new Map<number, Point>();
  let dragged = false;
  const pinch = (): { readonly middle: Point; readonly distance: number } => {
    const [a, b] = [...pointers.values()] as [Point, Point];
    const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
    return { middle, distance: Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)) };
  };
  frame.addEventListener('pointerdown', (event) => {
    if (event.button === 0 && pointers.size < 2) {
      pointers.set(event.pointerId, pixelIn(event));
      dragged = pointers.size === 2;
    }
  });
  frame.addEventListener('pointermove', (event) => {
    const last = pointers.get(event.pointerId);
    if (last === undefined) {
      return;
    }
    const next = pixelIn(event);
    const by = { x: next.x - last.x, y: next.y - last.y };
    if (!dragged && Math.hypot(by.x, by.y) < minDragPixels) {
      return;
    }
    dragged = true;
    // The map now gets the pointer's events outside its frame, too.
    frame.setPointerCapture(event.pointerId);
    if (pointers.size < 2) {
      pointers.set(event.pointerId, next);
      move(by);
      return;
    }
    const before = pinch();
    pointers.set(event.pointerId, next);
    const { middle, distance } = pinch();
    move({ x: middle.x - before.middle.x, y: middle.y - before.middle.y });
    zoom(Math.log(distance / before.distance) / Math.log(zoomStep), middle);
  });
  for (const end of ['pointerup', 'pointercancel'] as const) {
    frame.addEventListener(end, ({ pointerId }) => pointers.delete(pointerId));
  }
  // The click at the end of a drag selects no point.
  frame.addEventListener('click', (event) => dragged && event.stopPropagation(), { capture: true });
}

/** The wheel zooms with Ctrl, or while the map has the focus. Otherwise it scrolls the page. */
export function mountMapInput(frame: HTMLElement, controls: MapControls): void {
  const pixelIn: PixelOf = ({ clientX, clientY }) => {
    const { left, top } = frame.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  mountKeys(frame, controls);
  mountPointers(frame, controls, pixelIn);
  frame.addEventListener('dblclick', (event) => {
    if (!(event.target instanceof SVGElement && event.target.closest('.map-word') !== null)) {
      controls.zoom(1, pixelIn(event));
    }
  });
  frame.addEventListener(
    'wheel',
    (event) => {
      const focused = controls.step !== undefined && document.activeElement === frame;
      if (event.ctrlKey || event.metaKey || focused) {
        event.preventDefault();
        controls.zoom(-event.deltaY / wheelPixelsPerStep, pixelIn(event));
      }
    },
    { passive: false },
  );
}
