// Finds the models among given files. A Hugging Face folder is one, and so are the parts of a split GGUF model. Every other
// file is checked by itself.

import type { PathFile } from './given-files.ts';
import { modelFolder, partEnding } from './model-files.ts';

/** A file, an address, or the files of one model by their names. */
export type CheckSource = File | string | Map<string, File>;

export interface GivenSource {
  readonly name: string;
  readonly source: CheckSource;
}

export function givenSources(files: readonly PathFile[]): GivenSource[] {
  const folder = modelFolder(files);
  const inside = new Set(folder?.files.values());
  const others = files.filter(({ file }) => !inside.has(file));
  const found = folder ? [{ name: folder.name || 'model', source: new Map(folder.files) }] : [];
  return [...found, ...splitModels(others)];
}

function splitModels(files: readonly PathFile[]): GivenSource[] {
  const models = new Map<string, PathFile[]>();
  for (const given of files) {
    const name = given.path.replace(partEnding, '');
    models.set(name, [...(models.get(name) ?? []), given]);
  }
  return [...models].flatMap(([name, parts]): GivenSource[] => {
    if (parts.length === 1 || !parts.every(({ path }) => partEnding.test(path))) {
      return parts.map(({ path, file }) => ({ name: path, source: file }));
    }
    return [{ name, source: new Map(parts.map(({ file }) => [file.name, file])) }];
  });
}

/** Whether the source is a Hugging Face folder, which is no single file. */
export function isFolder(source: CheckSource): boolean {
  if (typeof source === 'string') {
    return !isHubName(source) && new URL(source).pathname.endsWith('/');
  }
  return source instanceof Map && [...source.keys()].some((name) => !partEnding.test(name));
}

/** Whether the address is a name at the hub, which may stand for a file or a folder. */
export const isHubName = (source: CheckSource): boolean =>
  typeof source === 'string' && source.startsWith('hf:');

/** The size of a single file. Undefined for an address and for a model of several files. */
export const fileSizeOf = (source: CheckSource): number | undefined =>
  source instanceof File ? source.size : undefined;

/** Undefined for an address. */
export function sizeOf(source: CheckSource): number | undefined {
  if (typeof source === 'string') {
    return undefined;
  }
  const files = source instanceof Map ? [...source.values()] : [source];
  return files.reduce((sum, { size }) => sum + size, 0);
}
