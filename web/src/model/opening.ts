// What a file opens as by its first bytes. The core decides it: the rows are core/formats/opening_rows.h, and this file
// only compares them with the bytes, as core/opening does. Of one kind of file it knows nothing: classifier-mark.ts.
import type { ByteSource } from '../sources/base/byte-source.ts';
import { openings } from '../wasm/tables.ts';
import { beginsAsClassifier } from './classifier-mark.ts';
import type { RunKind } from './kind.ts';

type Row = (typeof openings)[number];

/** The code that runs an encoder, by the name of its worker. */
export type EncoderCode = Exclude<Row['code'], ''>;

/** How a file opens. */
export interface Opening {
  /** Undefined if only the conversion finds out. */
  readonly kind: RunKind | undefined;
  /** Whether the file is converted first. */
  readonly converts: boolean;
  /** The smallest code that runs the file, if it is an encoder. */
  readonly code?: EncoderCode;
  /** The file is a classifier that was trained on examples: only the caller can open it, with an encoder. */
  readonly needsEncoder?: true;
}

/** How many first bytes tell how a file opens. */
export const headBytes = 1024;

/** The first bytes of a file. */
export function headOf(source: ByteSource): Promise<Uint8Array> {
  return source.read(0, Math.min(source.size ?? headBytes, headBytes));
}

/** Undefined when the first bytes do not tell it, as those of word vectors in text and of networks for pictures. `wanted` is
 *  the kind that the caller asks for. A text classifier is a model of fastText, or an encoder with a classification head. */
export function openingOf(head: Uint8Array, wanted?: RunKind): Opening | undefined {
  const text = String.fromCharCode(...head.subarray(0, headBytes));
  if (beginsAsClassifier(text)) {
    return { kind: undefined, converts: true, needsEncoder: true };
  }
  const row = openings.find(({ marks }) => marks.every((mark) => fits(mark, text)));
  if (!row) {
    return undefined;
  }
  const { kind, converts, also, code } = row;
  const mayHaveHead = wanted === 'textClassifier' && (kind === 'encoder' || kind === null);
  if (mayHaveHead) {
    return { kind: 'encoder', converts, ...(code && { code }) };
  }
  if (wanted === undefined || wanted === kind) {
    return { kind: kind ?? undefined, converts, ...(code && { code }) };
  }
  // A language model that makes embeddings is an encoder, and the worker of generators runs it.
  if (wanted === 'encoder' && kind === 'generator') {
    return { kind, converts: false };
  }
  return { kind: wanted, converts: converts || also === wanted };
}

function fits({ at, isThere, bytes }: Row['marks'][number], head: string): boolean {
  const isAt = (one: string) => (at === null ? head.includes(one) : head.startsWith(one, at));
  return bytes.some(isAt) === isThere;
}

/** Whether a static encoder begins like this. */
export function isStaticEncoder(head: Uint8Array): boolean {
  const code = openingOf(head)?.code;
  return code === 'static' || code === 'static-small';
}
