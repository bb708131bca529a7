// What training makes small: the mean loss of the examples, and the squares of the weights.
import type { Yielder } from '../../base/yielder.ts';
import { addProducts, addScaled, type FourRows, four } from './four-rows.ts';
import { rowsAtATime, softmaxInPlace, type Weights } from './logits.ts';

export interface TrainingData {
  /** A vector for each text. */
  readonly rows: Float32Array;
  readonly dim: number;
  /** The number of labels. */
  readonly labels: number;
  /** The index of each text's label. */
  readonly targets: Int32Array;
  readonly balanced: boolean;
}

/** Multinomial logistic regression over some of the examples. The parameters are the weights of all labels, then their
 *  biases. The biases cost nothing. */
export class Objective {
  readonly size: number;
  readonly #data: TrainingData;
  readonly #chosen: Int32Array;
  /** What an example counts, by its label. */
  readonly #shares: Float64Array;
  /** The cost of large weights, beside the mean loss. */
  readonly #cost: number;
  readonly #yielder: Yielder;
  readonly #block: FourRows;
  /** For each label the number of each of the four rows. */
  readonly #sums: Float64Array;
  readonly #logits: Float64Array;

  /** `l2` is the factor of half the sum of squares beside the sum of the losses. */
  constructor(data: TrainingData, chosen: Int32Array, l2: number, yielder: Yielder) {
    const { labels, dim } = data;
    this.size = labels * (dim + 1);
    this.#data = data;
    this.#chosen = chosen;
    this.#shares = sharesOf(data, chosen);
    this.#cost = l2 / chosen.length;
    this.#yielder = yielder;
    this.#block = { dim, numbers: new Float64Array(four * dim) };
    this.#sums = new Float64Array(four * labels);
    this.#logits = new Float64Array(labels);
  }

  /** The value at these parameters. Writes the gradient. */
  async evaluate(at: Float64Array, gradient: Float64Array): Promise<number> {
    const point = weightsAt(at, this.#data);
    const slope = weightsAt(gradient, this.#data);
    gradient.fill(0);
    let value = 0;
    const step = rowsAtATime(at.length);
    let untilYield = step;
    for (let begin = 0; begin < this.#chosen.length; begin += four) {
      value += this.#add(this.#chosen.subarray(begin, begin + four), point, slope);
      untilYield -= four;
      if (untilYield <= 0) {
        untilYield = step;
        await this.#yielder.yieldIfDue();
      }
    }
    return value + this.#addCost(point.weight, slope.weight);
  }

  /** Adds the gradient of up to four examples, and returns their loss. */
  #add(examples: Int32Array, point: Parameters, slope: Parameters): number {
    this.#take(examples);
    const sums = this.#sums;
    for (let label = 0; label < this.#logits.length; label++) {
      sums.fill(point.bias[label] as number, label * four, (label + 1) * four);
    }
    addProducts(this.#block, point.weight, sums);
    let loss = 0;
    for (let place = 0; place < four; place++) {
      loss += this.#errorsOf(examples[place], place);
    }
    addScaled(this.#block, sums, slope.weight);
    for (let i = 0; i < sums.length; i++) {
      const label = Math.floor(i / four);
      slope.bias[label] = (slope.bias[label] as number) + (sums[i] as number);
    }
    return loss;
  }

  /** Copies the vectors. Those of earlier examples may stay, where there are fewer than four: their factors are 0. */
  #take(examples: Int32Array): void {
    const { rows, dim } = this.#data;
    for (const [place, example] of examples.entries()) {
      this.#block.numbers.set(rows.subarray(example * dim, (example + 1) * dim), place * dim);
    }
  }

  /** Turns the logits of one example into what each label's probability is off by, and returns the loss. */
  #errorsOf(example: number | undefined, place: number): number {
    const logits = this.#logits;
    const target = example === undefined ? -1 : (this.#data.targets[example] as number);
    const share = this.#shares[target] ?? 0;
    for (let label = 0; label < logits.length; label++) {
      logits[label] = this.#sums[label * four + place] as number;
    }
    const own = logits[target] ?? 0;
    const loss = share * (softmaxInPlace(logits) - own);
    for (let label = 0; label < logits.length; label++) {
      const error = (logits[label] as number) - (label === target ? 1 : 0);
      this.#sums[label * four + place] = share * error;
    }
    return loss;
  }

  #addCost(weight: Float64Array, slope: Float64Array): number {
    let squares = 0;
    for (let i = 0; i < weight.length; i++) {
      const number = weight[i] as number;
      squares += number * number;
      slope[i] = (slope[i] as number) + this.#cost * number;
    }
    return (this.#cost / 2) * squares;
  }
}

interface Parameters extends Weights {
  readonly weight: Float64Array;
  readonly bias: Float64Array;
}

/** Views of the parameters. */
export function weightsAt(at: Float64Array, { dim, labels }: TrainingData): Parameters {
  return { dim, weight: at.subarray(0, labels * dim), bias: at.subarray(labels * dim) };
}

/** All examples together count 1. */
function sharesOf({ targets, labels, balanced }: TrainingData, chosen: Int32Array): Float64Array {
  if (!balanced) {
    return new Float64Array(labels).fill(1 / chosen.length);
  }
  const counts = new Float64Array(labels);
  for (const example of chosen) {
    const target = targets[example] as number;
    counts[target] = (counts[target] as number) + 1;
  }
  return counts.map((count) => 1 / (labels * count));
}
