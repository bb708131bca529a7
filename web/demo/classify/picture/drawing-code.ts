// A drawing as a short text for a link: 28 × 28 pixels in 16 greys. Each byte stands for up to 16 equal pixels in a row: the
// upper half is their number less one, the lower half their grey.

export const drawingSide = 28;
const pixelCount = drawingSide * drawingSide;
const maxRun = 16;
/** For ink. */
export const maxGrey = 15;
/** No two neighbours are equal in the longest code. */
export const maxCodeLength = Math.ceil((pixelCount * 4) / 3);

/** The greys are from 0, for paper, to 15, for ink. */
export function codeOf(greys: Uint8Array): string {
  const bytes: number[] = [];
  for (let at = 0; at < greys.length; ) {
    const grey = greys[at] ?? 0;
    let run = 1;
    while (run < maxRun && greys[at + run] === grey) {
      run += 1;
    }
    bytes.push(((run - 1) << 4) | grey);
    at += run;
  }
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Null for a text that is no code of a drawing. */
export function greysOf(code: string): Uint8Array | null {
  if (code.length > maxCodeLength || !/^[\w-]+$/.test(code) || code.length % 4 === 1) {
    return null;
  }
  const text = atob(code.replaceAll('-', '+').replaceAll('_', '/'));
  const greys = new Uint8Array(pixelCount);
  let at = 0;
  for (const character of text) {
    const byte = character.charCodeAt(0);
    const end = at + (byte >> 4) + 1;
    if (end > pixelCount) {
      return null;
    }
    greys.fill(byte & 15, at, end);
    at = end;
  }
  return at === pixelCount ? greys : null;
}

/** The green of the pad's colours. */
const paper = 253;
const ink = 33;
const inkOf = (light: number): number => (paper - light) / (paper - ink);

/** The greys of a square picture, as means of its pixels. Light pixels are paper. */
export function greysIn({ data, width, height }: ImageData): Uint8Array {
  const greys = new Uint8Array(pixelCount);
  const [stepX, stepY] = [width / drawingSide, height / drawingSide];
  for (let y = 0; y < drawingSide; y += 1) {
    for (let x = 0; x < drawingSide; x += 1) {
      let sum = 0;
      let count = 0;
      for (let row = Math.floor(y * stepY); row < Math.floor((y + 1) * stepY); row += 1) {
        for (
          let column = Math.floor(x * stepX);
          column < Math.floor((x + 1) * stepX);
          column += 1
        ) {
          sum += data[4 * (row * width + column) + 1] ?? 255;
          count += 1;
        }
      }
      const light = count === 0 ? 255 : sum / count;
      greys[y * drawingSide + x] = Math.round(maxGrey * Math.min(1, Math.max(0, inkOf(light))));
    }
  }
  return greys;
}
