// How alike two vectors are, in double precision.
import { AmbryError } from '../base/errors.ts';

/** The vector of a text, or a list of numbers. */
export type Vector = Float32Array | readonly number[];

/**
 * The cosine of the angle between two vectors: 1 for the same direction, 0 for a right angle, -1 for opposite directions.
 * The more alike two texts are, the higher is the cosine of their vectors. A vector of zeros has no direction, and its
 * cosine with any other is 0.
 *
 * Throws `BadValue` for anything that is not a vector of finite numbers, and `Mismatch` for vectors of two lengths.
 *
 * @example
 * const [asked, cats, rain] = await model.embed(['feline sounds', 'Cats purr.', 'It rains.']);
 * console.log(cosine(asked, cats), cosine(asked, rain));
 */
export function cosine(a: Vector, b: Vector): number {
  checkVectors(a, b);
  return cosineOf(scaled(a), scaled(b));
}

/**
 * The dot product of two vectors: the sum of the products of their numbers. For vectors of length 1 it is their cosine.
 *
 * Throws `BadValue` for anything that is not a vector of finite numbers, and `Mismatch` for vectors of two lengths.
 *
 * @example
 * const [asked, found] = await model.embed(['feline sounds', 'Cats purr.'], { normalize: true });
 * console.log(dot(asked, found));
 */
export function dot(a: Vector, b: Vector): number {
  checkVectors(a, b);
  return dotOf(a, b);
}

/** The cosine of vectors that are known to be of one length. NaN if a number is not finite. */
export function cosineOf(a: Vector, b: Vector): number {
  const lengths = Math.sqrt(dotOf(a, a)) * Math.sqrt(dotOf(b, b));
  // Rounding could give a little more than 1, of which Math.acos makes NaN.
  return lengths === 0 ? 0 : Math.min(1, Math.max(-1, dotOf(a, b) / lengths));
}

function dotOf(a: Vector, b: Vector): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) {
    sum += (a[i] as number) * (b[i] as number);
  }
  return sum;
}

/** The vector with 1 or -1 as its largest number: squares of a list's numbers may be too large or too small for a double.
 *  Those of a Float32Array are not. */
function scaled(vector: Vector): Vector {
  if (vector instanceof Float32Array) {
    return vector;
  }
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return largest === 0 ? vector : vector.map((value) => value / largest);
}

function checkVectors(a: Vector, b: Vector): void {
  checkVector(a, 'a');
  checkVector(b, 'b');
  if (a.length !== b.length) {
    const message = `Must have ${a.length} numbers, as the other vector, not ${b.length}.`;
    throw new AmbryError('Mismatch', message, { path: 'b' });
  }
}

/** The code that describes wrong values is not used here: it would have to be loaded before the call. */
function checkVector(vector: unknown, path: string): void {
  if (!(vector instanceof Float32Array || Array.isArray(vector))) {
    const advice = vector instanceof Promise ? ' Await it first.' : '';
    const message = `Must be a Float32Array or a list of numbers.${advice}`;
    throw new AmbryError('BadValue', message, { path });
  }
  for (let i = 0; i < vector.length; i++) {
    if (!Number.isFinite(vector[i])) {
      throw new AmbryError('BadValue', 'Must be a finite number.', { path: `${path}[${i}]` });
    }
  }
}
