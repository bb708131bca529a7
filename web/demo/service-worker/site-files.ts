// The list of the site's files. web/build/service-worker-plugin.ts writes it into the service worker, so a new build is a
// new service worker.

/** The build of a module of WebAssembly that a browser runs. */
export type Flavour = 'baseline' | 'relaxed';

export interface SiteFile {
  /** The path below the site's root. */
  readonly path: string;
  readonly bytes: number;
  /** The hash of a file whose name stays the same when its content changes, as `fetch` checks it. */
  readonly integrity?: string;
  /** The build of a module that has two. A browser needs one of them. */
  readonly flavour?: Flavour;
  /** The places, in `files`, of what this file needs at once: what a page or a style sheet names, and what a script imports. */
  readonly needs?: readonly number[];
  /** The places of what a script in a worker may fetch later: programs, other workers, and code. */
  readonly later?: readonly number[];
}

export interface SiteFiles {
  readonly files: readonly SiteFile[];
  /** Maps the path of each page to the files that it may need, by their places in `files`. The page itself is one of them. */
  readonly pages: Readonly<Record<string, readonly number[]>>;
}

/** The files at these places, in a browser that runs this flavour. */
export function filesAt(
  { files }: SiteFiles,
  places: readonly number[],
  runs: Flavour,
): SiteFile[] {
  return places
    .map((place) => files[place])
    .filter((file) => file !== undefined)
    .filter(({ flavour = runs }) => flavour === runs);
}

/** The files that a page may need in a browser that runs this flavour. */
export const filesOf = (site: SiteFiles, page: string, runs: Flavour): SiteFile[] =>
  filesAt(site, site.pages[page] ?? [], runs);

/** The name of a file in every build: without the hash. */
const stemOf = (path: string): string =>
  path.startsWith('assets/') ? path.replace(/-[\w-]{8}(\.\w+)$/, '$1') : path;

/** Files that only those keep who have tried them. */
const isSample = ({ path }: SiteFile): boolean => path.startsWith('samples/');

/** These files, and all that they need at once. */
function withNeeded(site: SiteFiles, files: Iterable<SiteFile>, runs: Flavour): SiteFile[] {
  const all = new Set(files);
  for (const { needs = [] } of all) {
    for (const needed of filesAt(site, needs, runs)) {
      all.add(needed);
    }
  }
  return [...all];
}

/** Finds files that were used, by paths of this build, or of an older one with another hash. */
function isUsed({ files }: SiteFiles, used: readonly string[]): (file: SiteFile) => boolean {
  const known = new Set(files.map(({ path }) => path));
  const paths = new Set(used);
  const older = new Set(used.filter((path) => !known.has(path)).map(stemOf));
  return ({ path }) => paths.has(path) || older.has(stemOf(path));
}

/** What a page needs for what was used of it. `used` are paths. */
export function usedFilesOf(
  site: SiteFiles,
  page: string,
  used: readonly string[],
  runs: Flavour,
): SiteFile[] {
  const mayNeed = [...filesOf(site, page, runs), ...site.files.filter(isSample)];
  const wasUsed = isUsed(site, used);
  return withNeeded(
    site,
    mayNeed.filter((file) => file.path === page || wasUsed(file)),
    runs,
  );
}

/** The page at a path below the site's root, as in `chat/`. */
export function pageAt({ pages }: SiteFiles, path: string): string | undefined {
  const page = path === '' || path.endsWith('/') ? `${path}index.html` : path;
  return Object.hasOwn(pages, page) ? page : undefined;
}
