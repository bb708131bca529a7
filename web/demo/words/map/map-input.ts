// Hands on a map: pointer, wheel and keys become moves and zooms.

import type { Point } from './projection.ts';

export interface MapMoves {
  move(by: Point): void;
  /** Steps nearer; negative: farther. Around `at`, in pixels of the frame, or its middle. */
  zoom(steps: number, at?: Point): void;
  whole(): void;
}

const kKeyPixels = 40;
/** Less than this is a trembling click and no drag. */
const kDragPixels = 4;
const kWheelPixelsAStep = 120;

function mountKeys(frame: HTMLElement, { move, zoom, whole }: MapMoves): void {
  const acts: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => move({ x: kKeyPixels, y: 0 }),
    ArrowRight: () => move({ x: -kKeyPixels, y: 0 }),
    ArrowUp: () => move({ x: 0, y: kKeyPixels }),
    ArrowDown: () => move({ x: 0, y: -kKeyPixels }),
    '+': () => zoom(1),
    '=': () => zoom(1),
    '-': () => zoom(-1),
    '0': whole,
  };
  frame.addEventListener('keydown', (event) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : acts[event.key];
    if (act !== undefined) {
      event.preventDefault();
      act();
    }
  });
}

function mountDrag(frame: HTMLElement, { move }: MapMoves): void {
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
    if (!dragged && Math.hypot(by.x, by.y) < kDragPixels) {
      return;
    }
    dragged = true;
    // From here on the map keeps the pointer, also outside its frame.
    frame.setPointerCapture(pointerId);
    last = { x: clientX, y: clientY };
    move(by);
  });
  for (const end of ['pointerup', 'pointercancel'] as const) {
    frame.addEventListener(end, () => {
      last = null;
    });
  }
  // The click that ends a drag presses no word.
  frame.addEventListener('click', (event) => dragged && event.stopPropagation(), { capture: true });
}

/** Takes over what happens in `frame`. The wheel alone goes on scrolling the page. */
export function mountMapInput(frame: HTMLElement, moves: MapMoves): void {
  const within = ({ clientX, clientY }: MouseEvent): Point => {
    const { left, top } = frame.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  mountKeys(frame, moves);
  mountDrag(frame, moves);
  frame.addEventListener('dblclick', (event) => {
    if (!(event.target instanceof SVGElement && event.target.closest('.mark') !== null)) {
      moves.zoom(1, within(event));
    }
  });
  frame.addEventListener(
    'wheel',
    (event) => {
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        moves.zoom(-event.deltaY / kWheelPixelsAStep, within(event));
      }
    },
    { passive: false },
  );
}
