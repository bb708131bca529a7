// The files of a model among those that somebody dropped.

import type { PathFile } from './given-files.ts';

const kPartsOfModels =
  /(\.(safetensors|bin|pt|pth|h5|msgpack|onnx)|(^|\/)(tokenizer\.json|vocab\.txt))$/i;

export interface ModelFolder {
  /** Empty for files that came without a folder. */
  readonly name: string;
  /** By their path inside the folder. */
  readonly files: ReadonlyMap<string, File>;
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The folder with the topmost `config.json` that has weights or a vocabulary beside it, which marks what
 *  comes from Hugging Face; null when there is none. Files dropped without a folder keep their names; the
 *  two different `config.json` of a sentence-transformers model can only come in a folder. */
export function modelFolder(files: readonly PathFile[]): ModelFolder | null {
  const roots = files
    .filter(({ path }) => nameOf(path) === 'config.json')
    .map(({ path }) => folderOf(path))
    .sort((a, b) => a.length - b.length);
  const hasParts = (root: string): boolean =>
    files.some(({ path }) => folderOf(path) === root && kPartsOfModels.test(path));
  const root = roots.find(hasParts);
  return root === undefined ? null : filesIn(files, root);
}

/** All files below `root`, which ends in a slash or is empty. */
export function filesIn(files: readonly PathFile[], root: string): ModelFolder {
  const inside = files.filter(({ path }) => path.startsWith(root));
  return {
    name: nameOf(root.slice(0, -1)),
    files: new Map(inside.map(({ path, file }) => [path.slice(root.length), file] as const)),
  };
}
