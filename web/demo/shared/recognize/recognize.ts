// Tells what a given file is by its first bytes and its name. All pages use this, so that the same file is called the same
// everywhere. Load it when there is a file: it is not needed for a page's first view.

import { openingOf } from 'ambry/tables';
import { byBeginning } from './beginnings.ts';
import { byProtocolBuffer, bySafetensors, bySentencePiece, byZeros, byZip } from './containers.ts';
import { known, modelName, type Recognized } from './kinds.ts';
import { byText } from './texts.ts';

/** This much of a file is read. */
export const headBytes = 4096;

/** A GGUF file holds a language model or a sentence encoder. Only the package's reader tells which. */
const ambiguous = 'GGUF';

function byMagic(bytes: Uint8Array, head: string): Recognized | undefined {
  if (head.startsWith(ambiguous)) {
    return known('model', 'a GGUF model');
  }
  const opening = openingOf(bytes);
  if (opening?.needsEncoder) {
    const name = 'a text classifier that was trained on examples';
    return { ...known('model', name), model: 'textClassifier', learned: true };
  }
  const model = opening?.kind;
  return model && { ...known('model', modelName(model)), model };
}

export function recognizeHead(bytes: Uint8Array, name: string): Recognized {
  if (bytes.length === 0) {
    return known('empty', 'an empty file', 'Its download failed, perhaps. Get it again.');
  }
  const head = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return (
    byMagic(bytes, head) ??
    bySafetensors(bytes) ??
    byZip(head) ??
    byBeginning(head) ??
    byZeros(bytes) ??
    byProtocolBuffer(bytes, name) ??
    bySentencePiece(bytes) ??
    byText(bytes, head, name)
  );
}

/** Rejects if the file can no longer be read. */
export async function recognize(file: File): Promise<Recognized> {
  const bytes = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
  return recognizeHead(bytes, file.name);
}
