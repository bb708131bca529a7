// Decides what the given files are: a model, a model folder, an index, or documents.

import { hasExtension } from '../../shared/files/file-extension.ts';
import { documentTypes, indexExtension, modelExtension } from '../../shared/files/file-types.ts';
import type { PathFile } from '../../shared/files/given-files.ts';
import { type ModelFolder, modelFolder } from '../../shared/files/model-files.ts';
import { recognize } from '../../shared/recognize/recognize.ts';

export type IdentifiedFiles =
  | { readonly kind: 'model'; readonly file: PathFile }
  | ({ readonly kind: 'directory' } & ModelFolder)
  | { readonly kind: 'index'; readonly file: PathFile }
  | {
      readonly kind: 'documents';
      readonly files: readonly PathFile[];
      /** Paths of the other files in the folder. */
      readonly skipped: readonly string[];
    }
  | { readonly kind: 'mixed'; readonly message: string };

/** `text` and `binary` are files that the page does not open: only their readers say why. */
type FileKind = 'model' | 'index' | 'document' | 'text' | 'binary';

async function kindOf(file: File): Promise<FileKind> {
  if (documentTypes.some((type) => hasExtension(file.name, type))) {
    return 'document';
  }
  const { kind } = await recognize(file);
  if (kind === 'index' || hasExtension(file.name, indexExtension)) {
    return 'index';
  }
  if (kind === 'model' || hasExtension(file.name, modelExtension)) {
    return 'model';
  }
  if (kind === 'text' || kind === 'document' || kind === 'questions') {
    // Without a file extension it is taken for plain text.
    return /\.[^.]+$/.test(file.name) ? 'text' : 'document';
  }
  return 'binary';
}

/** Documents of other programs. Their reader says what they can be saved as. */
const officeTypes =
  '.doc .docm .odt .ott .rtf .pages .xls .xlsx .xlsm .ods .numbers .ppt .pptx .odp .key .epub'.split(
    ' ',
  );

/** A file of an unknown kind goes to the reader with the better error message: text to the reader of documents, and a
 *  binary file to the reader of models. */
function identifyOne(file: PathFile, kind: FileKind): IdentifiedFiles {
  const isOffice = kind === 'binary' && officeTypes.some((type) => hasExtension(file.path, type));
  if (kind === 'document' || kind === 'text' || isOffice) {
    return { kind: 'documents', files: [file], skipped: [] };
  }
  return { kind: kind === 'index' ? 'index' : 'model', file };
}

export async function identifyFiles(files: readonly PathFile[]): Promise<IdentifiedFiles> {
  const folder = modelFolder(files);
  if (folder !== null) {
    return { kind: 'directory', ...folder, name: folder.name || 'converted model' };
  }
  const kinds = await Promise.all(files.map(({ file }) => kindOf(file)));
  const [first] = files;
  if (files.length === 1 && first !== undefined) {
    return identifyOne(first, kinds[0] ?? 'binary');
  }
  const special = files.find((_, at) => kinds[at] === 'model' || kinds[at] === 'index');
  const documents = files.filter((_, at) => kinds[at] === 'document');
  if (special !== undefined || documents.length === 0) {
    const odd = special?.path ?? first?.path ?? '';
    const message = `${odd} is not a document. Add documents without other files, and one model or one index at a time.`;
    return { kind: 'mixed', message };
  }
  const skipped = files.filter((file) => !documents.includes(file)).map(({ path }) => path);
  return { kind: 'documents', files: documents, skipped };
}
