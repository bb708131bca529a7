// Headers, footers and page numbers, which stand on every page and belong to no paragraph.

interface Line {
  readonly text: string;
}

/** Lines at the head and at the foot of a page that may be such. */
const kAtEdge = 2;
const kFewestPages = 3;
/** A page of fewer lines, as of slides, has no room for any. */
const kFewestLines = 6;

/** What more than half of the pages have at their edge, but for its digits, is left out and given by its first
 *  wording; page numbers by themselves are not worth a word. */
export function withoutFurniture<L extends Line>(
  pages: readonly (readonly L[])[],
): { pages: L[][]; repeated: string[] } {
  const counts = new Map<string, { pages: number; first: string }>();
  for (const lines of pages) {
    for (const [key, text] of new Map(edgesOf(lines).map(({ text }) => [shapeOf(text), text]))) {
      const known = counts.get(key);
      counts.set(key, { pages: (known?.pages ?? 0) + 1, first: known?.first ?? text });
    }
  }
  const isRepeated = (text: string): boolean => {
    const found = counts.get(shapeOf(text))?.pages ?? 0;
    return found >= kFewestPages && found > pages.length / 2;
  };
  const own = pages.map((lines) => {
    const edges = new Set(edgesOf(lines));
    return lines.filter((line) => !(edges.has(line) && isRepeated(line.text)));
  });
  const repeated = [...counts.values()]
    .map(({ first }) => first)
    .filter((text) => isRepeated(text) && /\p{L}/u.test(text));
  return { pages: own, repeated };
}

function edgesOf<L>(lines: readonly L[]): L[] {
  if (lines.length < kFewestLines) return [];
  return [...lines.slice(0, kAtEdge), ...lines.slice(-kAtEdge)];
}

function shapeOf(text: string): string {
  return text.replace(/\d+/g, '0').replace(/\s+/g, ' ').trim().toLowerCase();
}
