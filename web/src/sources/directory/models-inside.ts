// The error of a folder that is no model, but has models in it: it names them, so that the caller can name one.
import { AmbryError } from '../../base/errors.ts';
import type { ModelSource } from '../base/types.ts';
import { isAloneAmong, weights } from './model-files.ts';
import { isIrrelevant } from './other-files.ts';
import { partName, siblingName } from './part-names.ts';

const mostNamed = 20;

/** Undefined where no file is a model by itself. */
export function modelsInside(named: ReadonlyMap<string, ModelSource>): AmbryError | undefined {
  const files = [...named].filter(([path]) => isAloneAmong(path, named) && isFirstPart(path));
  if (files.length === 0) {
    return undefined;
  }
  const all = [...files, ...foldersIn(named)];
  if (all.length === 1) {
    const message = `The folder has no ${weights}, but a model that is one file: ${placesOf(all)}. Name this file in place of the folder.`;
    return new AmbryError('NotFound', message, { path: 'source' });
  }
  const message = `The folder has several models, and none is named: ${placesOf(all)}. Name one of them in place of the folder.`;
  return new AmbryError('NotFound', message, { path: 'source' });
}

/** What to say where a folder has only folders. */
export function foldersInside(named: ReadonlyMap<string, ModelSource>): string {
  const folders = foldersIn(named);
  return folders.length === 0
    ? ''
    : ` If the model is in a folder of it, name that one: ${placesOf(folders)}.`;
}

/** The first file of a model that is split into several stands for all of them. */
function isFirstPart(path: string): boolean {
  const part = partName(path);
  return !part || siblingName(part, 1) === path;
}

/** The folders that are not known to matter to nobody, by their names with a slash at the end. */
function foldersIn(named: ReadonlyMap<string, ModelSource>): [string, ModelSource | undefined][] {
  const folders = new Map<string, ModelSource | undefined>();
  for (const [path, file] of named) {
    const [, folder, rest] = /^([^/]+\/)(.*)$/.exec(path) ?? [];
    if (folder !== undefined && !isIrrelevant(folder)) {
      folders.set(folder, rest === '' ? file : undefined);
    }
  }
  return [...folders];
}

/** How the caller names them: by their paths on this machine, else by their names in the folder. */
function placesOf(all: readonly (readonly [string, ModelSource | undefined])[]): string {
  const places = all
    .map(([name, file]) => (isPath(file) ? file.path : name))
    .sort((a, b) => (a < b ? -1 : 1));
  const more = places.length - mostNamed;
  return places.slice(0, mostNamed).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function isPath(file: ModelSource | undefined): file is { readonly path: string } {
  return typeof file === 'object' && 'path' in file;
}
