// The small model with a head that labels tokens, as a Hugging Face directory.

import { pytorchFile, tensorsIn } from '../files/pytorch-file.ts';
import { modelDirectory, safetensors } from '../fixtures.ts';

const width = 32;

export const nameLabels = ['O', 'B-PER', 'I-PER', 'B-LOC', 'I-LOC'] as const;

export interface TaggerSettings {
  readonly labels?: readonly string[];
  /** More members of config.json. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Rows of the classifier, if there are not as many as labels. */
  readonly rows?: number;
  /** The classifier's bias. By default the first label is as frequent as the others. */
  readonly bias?: readonly number[];
}

export function taggerDirectory({
  labels = nameLabels,
  config = {},
  rows = labels.length,
  bias = Array.from({ length: rows }, (_, row) => (row === 0 ? 1.2 : 0)),
}: TaggerSettings = {}): Map<string, Uint8Array<ArrayBuffer>> {
  const files = modelDirectory();
  const encoder = tensorsIn(files.get('model.safetensors') as Uint8Array);
  const head = tensorsIn(
    safetensors(
      [
        ['classifier.weight', [rows, width]],
        ['classifier.bias', [rows]],
      ],
      11,
    ),
  ).map((tensor) =>
    tensor.name === 'classifier.bias'
      ? { ...tensor, data: new Uint8Array(Float32Array.from(bias).buffer) }
      : tensor,
  );
  const own = JSON.parse(new TextDecoder().decode(files.get('config.json'))) as object;
  const architectures = ['BertForTokenClassification'];
  const id2label = Object.fromEntries(labels.map((label, i) => [String(i), label]));
  const text = JSON.stringify({ ...own, architectures, id2label, ...config });
  files.set('config.json', new TextEncoder().encode(text));
  for (const name of ['1_Pooling/config.json', 'sentence_bert_config.json', 'model.safetensors']) {
    files.delete(name);
  }
  files.set('pytorch_model.bin', pytorchFile([...encoder, ...head]));
  return files;
}
