// Decides what somebody dropped: a model, a model's folder, an index, or documents.

import type { PathFile } from '../shared/given-files.ts';
import { type ModelFolder, modelFolder } from '../shared/model-files.ts';

export type Drop =
  | { readonly kind: 'model'; readonly file: PathFile }
  | ({ readonly kind: 'directory' } & ModelFolder)
  | { readonly kind: 'index'; readonly file: PathFile }
  | {
      readonly kind: 'documents';
      readonly files: readonly PathFile[];
      /** Paths of files in the same folder that are no documents. */
      readonly leftOut: readonly string[];
    }
  | { readonly kind: 'mixture'; readonly message: string };

/** `text` and `binary` are files of no known kind. */
type FileKind = 'model' | 'index' | 'document' | 'text' | 'binary';

const kDocumentNames = /\.(txt|text|md|markdown|html?|[ct]sv|jsonl?|ndjson|pdf)$/i;
const kSniffedBytes = 4096;

function startsWith(bytes: Uint8Array, ascii: string): boolean {
  return (
    bytes.length >= ascii.length && [...ascii].every((char, at) => bytes[at] === char.charCodeAt(0))
  );
}

async function kindOf(file: File): Promise<FileKind> {
  if (kDocumentNames.test(file.name)) {
    return 'document';
  }
  const head = new Uint8Array(await file.slice(0, kSniffedBytes).arrayBuffer());
  if (startsWith(head, 'AMBRYIDX') || /\.ambryindex$/i.test(file.name)) {
    return 'index';
  }
  if (startsWith(head, 'EMBD') || /\.weights$/i.test(file.name)) {
    return 'model';
  }
  // Text has no zero bytes, and a text without a type in its name is a plain one.
  return head.includes(0) ? 'binary' : /\.[^.]+$/.test(file.name) ? 'text' : 'document';
}

/** One file is taken for what it is. One of no known kind goes to the reader that names what it sees: text
 *  to the documents', anything else to the models'. */
function sortOne(file: PathFile, kind: FileKind): Drop {
  if (kind === 'document' || kind === 'text') {
    return { kind: 'documents', files: [file], leftOut: [] };
  }
  return { kind: kind === 'index' ? 'index' : 'model', file };
}

export async function sortFiles(files: readonly PathFile[]): Promise<Drop> {
  const folder = modelFolder(files);
  if (folder !== null) {
    return { kind: 'directory', ...folder, name: folder.name || 'converted model' };
  }
  const kinds = await Promise.all(files.map(({ file }) => kindOf(file)));
  const [first] = files;
  if (files.length === 1 && first !== undefined) {
    return sortOne(first, kinds[0] ?? 'binary');
  }
  const special = files.find((_, at) => kinds[at] === 'model' || kinds[at] === 'index');
  const documents = files.filter((_, at) => kinds[at] === 'document');
  if (special !== undefined || documents.length === 0) {
    const odd = special?.path ?? first?.path ?? '';
    const message = `${odd} is not a document. Drop documents by themselves, and one model or one index at a time.`;
    return { kind: 'mixture', message };
  }
  const leftOut = files.filter((file) => !documents.includes(file)).map(({ path }) => path);
  return { kind: 'documents', files: documents, leftOut };
}
