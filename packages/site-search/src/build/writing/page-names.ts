// The names of a page.

export interface PageNames {
  /** The title, what stands in it before a sign that divides, and both without a number. */
  readonly titles: readonly string[];
  /** The name of the file, or of the folder of an index page. */
  readonly file: string;
  readonly part: number;
}

/** `String in alloc::string`, `git-merge(1) Manual Page`, `Setup — Handbook`, `fetch: Web APIs`. */
const dividers = /\s+[-–—|·•»«]\s+|\s+in\s+|\s*\(|:\s/;

/** `3.2. Views`, `B.1 Names`, `4. Types`. A number alone, as in `4 types`, may be a part of the name. */
const sectionNumber = /^(?:(?:\p{Lu}|\d+)(?:\.\d+)*\.|(?:\p{Lu}|\d+)(?:\.\d+)+)\s+(?=\S)/u;

/** A heading or title without the number of its section. */
export const withoutNumber = (name: string): string => name.replace(sectionNumber, '');

export function pageNames(title: string, url: string): Omit<PageNames, 'part'> {
  const [head = ''] = title.split(dividers);
  const titles = [title, head].flatMap((one) => [one, withoutNumber(one)]);
  const path = url.replace(/\/+$/, '').split('/').pop() ?? '';
  const file = decoded(path).replace(/\.x?html?$/i, '');
  return { titles: [...new Set(titles)].filter((one) => one !== ''), file };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
