// L-BFGS: finds the minimum of a smooth convex function from its gradients. Nocedal and Wright, Numerical Optimization,
// algorithm 7.5. Steps are halved until the value has become small enough (Armijo).
import type { Yielder } from '../../base/yielder.ts';

interface Smooth {
  readonly size: number;
  /** The value at a point. Writes the gradient. */
  evaluate(at: Float64Array, gradient: Float64Array): Promise<number>;
}

/** A step of the past: how the point and the gradient changed. */
interface Change {
  readonly point: Float64Array;
  readonly gradient: Float64Array;
  /** The reciprocal of their product. */
  readonly scale: number;
}

const mostChanges = 8;
export const mostSteps = 200;
/** The search ends when no number of the gradient is larger. */
const flat = 1e-5;
/** How much of the decrease that the gradient promises is enough. */
const enough = 1e-4;
const mostHalvings = 30;

/** The point with the least value, from `start` on. `onStep` hears the number of each step. */
export async function minimize(
  smooth: Smooth,
  start: Float64Array,
  yielder: Yielder,
  onStep: (step: number) => void,
): Promise<Float64Array> {
  let point = start;
  let gradient = new Float64Array(smooth.size);
  let value = await smooth.evaluate(point, gradient);
  const changes: Change[] = [];
  for (let step = 0; step < mostSteps && largest(gradient) > flat; step++) {
    onStep(step);
    const way = await directionFrom(gradient, changes, yielder);
    const found = await searchAlong(smooth, { point, gradient, value, way });
    if (!found) {
      break;
    }
    remember(changes, change(point, found.point, gradient, found.gradient));
    ({ point, gradient, value } = found);
    await yielder.yieldIfDue();
  }
  return point;
}

/** The way down: the gradient, bent by what earlier steps told of the curvature. */
async function directionFrom(
  gradient: Float64Array,
  changes: readonly Change[],
  yielder: Yielder,
): Promise<Float64Array> {
  const way = gradient.map((x) => -x);
  const factors: number[] = [];
  for (const { point, gradient: bend, scale } of changes.toReversed()) {
    const factor = scale * dot(point, way);
    add(way, -factor, bend);
    factors.push(factor);
    await yielder.yieldIfDue();
  }
  const last = changes.at(-1);
  const size = last
    ? 1 / (last.scale * dot(last.gradient, last.gradient))
    : 1 / Math.max(1, Math.sqrt(dot(gradient, gradient)));
  for (let i = 0; i < way.length; i++) {
    way[i] = (way[i] as number) * size;
  }
  for (const { point, gradient: bend, scale } of changes) {
    add(way, (factors.pop() as number) - scale * dot(bend, way), point);
    await yielder.yieldIfDue();
  }
  return way;
}

interface Place {
  readonly point: Float64Array;
  readonly gradient: Float64Array<ArrayBuffer>;
  readonly value: number;
}

/** The first point on the way that is low enough. Undefined where rounding leaves none. */
async function searchAlong(
  smooth: Smooth,
  { point, gradient, value, way }: Place & { readonly way: Float64Array },
): Promise<Place | undefined> {
  const slope = dot(gradient, way);
  let length = 1;
  for (let halvings = 0; halvings < mostHalvings && slope < 0; halvings++) {
    const next = point.slice();
    add(next, length, way);
    const bend = new Float64Array(smooth.size);
    const found = await smooth.evaluate(next, bend);
    if (found <= value + enough * length * slope) {
      return { point: next, gradient: bend, value: found };
    }
    length /= 2;
  }
  return undefined;
}

function change(
  from: Float64Array,
  to: Float64Array,
  fromGradient: Float64Array,
  toGradient: Float64Array,
): Change {
  const point = difference(to, from);
  const gradient = difference(toGradient, fromGradient);
  return { point, gradient, scale: 1 / dot(point, gradient) };
}

/** Leaves out a change that rounding has made of no use. */
function remember(changes: Change[], made: Change): void {
  if (!(made.scale > 0) || !Number.isFinite(made.scale)) {
    return;
  }
  changes.push(made);
  if (changes.length > mostChanges) {
    changes.shift();
  }
}

const difference = (a: Float64Array, b: Float64Array): Float64Array =>
  a.map((x, i) => x - (b[i] as number));

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) {
    sum += (a[i] as number) * (b[i] as number);
  }
  return sum;
}

function add(to: Float64Array, factor: number, numbers: Float64Array): void {
  for (let i = 0; i < to.length; i++) {
    to[i] = (to[i] as number) + factor * (numbers[i] as number);
  }
}

function largest(numbers: Float64Array): number {
  let most = 0;
  for (const number of numbers) {
    most = Math.max(most, Math.abs(number));
  }
  return most;
}
