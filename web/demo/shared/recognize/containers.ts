// Files that are told by what their first bytes contain: ZIP archives, Protocol Buffers, and the headers of weights.

import { known, type Recognized } from './kinds.ts';

const needsWeights = 'Ambry reads the same model from its model.safetensors, if it has one.';

/** By the name of an archive's first member, which is among its first bytes. */
export function byZip(head: string): Recognized | undefined {
  if (!head.startsWith('PK\x03\x04')) {
    return undefined;
  }
  const length = head.charCodeAt(26) + 256 * head.charCodeAt(27);
  const first = head.slice(30, 30 + length);
  if (/\/code\/__torch__|\/constants\.pkl$/.test(first)) {
    return known('foreign', 'a TorchScript program', needsWeights);
  }
  if (/^[^/]+\/(data\.pkl|\.format_version|\.data\/|byteorder|version)/.test(first)) {
    return known('weights', 'a PyTorch checkpoint');
  }
  if (first.endsWith('.npy')) {
    return known('foreign', 'a NumPy archive', 'Save the model as safetensors.');
  }
  if (first === 'metadata.json' && head.includes('keras')) {
    return known('foreign', 'a Keras model', needsWeights);
  }
  if (first === 'mimetype' || first === '[Content_Types].xml' || first.startsWith('_rels/')) {
    return known('foreign', 'an Office document or e-book', 'Save it as text, HTML or PDF first.');
  }
  return known('foreign', 'a ZIP archive', 'Unpack it, and choose the file that is inside.');
}

/** ONNX, Core ML and TensorFlow: field 1 is a version, and then comes a field with a length. A name of a program follows in
 *  ONNX, and a message in Core ML. */
export function byProtocolBuffer(bytes: Uint8Array, name: string): Recognized | undefined {
  const [first = 0, version = 0, second = 0] = bytes;
  const isMessage = first === 0x08 && version >= 1 && version <= 16;
  if (!isMessage || ![0x12, 0x3a, 0x42].includes(second)) {
    return undefined;
  }
  // A length takes one or two bytes here.
  const inside = (bytes[3] ?? 0) < 0x80 ? bytes[4] : bytes[5];
  if (/\.mlmodel$/i.test(name) || (second === 0x12 && inside === 0x0a)) {
    return known('foreign', 'a Core ML model', needsWeights);
  }
  return /\.pb$/i.test(name)
    ? known('foreign', 'a TensorFlow model', needsWeights)
    : known('weights', 'an ONNX model');
}

/** A tokenizer of SentencePiece: a piece (field 1) starts with its text (field 1), and a score (field 2) may follow. */
export function bySentencePiece(bytes: Uint8Array): Recognized | undefined {
  const [tag = 0, piece = 0, textTag = 0, text = 0] = bytes;
  const isPiece = tag === 0x0a && piece < 0x80 && textTag === 0x0a && text + 2 <= piece;
  return isPiece && (text + 2 === piece || bytes[4 + text] === 0x15)
    ? known('foreign', 'a tokenizer (SentencePiece)', 'Choose the file with the weights.')
    : undefined;
}

/** The length of the header in 8 bytes, and the header as JSON. */
export function bySafetensors(bytes: Uint8Array): Recognized | undefined {
  return bytes[8] === 0x7b && bytes[6] === 0 && bytes[7] === 0
    ? known('weights', 'a safetensors file')
    : undefined;
}

/** A download that was cut off often leaves zeros. */
export function byZeros(bytes: Uint8Array): Recognized | undefined {
  return bytes.length >= 8 && bytes.every((byte) => byte === 0)
    ? known('foreign', 'a file of zeros only', 'Its download was cut off, perhaps. Get it again.')
    : undefined;
}
