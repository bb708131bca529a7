// Which worker looks at a file first, before its bytes are known.
import type { WireSource } from '../sources/base/wire.ts';
import type { RunKind } from './kind.ts';

/** How fastText names its models. */
const fastTextName = /\.(ftz|bin)$/i;

/** The worker that looks at the file first. A text classifier is a model of fastText, or an encoder with a classification
 *  head: the name tells the likely one, and each worker hands over what is for the other. */
export function firstToAsk(wanted: RunKind | undefined, source: WireSource): RunKind | undefined {
  return wanted === 'textClassifier' && !fastTextName.test(nameOf(source)) ? 'encoder' : wanted;
}

function nameOf(source: WireSource): string {
  switch (source.kind) {
    case 'url':
      return source.url.replace(/[?#].*$/, '');
    case 'path':
      return source.path;
    case 'blob':
      return source.blob instanceof File ? source.blob.name : '';
    default:
      return '';
  }
}
