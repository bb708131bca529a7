// Small models as libraries quantize them, each beside a directory of the floats that its codes stand for.

import { tensorsIn } from '../files/pytorch-file.ts';
import { withHeader } from '../fixtures.ts';
import { type Files, languageDirectory } from './model-directories.ts';

type Stored = readonly [
  ending: string,
  dtype: string,
  shape: readonly number[],
  data: ArrayBufferView,
];

interface Packed {
  readonly tensors: readonly Stored[];
  readonly values: Float32Array;
}

interface Form {
  readonly settings: object;
  pack(weights: Float32Array, rows: number, cols: number): Packed;
}

const group = 32;
const { fround } = Math;

/** The number with the precision of bfloat16, which f16 also holds where it is neither tiny nor huge. */
function coarse(value: number): number {
  const bits = new Uint32Array(Float32Array.of(value).buffer);
  bits[0] = (bits[0] ?? 0) & 0xffff0000;
  return new Float32Array(bits.buffer)[0] ?? 0;
}
const bitsOf = (value: number) => new Uint32Array(Float32Array.of(value).buffer)[0] ?? 0;
const bf16 = (values: readonly number[]) => Uint16Array.from(values, (v) => bitsOf(v) >>> 16);
const f16 = (values: readonly number[]) =>
  Uint16Array.from(values, (value) => {
    const bits = bitsOf(value);
    return (
      ((bits >>> 16) & 0x8000) | ((((bits >>> 23) & 255) - 112) << 10) | ((bits >>> 13) & 1023)
    );
  });

/** Calls back for each group of a row with its weights. */
function groups(weights: Float32Array, size: number): Float32Array[] {
  const made: Float32Array[] = [];
  for (let at = 0; at < weights.length; at += size) {
    made.push(weights.subarray(at, at + size));
  }
  return made;
}
const extreme = (numbers: Float32Array) => Math.max(...numbers.map(Math.abs));
const clamp = (value: number, most: number) => Math.min(Math.max(Math.round(value), 0), most);

/** Codes of 4 bits with one scale and zero point for each group. */
function coded(weights: Float32Array, zero: number) {
  const scales: number[] = [];
  const codes = new Uint8Array(weights.length);
  const values = new Float32Array(weights.length);
  for (const [g, numbers] of groups(weights, group).entries()) {
    const scale = coarse(extreme(numbers) / 7);
    scales.push(scale);
    numbers.forEach((weight, i) => {
      const code = clamp(weight / scale + zero, 15);
      codes[g * group + i] = code;
      values[g * group + i] = fround((code - zero) * scale);
    });
  }
  return { scales, codes, values };
}

function transposed<T extends Uint8Array | number[]>(
  from: T,
  rows: number,
  cols: number,
): number[] {
  return Array.from(
    { length: rows * cols },
    (_, i) => from[(i % rows) * cols + Math.floor(i / rows)] ?? 0,
  );
}

/** Words of 8 codes; `place(i)` says which code of the next 8 is i-th in the word. */
function words(codes: ArrayLike<number>, place: (i: number) => number = (i) => i): Int32Array {
  return Int32Array.from({ length: codes.length / 8 }, (_, word) =>
    Array.from({ length: 8 }, (_, i) => (codes[word * 8 + place(i)] ?? 0) << (4 * i)).reduce(
      (a, b) => a | b,
      0,
    ),
  );
}

const gptq: Form = {
  settings: {
    quantization_config: {
      quant_method: 'gptq',
      bits: 4,
      group_size: group,
      desc_act: false,
      sym: true,
    },
  },
  pack(weights, rows, cols) {
    const { scales, codes, values } = coded(weights, 8);
    const n = cols / group;
    // The 8 codes of a word are neighbors of a column of [in, out].
    const qweight = transposed([...words(codes)], rows, cols / 8);
    return {
      values,
      tensors: [
        ['qweight', 'I32', [cols / 8, rows], Int32Array.from(qweight)],
        ['qzeros', 'I32', [n, rows / 8], new Int32Array((n * rows) / 8).fill(0x77777777)],
        ['scales', 'F16', [n, rows], f16(transposed(scales, rows, n))],
        [
          'g_idx',
          'I32',
          [cols],
          Int32Array.from({ length: cols }, (_, i) => Math.floor(i / group)),
        ],
      ],
    };
  },
};

const awqOrder = [0, 2, 4, 6, 1, 3, 5, 7];
const awq: Form = {
  settings: {
    quantization_config: {
      quant_method: 'awq',
      bits: 4,
      group_size: group,
      version: 'gemm',
      zero_point: true,
    },
  },
  pack(weights, rows, cols) {
    const { scales, codes, values } = coded(weights, 7);
    const n = cols / group;
    return {
      values,
      tensors: [
        [
          'qweight',
          'I32',
          [cols, rows / 8],
          words(transposed(codes, rows, cols), (i) => awqOrder[i] ?? 0),
        ],
        ['qzeros', 'I32', [n, rows / 8], new Int32Array((n * rows) / 8).fill(0x77777777)],
        ['scales', 'F16', [n, rows], f16(transposed(scales, rows, n))],
      ],
    };
  },
};

const compressed: Form = {
  settings: {
    quantization_config: {
      quant_method: 'compressed-tensors',
      format: 'pack-quantized',
      config_groups: {
        group_0: {
          targets: ['Linear'],
          weights: {
            num_bits: 4,
            type: 'int',
            symmetric: true,
            strategy: 'group',
            group_size: group,
          },
        },
      },
    },
  },
  pack(weights, rows, cols) {
    const { scales, codes, values } = coded(weights, 8);
    return {
      values,
      tensors: [
        ['weight_packed', 'I32', [rows, cols / 8], words(codes)],
        ['weight_scale', 'BF16', [rows, cols / group], bf16(scales)],
        ['weight_shape', 'I64', [2], BigInt64Array.of(BigInt(rows), BigInt(cols))],
      ],
    };
  },
};

const mlx: Form = {
  settings: { quantization: { group_size: group, bits: 4 } },
  pack(weights, rows, cols) {
    const [scales, biases]: [number[], number[]] = [[], []];
    const codes = new Uint8Array(weights.length);
    const values = new Float32Array(weights.length);
    for (const [g, numbers] of groups(weights, group).entries()) {
      const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
      const [scale, bias] = [coarse((most - least) / 15), coarse(least)];
      scales.push(scale);
      biases.push(bias);
      numbers.forEach((weight, i) => {
        const code = clamp((weight - bias) / scale, 15);
        codes[g * group + i] = code;
        values[g * group + i] = fround(fround(code * scale) + bias);
      });
    }
    return {
      values,
      tensors: [
        ['weight', 'U32', [rows, cols / 8], words(codes)],
        ['scales', 'BF16', [rows, cols / group], bf16(scales)],
        ['biases', 'BF16', [rows, cols / group], bf16(biases)],
      ],
    };
  },
};

function nearest(table: readonly number[], value: number): number {
  let best = 0;
  table.forEach((number, code) => {
    if (Math.abs(number - value) < Math.abs((table[best] ?? 0) - value)) {
      best = code;
    }
  });
  return best;
}

/** The finite numbers of e4m3, by their codes; the last of each sign is not a number. */
const e4m3 = Array.from({ length: 256 }, (_, code) => {
  const [exponent, mantissa] = [(code >> 3) & 15, code & 7];
  const size = exponent === 0 ? mantissa / 512 : (1 + mantissa / 8) * 2 ** (exponent - 7);
  return (code & 127) === 127 ? Number.POSITIVE_INFINITY : code < 128 ? size : -size;
});

const fp8: Form = {
  settings: {
    quantization_config: { quant_method: 'fp8', fmt: 'e4m3', weight_block_size: [32, 64] },
  },
  pack(weights, rows, cols) {
    const scales = groups(weights, 32 * cols).map((block) => fround(extreme(block) / 448));
    const scaleOf = (i: number) => scales[Math.floor(i / (32 * cols))] ?? 1;
    const codes = Uint8Array.from(weights, (weight, i) => nearest(e4m3, weight / scaleOf(i)));
    return {
      values: Float32Array.from(codes, (code, i) => (e4m3[code] ?? 0) * scaleOf(i)),
      tensors: [
        ['weight', 'F8_E4M3', [rows, cols], codes],
        ['weight_scale_inv', 'F32', [rows / 32, cols / 64], Float32Array.from(scales)],
      ],
    };
  },
};

const nf4Numbers = [
  -1, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635,
  -0.18477343022823334, -0.09105003625154495, 0, 0.07958029955625534, 0.16093020141124725,
  0.24611230194568634, 0.33791524171829224, 0.44070982933044434, 0.5626170039176941,
  0.7229568362236023, 1,
];
const nf4: Form = {
  settings: { quantization_config: { quant_method: 'bitsandbytes', load_in_4bit: true } },
  pack(weights, rows, cols) {
    const scales = groups(weights, 64).map(extreme);
    const scaleOf = (i: number) => scales[Math.floor(i / 64)] ?? 1;
    const codes = Uint8Array.from(weights, (weight, i) => nearest(nf4Numbers, weight / scaleOf(i)));
    const packed = Uint8Array.from(
      { length: codes.length / 2 },
      (_, i) => ((codes[2 * i] ?? 0) << 4) | (codes[2 * i + 1] ?? 0),
    );
    const state = JSON.stringify({ quant_type: 'nf4', blocksize: 64, shape: [rows, cols] });
    return {
      values: Float32Array.from(codes, (code, i) => (nf4Numbers[code] ?? 0) * scaleOf(i)),
      tensors: [
        ['weight', 'U8', [packed.length, 1], packed],
        ['weight.absmax', 'F32', [scales.length], Float32Array.from(scales)],
        ['weight.quant_map', 'F32', [16], Float32Array.from(nf4Numbers)],
        [
          'weight.quant_state.bitsandbytes__nf4',
          'U8',
          [state.length],
          new TextEncoder().encode(state),
        ],
      ],
    };
  },
};

const int8: Form = {
  settings: { quantization_config: { quant_method: 'bitsandbytes', load_in_8bit: true } },
  pack(weights, rows, cols) {
    const most = groups(weights, cols).map(extreme);
    const scaleOf = (i: number) => fround((most[Math.floor(i / cols)] ?? 1) * fround(1 / 127));
    const codes = Int8Array.from(weights, (weight, i) => Math.round(weight / scaleOf(i)));
    return {
      values: Float32Array.from(codes, (code, i) => code * scaleOf(i)),
      tensors: [
        ['weight', 'I8', [rows, cols], codes],
        ['SCB', 'F32', [rows], Float32Array.from(most)],
        ['weight_format', 'U8', [], Uint8Array.of(0)],
      ],
    };
  },
};

/** The type that the weights have in AMB. */
export const quantizedForms = { gptq, awq, compressed, mlx, fp8, nf4, int8 } as const;
export type QuantizedForm = keyof typeof quantizedForms;
export const typeInAmb: Readonly<Record<QuantizedForm, string>> = {
  gptq: 'int4_block',
  awq: 'int5_block',
  compressed: 'int4_block',
  mlx: 'int4_block',
  fp8: 'f32',
  nf4: 'f32',
  int8: 'int8',
};

function safetensorsOf(tensors: readonly Stored[]): Uint8Array<ArrayBuffer> {
  const header: Parameters<typeof withHeader>[0] = {};
  const parts: Uint8Array[] = [];
  let size = 0;
  for (const [name, dtype, shape, { buffer, byteOffset, byteLength }] of tensors) {
    header[name] = { dtype, shape, data_offsets: [size, size + byteLength] };
    parts.push(new Uint8Array(buffer, byteOffset, byteLength));
    size += byteLength;
  }
  return withHeader(header, Buffer.concat(parts));
}

interface Pair {
  readonly quantized: Files;
  readonly floats: Files;
}

/** The directory as the library writes it, and with the floats that it stands for. `isCoded` tells the matrices by name. */
export function quantizedFiles(
  plain: Files,
  form: QuantizedForm,
  isCoded: (name: string) => boolean,
): Pair {
  const { settings, pack } = quantizedForms[form];
  const [quantized, floats]: [Stored[], Stored[]] = [[], []];
  for (const { name, shape, data } of tensorsIn(plain.get('model.safetensors') as Uint8Array)) {
    const asIs: Stored = [name, 'F32', shape, data];
    const [rows = 0, cols = 0] = shape;
    if (!isCoded(name)) {
      quantized.push(asIs);
      floats.push(asIs);
      continue;
    }
    const { tensors, values } = pack(new Float32Array(data.slice().buffer), rows, cols);
    const module = name.slice(0, -'weight'.length);
    quantized.push(...tensors.map(([ending, ...rest]): Stored => [module + ending, ...rest]));
    floats.push([name, 'F32', shape, values]);
  }
  const config = JSON.parse(new TextDecoder().decode(plain.get('config.json'))) as object;
  const directory = (tensors: readonly Stored[], more: object): Files =>
    new Map([
      ...plain,
      ['config.json', new TextEncoder().encode(JSON.stringify({ ...config, ...more }))],
      ['model.safetensors', safetensorsOf(tensors)],
    ]);
  return { quantized: directory(quantized, settings), floats: directory(floats, {}) };
}

/** The small model of language. */
export async function quantizedDirectory(form: QuantizedForm): Promise<Pair> {
  return quantizedFiles(await languageDirectory(), form, (name) => name.includes('_proj'));
}
