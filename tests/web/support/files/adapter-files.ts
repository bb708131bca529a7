// LoRA adapters with made-up matrices, and directories into which the same matrices are merged in float64.

import type { Files } from '../directories/model-directories.ts';
import { withHeader } from '../fixtures.ts';
import type { MadeTensor } from '../models/made-weights.ts';
import { madeWeights } from '../models/made-weights.ts';
import { tensorsIn } from './pytorch-file.ts';

/** A weight [rows, columns] of the base, by the name of its module in the base's file. */
export interface Changed {
  readonly module: string;
  readonly rows: number;
  readonly columns: number;
}

const rank = 3;
const scale = 6 / rank;
const encode = (text: string) => new TextEncoder().encode(text);

function matricesOf({ module, rows, columns }: Changed): MadeTensor[] {
  const name = `base_model.model.${module}`;
  return [
    [`${name}.lora_A.weight`, [rank, columns], 0.4, 0],
    [`${name}.lora_B.weight`, [rows, rank], 0.4, 0],
  ];
}

/** An adapter as PEFT saves it. */
export function peftAdapter(
  changed: readonly Changed[],
  settings: object = {},
): Map<string, Uint8Array<ArrayBuffer>> {
  const config = { peft_type: 'LORA', r: rank, lora_alpha: rank * scale, ...settings };
  return new Map([
    ['adapter_config.json', encode(JSON.stringify(config))],
    ['adapter_model.safetensors', madeWeights(changed.flatMap(matricesOf))],
    ['README.md', encode('An adapter.')],
  ]);
}

/** The directory with the products of these adapters added to its weights, each with its weight. */
export function mergedDirectory(
  base: Files,
  changed: readonly Changed[],
  weight = 1,
): Map<string, Uint8Array<ArrayBuffer>> {
  const file = base.get('model.safetensors') as Uint8Array<ArrayBuffer>;
  const header: Parameters<typeof withHeader>[0] = {};
  const parts: Uint8Array[] = [];
  let size = 0;
  for (const { name, shape, data } of tensorsIn(file)) {
    const own = changed.find(({ module }) => name === `${module}.weight`);
    const bytes = own ? added(data, own, weight) : data;
    header[name] = { dtype: 'F32', shape, data_offsets: [size, size + bytes.length] };
    parts.push(bytes);
    size += bytes.length;
  }
  const weights = withHeader(header, new Uint8Array(Buffer.concat(parts)));
  return new Map([...base, ['model.safetensors', weights]]);
}

function added(data: Uint8Array, own: Changed, weight: number): Uint8Array {
  const values = floatsOf(data);
  const [a, b] = tensorsIn(madeWeights(matricesOf(own))).map((tensor) => floatsOf(tensor.data));
  for (let i = 0; i < own.rows; i++) {
    for (let j = 0; j < own.columns; j++) {
      let sum = 0;
      for (let k = 0; k < rank; k++) {
        sum += scale * weight * Number(b?.[i * rank + k]) * Number(a?.[k * own.columns + j]);
      }
      values[i * own.columns + j] = Number(values[i * own.columns + j]) + sum;
    }
  }
  return new Uint8Array(values.buffer);
}

const floatsOf = (bytes: Uint8Array) => new Float32Array(new Uint8Array(bytes).buffer);
