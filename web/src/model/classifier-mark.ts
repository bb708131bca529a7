// How the file of a trained classifier is told from other safetensors files. It has no magic of its own, so that other
// programs read it, and no worker runs it, so that the core knows nothing of it.
import type { FileInfo } from './file-info.ts';

/** What `__metadata__.format` of such a file says. */
export const classifierMark = 'ambry-classifier';

export const isTrainedClassifier = ({ format, metadata }: FileInfo): boolean =>
  format === 'safetensors' && metadata['format'] === classifierMark;

/** `head` are the first bytes of a file, as a text. The mark is the first entry of the file. */
export const beginsAsClassifier = (head: string): boolean =>
  /^.{8}\s*\{\s*"__metadata__"\s*:\s*\{\s*"format"\s*:\s*"ambry-classifier"/s.test(head);
