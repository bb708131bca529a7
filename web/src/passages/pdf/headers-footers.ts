// Removes headers, footers and page numbers. They stand on every page and belong to no paragraph.

interface Line {
  readonly text: string;
}

/** This many lines at the top and at the bottom of a page may be headers and footers. */
const edgeLines = 2;
const minPages = 3;
/** A page with fewer lines, such as a slide, is taken to have no header or footer. */
const minLines = 6;

/** Removes lines that more than half of the pages have at their edges, apart from digits. `removed` has the first
 *  wording of each, without lines that are only a page number. */
export function withoutHeadersAndFooters<L extends Line>(
  pages: readonly (readonly L[])[],
): { pages: L[][]; removed: string[] } {
  const counts = new Map<string, { pages: number; first: string }>();
  for (const lines of pages) {
    const edges = new Map(edgesOf(lines).map(({ text }) => [normalized(text), text]));
    for (const [key, text] of edges) {
      const known = counts.get(key);
      counts.set(key, { pages: (known?.pages ?? 0) + 1, first: known?.first ?? text });
    }
  }
  const isRepeated = (text: string): boolean => {
    const found = counts.get(normalized(text))?.pages ?? 0;
    return found >= minPages && found > pages.length / 2;
  };
  const remaining = pages.map((lines) => {
    const edges = new Set(edgesOf(lines));
    return lines.filter((line) => !(edges.has(line) && isRepeated(line.text)));
  });
  const removed = [...counts.values()]
    .map(({ first }) => first)
    .filter((text) => isRepeated(text) && /\p{L}/u.test(text));
  return { pages: remaining, removed };
}

function edgesOf<L>(lines: readonly L[]): L[] {
  if (lines.length < minLines) {
    return [];
  }
  return [...lines.slice(0, edgeLines), ...lines.slice(-edgeLines)];
}

function normalized(text: string): string {
  return text.replace(/\d+/g, '0').replace(/\s+/g, ' ').trim().toLowerCase();
}
