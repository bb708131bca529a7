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
}

export interface SiteFiles {
  readonly files: readonly SiteFile[];
  /** Maps the path of each page to the files that it may need, by their places in `files`. The page itself is one of them. */
  readonly pages: Readonly<Record<string, readonly number[]>>;
}

/** The files that a page may need in a browser that runs this flavour. */
export function filesOf({ files, pages }: SiteFiles, page: string, runs: Flavour): SiteFile[] {
  const places = pages[page] ?? [];
  return places
    .map((place) => files[place])
    .filter((file) => file !== undefined)
    .filter(({ flavour = runs }) => flavour === runs);
}

/** The page at a path below the site's root, as in `chat/`. */
export function pageAt({ pages }: SiteFiles, path: string): string | undefined {
  const page = path === '' || path.endsWith('/') ? `${path}index.html` : path;
  return Object.hasOwn(pages, page) ? page : undefined;
}
