// Finds out which files each page of the built site may need. It starts with the page and follows every name of another file
// that occurs in a file's text. Names of built files have hashes, so none occurs by accident. Files of demo/public keep their
// names; one is also found by its name without the extension, as pages add extensions, unless that is a word that texts have.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { SiteFile, SiteFiles } from '../demo/service-worker/site-files.ts';

const isText = /\.(html|js|css|json|webmanifest|svg)$/;
const isPage = /\.html$/;
/** What is not part of a name in a text. */
const betweenNames = /[^\w.-]+/;
const flavourIn = /-(baseline|relaxed)-[\w-]+\.wasm$/;
/** Files whose names have a hash. */
const isHashed = /^assets\//;
/** Has the names of all samples. A visitor tries few of them, and they are larger than the pages, so a page keeps those that are
 *  tried. */
const isSampleList = /^assets\/samples-/;
const isSample = /^samples\//;
/** Pages that are made later, or that no visitor opens. */
const isLeftOut = /^(docs\/|404\.html$|sw\.js$)/;

/** The documentation is not looked through, as it may be written at the same time. */
function filesIn(folder: string): string[] {
  const rooms = readdirSync(folder).filter((name) => !isLeftOut.test(`${name}/`));
  return rooms
    .flatMap((name) => (statSync(join(folder, name)).isFile() ? [name] : filesBelow(folder, name)))
    .filter((path) => !isLeftOut.test(path) && statSync(join(folder, path)).isFile())
    .sort();
}

function filesBelow(folder: string, room: string): string[] {
  const paths = readdirSync(join(folder, room), { recursive: true, encoding: 'utf8' });
  return paths.map((path) => `${room}/${path.replaceAll('\\', '/')}`);
}

/** Names such as `chat`: they occur in texts that do not mean the file. */
const isWord = /^[a-z]+$/;

/** Maps what names a file in a text to the files. */
function namesOf(paths: readonly string[]): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const path of paths) {
    const name = basename(path);
    const stem = name.replace(/\.[^.]+$/, '');
    const all = isHashed.test(path) || isWord.test(stem) ? [name] : [name, stem];
    for (const key of all) {
      names.set(key, [...(names.get(key) ?? []), path]);
    }
  }
  return names;
}

/** All files that can be reached from the page, the page included. */
function reachedFrom(page: string, namedIn: (path: string) => ReadonlySet<string>): Set<string> {
  const reached = new Set([page]);
  for (const path of reached) {
    for (const next of namedIn(path)) {
      reached.add(next);
    }
  }
  return reached;
}

function flavourOf(path: string, paths: readonly string[]): SiteFile['flavour'] {
  const [, flavour] = flavourIn.exec(path) ?? [];
  const stem = path.replace(flavourIn, '-');
  const builds = paths.filter(
    (other) => flavourIn.test(other) && other.replace(flavourIn, '-') === stem,
  );
  return builds.length > 1 ? (flavour as SiteFile['flavour']) : undefined;
}

/** Scripts of workers. What they start runs in workers, too. */
const isWorker = /^assets\/([\w-]+-)?worker-[\w-]{8}\.js$/;
const staticImport = /(?:\bfrom|\bimport)\s*["'`]([^"'`]+)["'`]/g;

/** The names of the files that a script imports at once. */
function importedBy(text: string): Set<string> {
  return new Set([...text.matchAll(staticImport)].map(([, name = '']) => basename(name)));
}

/** What a file needs at once, and what a script in a worker may fetch later. */
function splitNamed(
  path: string,
  text: string,
  { named, inWorkers }: { named: ReadonlySet<string>; inWorkers: ReadonlySet<string> },
): { needs: string[]; later: string[] } {
  const all = [...named].filter((other) => other !== path);
  if (!path.endsWith('.js')) {
    return { needs: all, later: [] };
  }
  const imported = importedBy(text);
  const isImported = (other: string): boolean => imported.has(basename(other));
  const later = all.filter((other) => !isImported(other));
  return { needs: all.filter(isImported), later: inWorkers.has(path) ? later : [] };
}

function describe(folder: string, path: string, paths: readonly string[]): SiteFile {
  const content = readFileSync(join(folder, path));
  const hash = createHash('sha256').update(content).digest('base64');
  const flavour = flavourOf(path, paths);
  return {
    path,
    bytes: content.byteLength,
    ...(isHashed.test(path) ? {} : { integrity: `sha256-${hash}` }),
    ...(flavour ? { flavour } : {}),
  };
}

/** Reads the built site in `folder`. `opens` has the models that pages open by themselves. */
export function listSiteFiles(
  folder: string,
  opens: Readonly<Record<string, readonly string[]>> = {},
): SiteFiles {
  const paths = filesIn(folder);
  const names = namesOf(paths.filter((path) => !isPage.test(path)));
  const found = new Map<string, ReadonlySet<string>>();
  const namedIn = (path: string): ReadonlySet<string> => {
    let named = found.get(path);
    if (named === undefined) {
      const text = isText.test(path) ? readFileSync(join(folder, path), 'utf8') : '';
      const all = text.split(betweenNames).flatMap((word) => names.get(word) ?? []);
      named = new Set(isSampleList.test(path) ? all.filter((name) => isHashed.test(name)) : all);
      found.set(path, named);
    }
    return named;
  };
  const needed = new Map(
    paths.filter((path) => isPage.test(path)).map((page) => [page, reachedFrom(page, namedIn)]),
  );
  const isNeeded = (path: string) => [...needed.values()].some((files) => files.has(path));
  const offered = new Set(
    paths
      .filter((path) => isSampleList.test(path))
      .flatMap((path) => readFileSync(join(folder, path), 'utf8').split(betweenNames))
      .flatMap((word) => names.get(word) ?? []),
  );
  const listed = paths.filter((path) => isSample.test(path) || offered.has(path) || isNeeded(path));
  const places = new Map(listed.map((path, place) => [path, place]));
  const placesOf = (files: Iterable<string>): number[] =>
    [...files]
      .map((path) => places.get(path))
      .filter((place) => place !== undefined)
      .sort((a, b) => a - b);
  const inWorkers = new Set(
    paths.filter((path) => isWorker.test(path)).flatMap((path) => [...reachedFrom(path, namedIn)]),
  );
  const links = (path: string): Pick<SiteFile, 'needs' | 'later'> => {
    const text = isText.test(path) ? readFileSync(join(folder, path), 'utf8') : '';
    const { needs, later } = splitNamed(path, text, { named: namedIn(path), inWorkers });
    const all = placesOf([...needs, ...(opens[path] ?? [])]);
    return {
      ...(all.length > 0 && { needs: all }),
      ...(later.length > 0 && { later: placesOf(later) }),
    };
  };
  return {
    files: listed.map((path) => ({ ...describe(folder, path, paths), ...links(path) })),
    pages: Object.fromEntries([...needed].map(([page, files]) => [page, placesOf(files)])),
  };
}
