// Strokes that a pointer draws on a canvas.

function pointOf(canvas: HTMLCanvasElement, { clientX, clientY }: PointerEvent): DOMPointReadOnly {
  const { left, top, width, height } = canvas.getBoundingClientRect();
  return new DOMPointReadOnly(
    ((clientX - left) * canvas.width) / width,
    ((clientY - top) * canvas.height) / height,
  );
}

interface StrokeListener {
  /** A part of a stroke, in pixels of the canvas. A stroke begins with a part from a point to itself. */
  line(from: DOMPointReadOnly, to: DOMPointReadOnly): void;
  /** Parts were drawn, and more may follow. */
  onDraw?(): void;
  /** The stroke ends. */
  onEnd?(): void;
}

export function mountStrokes(canvas: HTMLCanvasElement, listener: StrokeListener): void {
  let last: DOMPointReadOnly | null = null;
  canvas.addEventListener('pointerdown', (event) => {
    if (event.isPrimary && event.button === 0) {
      canvas.setPointerCapture(event.pointerId);
      last = pointOf(canvas, event);
      listener.line(last, last);
      listener.onDraw?.();
    }
  });
  canvas.addEventListener('pointermove', (event) => {
    if (last !== null && event.isPrimary) {
      for (const part of event.getCoalescedEvents?.() ?? [event]) {
        const next = pointOf(canvas, part);
        listener.line(last, next);
        last = next;
      }
      listener.onDraw?.();
    }
  });
  for (const end of ['pointerup', 'pointercancel'] as const) {
    canvas.addEventListener(end, (event) => {
      if (last !== null && event.isPrimary) {
        last = null;
        listener.onEnd?.();
      }
    });
  }
}
