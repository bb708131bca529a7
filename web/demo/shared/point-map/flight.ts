// Moves things smoothly, for people who do not ask for less motion.

interface Flight {
  /** Starts anew. `move` gets the part of the way, from 0 to 1, on each frame; always 1 in the end. */
  start(milliseconds: number, move: (part: number) => void): void;
  stop(): void;
}

const smooth = (part: number): number => part * part * (3 - 2 * part);

export function flight(): Flight {
  let frame = 0;
  const stop = (): void => cancelAnimationFrame(frame);
  return {
    stop,
    start(milliseconds, move) {
      stop();
      if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
        move(1);
        return;
      }
      const begin = performance.now();
      const next = (now: number): void => {
        const part = Math.min(1, Math.max(0, (now - begin) / milliseconds));
        move(smooth(part));
        if (part < 1) {
          frame = requestAnimationFrame(next);
        }
      };
      frame = requestAnimationFrame(next);
    },
  };
}

export const between = (from: number, to: number, part: number): number =>
  from + (to - from) * part;
