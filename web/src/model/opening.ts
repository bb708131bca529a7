// How a file opens: as it is, or after a conversion. Nothing else decides it. Pages fetch this file when no worker has
// opened the file at once.
import type { WorkerName } from '../platform/platform.ts';
import { type FormatId, kindBytes } from '../wasm/tables.ts';
import { encoderWorker } from './encoder-code.ts';
import { headBytes, kindOf, type RunKind, workerKind } from './kind.ts';

/** The format of each kind to which sources of other formats are converted. Nothing becomes a classifier of texts. */
export const convertedFormats: Readonly<Partial<Record<RunKind, FormatId>>> = {
  encoder: 'embd',
  words: 'finalfusion',
  classifier: 'tinyruntime',
  generator: 'amb',
};

/** How a file opens. */
export interface Opening {
  /** Undefined if only the conversion finds out. */
  readonly kind: RunKind | undefined;
  /** Whether the file is converted first, to `convertedFormats[kind]`. */
  readonly converts: boolean;
  /** The worker for this file, if it is not the usual one of its kind. */
  readonly worker?: WorkerName;
}

/** Undefined when the first bytes do not tell it, as those of word vectors in text. `wanted` is the kind that the caller
 *  asks for. */
export function openingOf(head: Uint8Array, wanted?: RunKind): Opening | undefined {
  if (isEncoderGguf(head)) {
    return { kind: wanted ?? 'encoder', converts: true };
  }
  const kind = kindOf(head);
  // A fastText classifier has word vectors, too. They are opened when they are asked for.
  const hasWords = kind === 'textClassifier' && wanted === 'words';
  const other = otherKindOf(head) ?? (hasWords ? wanted : undefined);
  if (other) {
    return { kind: wanted ?? other, converts: true };
  }
  if (kind) {
    const opens = workerKind(head, wanted) ?? kind;
    const worker = opens === 'encoder' ? encoderWorker(head) : undefined;
    return { kind: opens, converts: false, ...(worker && { worker }) };
  }
  return isSafetensors(head) || isPyTorch(head) ? { kind: wanted, converts: true } : undefined;
}

/** The kind of a file that has the magic of a format that runs, but holds something else. */
function otherKindOf(head: Uint8Array): RunKind | undefined {
  const text = latin1(head);
  return kindBytes.find(
    ({ magic, offset, value }) =>
      text.startsWith(magic) && offset < head.length && head[offset] !== value,
  )?.otherwise;
}

const latin1 = (bytes: Uint8Array) =>
  new TextDecoder('latin1').decode(bytes.subarray(0, headBytes));

/** Those of `core/formats/gguf/names/encoder_names.cpp`. */
const ggufEncoders = ['bert', 'nomic-bert', 'modern-bert', 't5encoder'];

/** An encoder: among the first metadata of GGUF files is `general.architecture`, a string. */
function isEncoderGguf(head: Uint8Array): boolean {
  const key = 'general.architecture\u0008\u0000\u0000\u0000';
  const text = latin1(head);
  const states = (name: string) =>
    text.includes(`${key}${String.fromCharCode(name.length)}${'\0'.repeat(7)}${name}`);
  return text.startsWith('GGUF') && ggufEncoders.some(states);
}

/** The length of the header in eight bytes, and the header as JSON. */
function isSafetensors(head: Uint8Array): boolean {
  return head[7] === 0 && head[6] === 0 && head[8] === '{'.charCodeAt(0);
}

/** An archive or a stream of `torch.save`. */
function isPyTorch(head: Uint8Array): boolean {
  const text = latin1(head);
  return ['PK\u0003\u0004', '\u0080\u0002\u008a\u000al\u00fc'].some((magic) =>
    text.startsWith(magic),
  );
}
