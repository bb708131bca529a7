// Finds the files of a Hugging Face model among the given files.

import type { PathFile } from './given-files.ts';

const modelPart =
  /(\.(safetensors|bin|pt|pth|h5|msgpack|onnx)|(^|\/)(tokenizer\.json|vocab\.txt))$/i;

/** How the parts of a split GGUF model end their names. */
export const partEnding = /-\d{5}-of-\d{5}\.gguf$/i;

export interface ModelFolder {
  /** Empty for files without a folder. */
  readonly name: string;
  /** By their path inside the folder. */
  readonly files: ReadonlyMap<string, File>;
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The topmost folder that has a `modules.json`, or a `config.json` beside weights, a vocabulary or the folder `onnx/`; null
 *  where there is none. A model of sentence-transformers has two files called `config.json`, so it must come as a folder. */
export function modelFolder(files: readonly PathFile[]): ModelFolder | null {
  const roots = files
    .filter(({ path }) => /^(config|modules)\.json$/.test(nameOf(path)))
    .map(({ path }) => folderOf(path))
    .sort((a, b) => a.length - b.length);
  const isModel = (root: string): boolean =>
    files.some(
      ({ path }) =>
        path === `${root}modules.json` ||
        ([root, `${root}onnx/`].includes(folderOf(path)) && modelPart.test(path)),
    );
  const root = roots.find(isModel);
  return root === undefined ? null : filesIn(files, root);
}

/** All files below `root`. It ends with a slash or is empty. */
export function filesIn(files: readonly PathFile[], root: string): ModelFolder {
  const inside = files.filter(({ path }) => path.startsWith(root));
  return {
    name: nameOf(root.slice(0, -1)),
    files: new Map(inside.map(({ path, file }) => [path.slice(root.length), file] as const)),
  };
}
