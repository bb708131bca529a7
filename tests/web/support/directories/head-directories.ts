// The small model with a classification head, as a Hugging Face directory: a reranker, or a text classifier.

import { pytorchFile, tensorsIn } from '../files/pytorch-file.ts';
import { modelDirectory, safetensors } from '../fixtures.ts';

const width = 32;

export interface HeadSettings {
  readonly labels?: readonly string[];
  /** More members of config.json. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Rows of the classifier, if there are not as many as labels. */
  readonly rows?: number;
  /** What takes the place of the classifier's bias. */
  readonly bias?: readonly number[];
}

type Files = Map<string, Uint8Array<ArrayBuffer>>;

/** The labels of natural language inference. */
export const nliLabels = ['contradiction', 'entailment', 'neutral'] as const;

export function headDirectory({
  labels = ['LABEL_0'],
  config = {},
  rows = labels.length,
  bias,
}: HeadSettings = {}): Files {
  const files = modelDirectory();
  const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
  const before = JSON.parse(
    new TextDecoder().decode(files.get('config.json') as Uint8Array),
  ) as object;
  const id2label = Object.fromEntries(labels.map((label, i) => [String(i), label]));
  const architectures = ['BertForSequenceClassification'];
  files.set('config.json', encode({ ...before, architectures, id2label, ...config }));
  files.delete('1_Pooling/config.json');
  const own = tensorsIn(files.get('model.safetensors') as Uint8Array);
  const head = headTensors(rows).map((tensor) =>
    tensor.name === 'classifier.bias' && bias
      ? { ...tensor, data: new Uint8Array(Float32Array.from(bias).buffer) }
      : tensor,
  );
  files.delete('model.safetensors');
  files.set('pytorch_model.bin', pytorchFile([...own, ...head]));
  return files;
}

function headTensors(rows: number) {
  return tensorsIn(
    safetensors(
      [
        ['bert.pooler.dense.weight', [width, width]],
        ['bert.pooler.dense.bias', [width]],
        ['classifier.weight', [rows, width]],
        ['classifier.bias', [rows]],
      ],
      7,
    ),
  );
}

/** The logits that the head makes of the first token's vector. */
export function logitsOf(first: Float32Array, rows: number): number[] {
  const values = (name: string) => {
    const data = headTensors(rows)
      .find((tensor) => tensor.name === name)
      ?.data.slice();
    return new Float32Array(data?.buffer ?? new ArrayBuffer(0));
  };
  const linear = (name: string, x: readonly number[]) => {
    const weight = values(`${name}.weight`);
    return Array.from(values(`${name}.bias`), (bias, row) =>
      x.reduce((sum, xi, i) => sum + xi * (weight[row * x.length + i] ?? 0), bias),
    );
  };
  const pooled = linear('bert.pooler.dense', [...first]).map(Math.tanh);
  return linear('classifier', pooled);
}
