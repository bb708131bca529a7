// What a file opens as. Nothing else decides it.
import { type FormatId, type ModelKind, modelMagics } from '../wasm/tables.ts';

export type { ModelKind };

/** How many first bytes `openingOf` looks at. */
export const headBytes = 96;

/** The format of each kind to which sources of other formats are converted. */
export const convertedFormats: Readonly<Record<ModelKind, FormatId>> = {
  encoder: 'embd',
  words: 'finalfusion',
  classifier: 'tinyruntime',
  generator: 'amb',
};

/** How a file opens. */
export interface Opening {
  /** Undefined if only the conversion finds out. */
  readonly kind: ModelKind | undefined;
  /** Whether the file is converted first, to `convertedFormats[kind]`. */
  readonly converts: boolean;
}

/** The kind of a file that runs as it is. Undefined when no format begins like this. The file may still be a
 *  tinyRuntime network, which has no magic. */
export function kindOf(head: Uint8Array): ModelKind | undefined {
  const text = latin1(head);
  return modelMagics.find(([magic]) => text.startsWith(magic))?.[1];
}

/** Undefined when the first bytes do not tell it, as those of word vectors in text. `wanted` is the kind that the caller
 *  asks for. */
export function openingOf(head: Uint8Array, wanted?: ModelKind): Opening | undefined {
  const kind = isBertGguf(head) ? undefined : kindOf(head);
  if (kind) return { kind: wanted ?? kind, converts: false };
  const converted = convertedKindOf(head, wanted);
  return converted && { kind: wanted ?? converted.kind, converts: true };
}

function convertedKindOf(
  head: Uint8Array,
  wanted: ModelKind | undefined,
): Pick<Opening, 'kind'> | undefined {
  if (isBertGguf(head)) return { kind: 'encoder' };
  if (isFastText(head)) {
    // A supervised model classifies texts. Its word vectors are opened when they are asked for.
    return wanted === 'words' || !isSupervised(head) ? { kind: 'words' } : undefined;
  }
  return isSafetensors(head) || isPyTorch(head) ? { kind: undefined } : undefined;
}

const latin1 = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes);

/** The number of 32 bits at `offset`, if it is there. */
function u32(head: Uint8Array, offset: number): number | undefined {
  if (head.byteLength < offset + 4) return undefined;
  return new DataView(head.buffer, head.byteOffset).getUint32(offset, true);
}

/** A BERT encoder: the first metadata of GGUF files is `general.architecture`, a string. */
function isBertGguf(head: Uint8Array): boolean {
  const architecture = 'general.architecture\u0008\u0000\u0000\u0000';
  const text = latin1(head);
  return (
    text.startsWith('GGUF') &&
    text.slice(32).startsWith(`${architecture}\u0004${'\0'.repeat(7)}bert`)
  );
}

const fastTextMagic = 793712314;
const supervised = 3;

const isFastText = (head: Uint8Array) => u32(head, 0) === fastTextMagic;
/** `args.model` is the eighth number after the magic and the version. */
const isSupervised = (head: Uint8Array) => u32(head, 36) === supervised;

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
