// Writes the file of a classifier.
import { classifierMark } from '../../model/classifier-mark.ts';
import type { FileInfo, TensorInfo } from '../../model/file-info.ts';
import { biasName, type ClassifierFacts, fileVersion, weightName } from './file-facts.ts';
import type { Weights } from './logits.ts';

export interface ClassifierFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What `inspect` says of the file. */
  readonly info: FileInfo;
}

/** Numbers in the file begin at a multiple of this many bytes. */
const alignment = 8;
const lengthBytes = 8;

export function classifierFile(facts: ClassifierFacts, weights: Weights): ClassifierFile {
  const { weight, bias, dim } = weights;
  const metadata = metadataOf(facts);
  const shapes = { [weightName]: [bias.length, dim], [biasName]: [bias.length] };
  const ends = [0, weight.length * 4, (weight.length + bias.length) * 4] as const;
  const header = {
    __metadata__: metadata,
    [weightName]: entryOf(shapes[weightName], ends[0], ends[1]),
    [biasName]: entryOf(shapes[biasName], ends[1], ends[2]),
  };
  const text = new TextEncoder().encode(JSON.stringify(header));
  const headerBytes = Math.ceil(text.length / alignment) * alignment;
  const begin = lengthBytes + headerBytes;
  const bytes = new Uint8Array(begin + ends[2]);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, BigInt(headerBytes), true);
  bytes.fill(0x20, lengthBytes, begin);
  bytes.set(text, lengthBytes);
  [...weight, ...bias].forEach((number, i) => {
    view.setFloat32(begin + 4 * i, number, true);
  });
  const tensors = [
    tensorOf(weightName, shapes[weightName], begin, ends[1]),
    tensorOf(biasName, shapes[biasName], begin + ends[1], ends[2] - ends[1]),
  ];
  return { bytes, info: infoOf(metadata, tensors, bytes.length) };
}

/** All values are texts, as safetensors wants them. The mark comes first, so that a reader of the first bytes finds it. */
function metadataOf(facts: ClassifierFacts): Record<string, string> {
  const { labels, encoder, prompt, examples, l2, balanced, heldOut } = facts;
  return {
    format: classifierMark,
    version: fileVersion,
    labels: JSON.stringify(labels),
    encoder: JSON.stringify(encoder),
    ...(prompt !== undefined && { prompt }),
    training: JSON.stringify({ examples, l2, balanced, heldOut }),
  };
}

function entryOf(shape: readonly number[] | undefined, begin: number, end: number) {
  return { dtype: 'F32', shape, data_offsets: [begin, end] };
}

function tensorOf(
  name: string,
  shape: readonly number[] | undefined,
  offset: number,
  bytes: number,
): TensorInfo {
  return { name, dtype: 'f32', shape: shape ?? [], offset, bytes };
}

function infoOf(
  metadata: Readonly<Record<string, string>>,
  tensors: readonly TensorInfo[],
  bytes: number,
): FileInfo {
  const rest = { config: null, tokenizer: null, tensors };
  return { format: 'safetensors', version: '', bytes, metadata, ...rest };
}
