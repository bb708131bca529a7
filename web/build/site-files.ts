// Finds out which files each page of the built site may need. It starts with the page and follows every name of another file
// that occurs in a file's text. Names of built files have hashes, so none occurs by accident. Files of demo/public keep their
// names; one is also found by its name without the extension, as pages add extensions.

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

/** Maps what names a file in a text to the files. */
function namesOf(paths: readonly string[]): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const path of paths) {
    const name = basename(path);
    const all = isHashed.test(path) ? [name] : [name, name.replace(/\.[^.]+$/, '')];
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

/** Reads the built site in `folder`. */
export function listSiteFiles(folder: string): SiteFiles {
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
  const listed = paths.filter((path) => isSample.test(path) || isNeeded(path));
  const places = new Map(listed.map((path, place) => [path, place]));
  const pages = [...needed].map(([page, files]) => [
    page,
    [...files].map((path) => places.get(path) ?? 0).sort((a, b) => a - b),
  ]);
  return {
    files: listed.map((path) => describe(folder, path, paths)),
    pages: Object.fromEntries(pages),
  };
}
