// Dense modules of sentence-transformers, after the pooling of the small model.

import { pytorchFile, tensorsIn } from '../files/pytorch-file.ts';
import { safetensors } from '../fixtures.ts';
import type { Files } from './model-directories.ts';

const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

interface Dense {
  readonly inputs: number;
  readonly outputs: number;
  readonly bias: boolean;
  /** A class of `torch.nn`. */
  readonly activation: string;
  readonly apply: (x: number) => number;
}

/** From the small model's 32 numbers to 16, and from these to 8. */
export const denseModules: readonly Dense[] = [
  { inputs: 32, outputs: 16, bias: true, activation: 'activation.Tanh', apply: Math.tanh },
  { inputs: 16, outputs: 8, bias: false, activation: 'linear.Identity', apply: (x) => x },
];

function weightsOf({ inputs, outputs, bias }: Dense, seed: number): Uint8Array<ArrayBuffer> {
  const weight = ['linear.weight', [outputs, inputs]] as const;
  return safetensors(bias ? [weight, ['linear.bias', [outputs]]] : [weight], seed);
}

/** The directory with the modules after its pooling, and Normalize after them. */
export function withDense(files: Files, form: 'safetensors' | 'pytorch' = 'safetensors') {
  const made = new Map(files);
  const paths = ['', '1_Pooling', ...denseModules.map((_, i) => `${i + 2}_Dense`), '4_Normalize'];
  const list = paths.map((path, idx) => {
    const type = `sentence_transformers.models.${path.slice(2) || 'Transformer'}`;
    return { idx, name: String(idx), path, type };
  });
  made.set('modules.json', encode(list));
  denseModules.forEach((dense, i) => {
    const { inputs, outputs, bias, activation } = dense;
    const config = {
      in_features: inputs,
      out_features: outputs,
      bias,
      activation_function: `torch.nn.modules.${activation}`,
    };
    const weights = weightsOf(dense, i + 2);
    made.set(`${i + 2}_Dense/config.json`, encode(config));
    if (form === 'safetensors') {
      made.set(`${i + 2}_Dense/model.safetensors`, weights);
    } else {
      made.set(`${i + 2}_Dense/pytorch_model.bin`, pytorchFile(tensorsIn(weights)));
    }
  });
  return made;
}

/** What the modules make of a pooled vector, with length 1. */
export function denseVector(pooled: Float32Array): number[] {
  let vector = [...pooled];
  denseModules.forEach((dense, i) => {
    const tensors = tensorsIn(weightsOf(dense, i + 2));
    const values = (name: string) => {
      const data = tensors.find((tensor) => tensor.name === name)?.data.slice();
      return new Float32Array(data?.buffer ?? new ArrayBuffer(dense.outputs * 4));
    };
    const weight = values('linear.weight');
    vector = Array.from(values('linear.bias'), (bias, row) => {
      const sum = vector.reduce((s, x, j) => s + x * (weight[row * dense.inputs + j] ?? 0), bias);
      return dense.apply(sum);
    });
  });
  const length = Math.hypot(...vector);
  return vector.map((x) => x / length);
}
