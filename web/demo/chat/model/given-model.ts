// Finds the language model among given files: one file, the parts of a split GGUF model, or a Hugging Face folder.

import { type FileSource, fileSource } from '../../shared/files/file-source.ts';
import type { PathFile } from '../../shared/files/given-files.ts';
import { filesIn, modelFolder, partEnding } from '../../shared/files/model-files.ts';

interface GivenModel {
  readonly from: FileSource;
  /** The size of all its files. */
  readonly bytes: number;
}

/** Undefined for no file, and for several files that are no model together. */
export function givenModel(
  files: readonly PathFile[],
  extensions: readonly string[],
): GivenModel | undefined {
  const [first] = files;
  if (first && files.length === 1) {
    return { from: fileSource(first.file, extensions), bytes: first.file.size };
  }
  const parts = files.filter(({ path }) => partEnding.test(path));
  const isSplit = first !== undefined && parts.length === files.length;
  const name = isSplit ? first.file.name.replace(partEnding, '') : '';
  const found = isSplit ? filesIn(parts, '') : modelFolder(files);
  if (!found) {
    return undefined;
  }
  const bytes = [...found.files.values()].reduce((sum, file) => sum + file.size, 0);
  const from = { source: found.files, name: name || found.name || 'model', builtIn: false };
  return { from, bytes };
}
