// The names of a page.

export interface PageNames {
  /** The title, and what stands in it before a sign that divides. */
  readonly titles: readonly string[];
  /** The name of the file, or of the folder of an index page. */
  readonly file: string;
  readonly part: number;
}

/** `String in alloc::string`, `git-merge(1) Manual Page`, `Setup — Handbook`, `fetch: Web APIs`. */
const dividers = /\s+[-–—|·•»«]\s+|\s+in\s+|\s*\(|:\s/;

export function pageNames(title: string, url: string): Omit<PageNames, 'part'> {
  const [head = ''] = title.split(dividers);
  const path = url.replace(/\/+$/, '').split('/').pop() ?? '';
  const file = decoded(path).replace(/\.x?html?$/i, '');
  return { titles: [...new Set([title, head])].filter((one) => one !== ''), file };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
