// Decides what the given files are: a model, a model folder, an index, or documents.

import { hasExtension } from '../shared/file-extension.ts';
import type { PathFile } from '../shared/given-files.ts';
import { type ModelFolder, modelFolder } from '../shared/model-files.ts';
import {
  documentTypes,
  indexExtension,
  indexMagic,
  modelExtension,
  modelMagic,
} from './file-types.ts';

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

/** `text` and `binary` are files of an unknown kind. */
type FileKind = 'model' | 'index' | 'document' | 'text' | 'binary';

const headBytes = 4096;

/** Word vectors as text have no magic. Other models are told from documents by their bytes. */
const modelExtensions = [modelExtension, '.vec'];

function startsWith(bytes: Uint8Array, ascii: string): boolean {
  return (
    bytes.length >= ascii.length && [...ascii].every((char, at) => bytes[at] === char.charCodeAt(0))
  );
}

async function kindOf(file: File): Promise<FileKind> {
  if (documentTypes.some((type) => hasExtension(file.name, type))) {
    return 'document';
  }
  const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
  if (startsWith(head, indexMagic) || hasExtension(file.name, indexExtension)) {
    return 'index';
  }
  if (
    startsWith(head, modelMagic) ||
    modelExtensions.some((type) => hasExtension(file.name, type))
  ) {
    return 'model';
  }
  // Text has no zero bytes. Without a file extension it is taken for plain text.
  return head.includes(0) ? 'binary' : /\.[^.]+$/.test(file.name) ? 'text' : 'document';
}

/** A file of an unknown kind goes to the reader with the better error message: text to the reader of documents, and a
 *  binary file to the reader of models. */
function identifyOne(file: PathFile, kind: FileKind): IdentifiedFiles {
  if (kind === 'document' || kind === 'text') {
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
