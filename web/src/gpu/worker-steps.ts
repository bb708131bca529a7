// The steps of a plan as dispatches: a kernel, its buffers and numbers.
import type { BufferName, DevicePlan, PlannedMatrix, PlannedStep } from './plan.ts';
import { noVector } from './worker-kernels.ts';
import type { WeightChunk, Weights } from './worker-weights.ts';

/** What is bound beside the buffers of a plan. */
export type Bound = GPUBuffer | BufferName | 'vectors' | 'rows' | 'rope' | 'local' | 'keys';

export interface Dispatch {
  readonly kernel: string;
  readonly bound: readonly Bound[];
  /** Up to 16 numbers: those of `floats` by place, else integers. */
  readonly numbers: readonly number[];
  readonly floats: readonly number[];
  /** How many invocations or workgroups a block of so many rows takes. */
  readonly jobs: (rows: number) => number | readonly [x: number, y: number];
  /** Invocations share a workgroup of 64 where a job is one of them. */
  readonly jobIs: 'invocation' | 'workgroup';
  /** Runs for each sequence of the block, with the keys of this layer. */
  readonly layer?: number;
  /** For one row, or for more; for any number if this is left out. */
  readonly rows?: 'one' | 'many';
}

type Make = (
  buffers: readonly BufferName[],
  numbers: readonly number[],
) => Dispatch | readonly Dispatch[];

/** Numbers that a step has, as a whole. */
const at = (list: readonly number[], i: number): number => list[i] ?? 0;

export class Steps {
  readonly #plan: DevicePlan;
  readonly #weights: Weights;
  readonly #tile: number;

  constructor(plan: DevicePlan, weights: Weights, tile: number) {
    this.#plan = plan;
    this.#weights = weights;
    this.#tile = tile;
  }

  /** The dispatches of a step. */
  of([kernel, buffers, numbers]: PlannedStep): readonly Dispatch[] {
    const make = this.#makers[kernel];
    if (!make) {
      throw new Error(`the plan has a step ${kernel}`);
    }
    return [make(buffers, numbers)].flat();
  }

  readonly #makers: Readonly<Record<string, Make>> = {
    copy: (buffers, [width = 0]) => each('copy', buffers, width, [width]),
    add: (buffers, [width = 0]) => each('add', buffers, width, [width]),
    scale: (buffers, [width = 0, factor = 1]) =>
      each('scale', buffers, width, [width, factor], [1]),
    cap: (buffers, [width = 0, cap = 1]) => each('cap', buffers, width, [width, cap], [1]),
    take: (buffers, [stride = 0, offset = 0, width = 0, groups = 1]) =>
      each('take', buffers, width * groups, [width, stride, offset, groups]),
    temper: ([name], [width = 0, scale = 0, length = 1]) =>
      each('temper', [name as BufferName, 'rows'], width, [width, scale, length], [1]),
    gate: ([a, b, to], [kind, width = 0, stride = 0, other = 0, offset = 0]) => {
      const shares = a === b ? 'both' : b === to ? 'last' : 'first';
      const first = { both: a, last: a, first: b }[shares] as BufferName;
      const list = [width, 0, 0, 0, 0, 0, 0, 0, stride, other, offset];
      return each(`gate:${kind}:${shares}`, [first, to as BufferName], width, list);
    },
    activate: (buffers, [kind, width = 0, ...learned]) =>
      each(`activate:${kind}`, buffers, width, [width, 0, ...learned], [2, 3, 4, 5]),
    norm: ([from, to], [weight = 0, bias = -1, width = 0, groups = 1]) => ({
      kernel: `norm:${this.#plan.norm}:${from === to ? 'in-place' : 'apart'}`,
      bound: [...(from === to ? [to] : [from, to]), 'vectors'] as Bound[],
      numbers: [width, this.#weights.vector(weight), this.#vector(bias), groups, this.#plan.eps],
      floats: [4],
      jobs: (rows) => rows * groups,
      jobIs: 'workgroup',
    }),
    rotate: ([name], [width = 0, size = 1, interleaved = 0, local = 0]) => ({
      kernel: `rotate:${interleaved ? 'interleaved' : 'halves'}`,
      bound: [name as BufferName, local ? 'local' : 'rope'],
      numbers: [width, size, local],
      floats: [],
      jobs: (rows) => (rows * width) / 2,
      jobIs: 'invocation',
    }),
    keep: ([key, value], [layer = 0, width = 0]) => ({
      ...each('keep', [key as BufferName, value as BufferName, 'keys'], width, [width]),
      layer,
    }),
    attend: ([query, context], list) => {
      const [layer = 0, heads = 1, kvHeads = 1, size = 1, scale = 1, cap = 0, window = 0] = list;
      const slopes = this.#vector(at(list, 7));
      return {
        kernel: 'attend',
        bound: [query as BufferName, 'keys', 'vectors', context as BufferName],
        numbers: [heads, kvHeads, size, scale, cap, window, slopes, this.#plan.kvWidth],
        floats: [3, 4],
        jobs: (rows) => rows * heads,
        jobIs: 'workgroup',
        layer,
      };
    },
    embed: ([to], [number = 0, scale = 1, byPosition = 0]) => {
      const matrix = this.#weights.matrix(number);
      const units = Math.ceil(matrix.cols / 8);
      return this.#weights.chunks(matrix).map((chunk) => ({
        kernel: `embed:${matrix.type}:${byPosition ? 'position' : 'id'}${suffix(matrix)}`,
        bound: [chunk.buffer, 'rows', to as BufferName],
        numbers: [...layoutOf(matrix, chunk), matrix.factor * scale],
        floats: [8],
        jobs: (rows) => rows * units,
        jobIs: 'invocation',
      }));
    },
    multiply: ([from, to], [number = 0, bias = -1, scale = 1]) => {
      const matrix = this.#weights.matrix(number);
      return this.#weights.chunks(matrix).flatMap((chunk) => {
        const side = 4 * this.#tile;
        const shared = {
          bound: [chunk.buffer, from as BufferName, 'vectors', to as BufferName] as const,
          numbers: [...layoutOf(matrix, chunk), matrix.factor, scale, this.#vector(bias)],
          floats: [8, 9],
          jobIs: 'workgroup' as const,
        };
        const name = (rows: string) => `multiply:${matrix.type}:${rows}${suffix(matrix)}`;
        return [
          {
            ...shared,
            kernel: name('one'),
            rows: 'one' as const,
            jobs: () => Math.ceil(chunk.rows / 4),
          },
          {
            ...shared,
            kernel: name('many'),
            rows: 'many' as const,
            jobs: (rows: number) => [Math.ceil(chunk.rows / side), Math.ceil(rows / side)] as const,
          },
        ];
      });
    },
  };

  #vector(number: number): number {
    return number < 0 ? noVector : this.#weights.vector(number);
  }
}

const suffix = ({ transposed }: PlannedMatrix): string => (transposed ? ':transposed' : '');

function layoutOf(matrix: PlannedMatrix, chunk: WeightChunk): number[] {
  const { cols, rows, block, scaleBytes } = matrix;
  return [chunk.rows, cols, rows, chunk.firstRow, block, scaleBytes, chunk.scalesAt, chunk.codesAt];
}

function each(
  kernel: string,
  bound: readonly Bound[],
  width: number,
  numbers: readonly number[],
  floats: readonly number[] = [],
): Dispatch {
  return { kernel, bound, numbers, floats, jobs: (rows) => rows * width, jobIs: 'invocation' };
}
