// The kernels in WGSL. Each is a template over what its name says, such as `multiply:q4_k:one`. All have the numbers of their
// step in `p`, and in `now` the rows of the block or of one of its sequences: how many, the first one, and its position.
//
// None needs a feature of the adapter. Workgroups have 64 invocations, but for products of many rows, which have 256 where
// the adapter allows it.
import type { WeightType } from './plan.ts';
import { weightCode } from './worker-weight-types.ts';

export interface Kernel {
  readonly code: string;
  /** Whether each storage buffer is written, in the order of their bindings. */
  readonly writes: readonly boolean[];
}

/** What the adapter allows. */
export interface KernelLimits {
  /** Rows and columns of invocations in a product of many rows: 8 or 16. */
  readonly tile: 8 | 16;
}

/** Stands for a vector that a step does not have. */
export const noVector = 0xffff_ffff;
/** The largest head that the attention kernel takes. */
export const mostHeadDim = 512;

const numbers = `
@group(0) @binding(0) var<uniform> p: array<vec4<u32>, 4>;
@group(0) @binding(1) var<uniform> now: vec4<u32>;
fn f(x: u32) -> f32 { return bitcast<f32>(x); }
`;

type Declared = readonly (readonly [name: string, type: string, written?: boolean])[];

function kernel(buffers: Declared, body: string, workgroup = 64): Kernel {
  const declared = buffers.map(
    ([name, type, written], i) =>
      `@group(0) @binding(${i + 2}) var<storage, ${written ? 'read_write' : 'read'}> ${name}: array<${type}>;\n`,
  );
  const main = `
@compute @workgroup_size(${workgroup})
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let job = group.y * groups.x + group.x;
  let i = job * 64u + lane;
  BODY
}`;
  const [head = '', inner = body] = body.includes('---') ? body.split('---') : ['', body];
  return {
    code: numbers + declared.join('') + head + main.replace('BODY', () => inner),
    writes: buffers.map(([, , written]) => written ?? false),
  };
}

/** tanh of a number of any size: engines may give NaN for large ones. */
const tanh =
  'fn tanh_of(x: f32) -> f32 { return 1.0 - 2.0 / (exp(clamp(2.0 * x, -80.0, 80.0)) + 1.0); }\n';

/** By the number of the activation in the core, then the gate of a head. */
const activations = [
  'return x / (1.0 + exp(min(-x, 80.0)));',
  `let a = min(abs(x), 6.0);
  let top = (((((-0.000112522474 * a + 0.00299452501) * a - 0.0319813527) * a + 0.171453908) * a - 0.461716473) * a + 0.499994308);
  let bottom = (((((((0.000431405351 * a - 0.00193266431) * a + 0.0071242135) * a - 0.00678669754) * a + 0.0297423881) * a - 0.00861348584) * a + 0.244349077) * a - 0.125792325) * a + 1.0;
  return max(x, 0.0) - a * top / bottom;`,
  'return x / (1.0 + exp(clamp(-1.59576912 * (x + 0.044715 * x * x * x), -80.0, 80.0)));',
  'return max(x, 0.0);',
  'let kept = max(x, 0.0); return kept * kept;',
  `let below = (exp(min(x, f(p[1].y))) - 1.0 - x) * f(p[0].w);
  return x * f(p[1].x) + select(below, x * x * f(p[0].z), x > 0.0);`,
  'return 1.0 / (1.0 + exp(min(-x, 80.0)));',
];
const activation = (kind: number) => `fn act(x: f32) -> f32 { ${activations[kind]} }\n---`;

/** One invocation a number; `w` are the numbers of a row. */
const each = (buffers: Declared, body: string, head = '') =>
  kernel(
    buffers,
    `${head}${head.includes('---') ? '' : '---'}let w = p[0].x;\nif (i >= now.x * w) { return; }\n${body}`,
  );

const from = ['a', 'f32'] as const;
const to = ['b', 'f32', true] as const;
const inPlace = ['b', 'f32', true] as const;
const rows = ['rows', 'vec2<u32>'] as const;
const vectors = ['v', 'f32'] as const;

/** Adds up `red` over groups of `width` neighbours, or takes the largest. */
const reduced = (name: string, width: number, join: string) =>
  `for (var s = ${width / 2}u; s > 0u; s >>= 1u) {
    if (lane % ${width}u < s) { let x = ${name}[lane]; let y = ${name}[lane + s]; ${name}[lane] = ${join}; }
    workgroupBarrier();
  }`;

function norm(kind: string, isInPlace: boolean): Kernel {
  const source = isInPlace ? 'b' : 'a';
  const mean =
    kind === 'layer'
      ? `for (var k = lane; k < w; k += 64u) { sum += ${source}[at + k]; }
  red[lane] = sum;
  workgroupBarrier();
  ${reduced('red', 64, 'x + y')}
  mean = red[0] / f32(w);
  workgroupBarrier();
  sum = 0.0;`
      : '';
  return kernel(
    isInPlace ? [inPlace, vectors] : [from, to, vectors],
    `var<workgroup> red: array<f32, 64>;
---
  let w = p[0].x;
  if (job >= now.x * p[0].w) { return; }
  let at = job * w;
  var sum = 0.0;
  var mean = 0.0;
  ${mean}
  for (var k = lane; k < w; k += 64u) { let d = ${source}[at + k] - mean; sum += d * d; }
  red[lane] = sum;
  workgroupBarrier();
  ${reduced('red', 64, 'x + y')}
  let factor = 1.0 / sqrt(red[0] / f32(w) + f(p[1].x));
  for (var k = lane; k < w; k += 64u) {
    var y = (${source}[at + k] - mean) * factor * v[p[0].y + k];
    if (p[0].z != ${noVector}u) { y += v[p[0].z + k]; }
    b[at + k] = y;
  }`,
  );
}

/** What kernels with weights have in `p`: the rows of this piece of a matrix and where it begins among all of them, the
 *  layout of its bytes, and what becomes of a result. */
const named = (code: string) =>
  code
    .replaceAll('ROWS', 'p[0].x')
    .replaceAll('COLS', 'p[0].y')
    .replaceAll('BLOCK', 'p[1].x')
    .replaceAll('SCALES', 'p[1].z')
    .replaceAll('SCALE', 'p[1].y')
    .replaceAll('CODES', 'p[1].w');

/** y = ((x · w) factor + bias) scale */
const finish = `
fn put(row: u32, n: u32, sum: f32) {
  var y = sum * f(p[2].x);
  if (p[2].z != ${noVector}u) { y += v[p[2].z + p[0].w + n]; }
  b[row * p[0].z + p[0].w + n] = y * f(p[2].y);
}
fn given(row: u32, k: u32) -> f32 { if (k < COLS) { return a[row * COLS + k]; } return 0.0; }
fn given4(row: u32, k: u32) -> vec4<f32> {
  return vec4<f32>(given(row, k), given(row, k + 1u), given(row, k + 2u), given(row, k + 3u));
}
`;

function multiplyOne(weights: string): Kernel {
  return kernel(
    [['w', 'u32'], from, vectors, to],
    named(`${weights}${finish}var<workgroup> red: array<f32, 64>;
---
  let n = job * 4u + lane / 16u;
  var sum = 0.0;
  if (n < ROWS) {
    for (var j = lane % 16u; j < (COLS + 7u) / 8u; j += 16u) {
      let e = load8(n, j);
      sum += dot(e.a, given4(0u, 8u * j)) + dot(e.b, given4(0u, 8u * j + 4u));
    }
  }
  red[lane] = sum;
  workgroupBarrier();
  ${reduced('red', 16, 'x + y')}
  if (lane % 16u == 0u && n < ROWS) { put(0u, n, red[lane]); }`),
  );
}

/** A workgroup computes 4 t × 4 t results, each invocation 4 × 4 of them, from 32 columns at a time. */
function multiplyMany(weights: string, t: number): Kernel {
  const lanes = t * t;
  const side = 4 * t;
  return kernel(
    [['w', 'u32'], from, vectors, to],
    named(`${weights}${finish}
var<workgroup> xs: array<vec4<f32>, ${side * 8}>;
var<workgroup> ws: array<vec4<f32>, ${side * 8}>;
---
  let first = group.x * ${side}u;
  let first_row = group.y * ${side}u;
  let left = 4u * (lane % ${t}u);
  let top = 4u * (lane / ${t}u);
  var sums: array<vec4<f32>, 4>;
  for (var k = 0u; k < COLS; k += 32u) {
    for (var j = lane; j < ${side * 4}u; j += ${lanes}u) {
      let r = j / 4u;
      let at = k + 8u * (j % 4u);
      var x = Eight(vec4<f32>(0.0), vec4<f32>(0.0));
      var e = x;
      if (first_row + r < now.x) { x = Eight(given4(first_row + r, at), given4(first_row + r, at + 4u)); }
      if (first + r < ROWS && at < COLS) { e = load8(first + r, at / 8u); }
      xs[2u * j] = x.a;
      xs[2u * j + 1u] = x.b;
      ws[2u * j] = e.a;
      ws[2u * j + 1u] = e.b;
    }
    workgroupBarrier();
    for (var c = 0u; c < 8u; c++) {
      let w0 = ws[left * 8u + c];
      let w1 = ws[(left + 1u) * 8u + c];
      let w2 = ws[(left + 2u) * 8u + c];
      let w3 = ws[(left + 3u) * 8u + c];
      for (var r = 0u; r < 4u; r++) {
        let x = xs[(top + r) * 8u + c];
        sums[r] += vec4<f32>(dot(x, w0), dot(x, w1), dot(x, w2), dot(x, w3));
      }
    }
    workgroupBarrier();
  }
  for (var r = 0u; r < 4u; r++) {
    for (var n = 0u; n < 4u; n++) {
      if (first_row + top + r < now.x && first + left + n < ROWS) { put(first_row + top + r, first + left + n, sums[r][n]); }
    }
  }`),
    lanes,
  );
}

/** Rows of a table, by the ids of tokens or by their positions, which are added to what is there. */
function embed(weights: string, byPosition: boolean): Kernel {
  return kernel(
    [['w', 'u32'], rows, to],
    named(`${weights}
---
  let units = (COLS + 7u) / 8u;
  if (i >= now.x * units) { return; }
  let row = i / units;
  let wanted = rows[row].${byPosition ? 'y' : 'x'};
  if (wanted < p[0].w || wanted >= p[0].w + ROWS) { return; }
  let e = load8(wanted - p[0].w, i % units);
  let all = array<f32, 8>(e.a.x, e.a.y, e.a.z, e.a.w, e.b.x, e.b.y, e.b.z, e.b.w);
  for (var k = 0u; k < 8u; k++) {
    let col = 8u * (i % units) + k;
    if (col < COLS) { b[row * COLS + col] ${byPosition ? '+' : ''}= all[k] * f(p[2].x); }
  }`),
  );
}

/** A workgroup takes a token and a head, and 16 keys at a time, four invocations each, with the largest score and the sum so
 *  far. So few that the tokens of the check have more. */
const attend = kernel(
  [from, ['kv', 'f32'], vectors, to],
  `${tanh}var<workgroup> q: array<f32, ${mostHeadDim}>;
var<workgroup> red: array<f32, 64>;
var<workgroup> weights: array<f32, 16>;
---
  let heads = p[0].x;
  let size = p[0].z;
  let width = p[1].w;
  if (job >= now.x * heads) { return; }
  let head = job % heads;
  let end = now.z + job / heads + 1u;
  let window = p[1].y;
  var begin = 0u;
  if (window > 0u && end > window) { begin = end - window; }
  let shared_at = head / (heads / p[0].y) * size;
  let at = (now.y * heads + job) * size;
  for (var d = lane; d < size; d += 64u) { q[d] = a[at + d]; }
  workgroupBarrier();
  var sums: array<f32, ${mostHeadDim / 64}>;
  var largest = -1e30;
  var total = 0.0;
  for (var key = begin; key < end; key += 16u) {
    let own = key + lane / 4u;
    var part = 0.0;
    if (own < end) {
      let k = 2u * own * width + shared_at;
      for (var d = lane % 4u; d < size; d += 4u) { part += q[d] * kv[k + d]; }
    }
    red[lane] = part;
    workgroupBarrier();
    ${reduced('red', 4, 'x + y')}
    var score = red[lane - lane % 4u] * f(p[0].w);
    if (p[1].x != 0u) { score = f(p[1].x) * tanh_of(score / f(p[1].x)); }
    if (p[1].z != ${noVector}u) { score -= v[p[1].z + head] * f32(end - 1u - own); }
    if (own >= end) { score = -1e30; }
    workgroupBarrier();
    red[lane] = score;
    workgroupBarrier();
    ${reduced('red', 64, 'max(x, y)')}
    let above = max(largest, red[0]);
    workgroupBarrier();
    let weight = select(0.0, exp(score - above), own < end && lane % 4u == 0u);
    if (lane % 4u == 0u) { weights[lane / 4u] = weight; }
    red[lane] = weight;
    workgroupBarrier();
    ${reduced('red', 64, 'x + y')}
    let before = exp(largest - above);
    total = total * before + red[0];
    largest = above;
    let n = min(16u, end - key);
    for (var e = 0u; 64u * e + lane < size; e++) {
      var sum = sums[e] * before;
      let value = (2u * key + 1u) * width + shared_at + 64u * e + lane;
      for (var k = 0u; k < n; k++) { sum += weights[k] * kv[value + 2u * k * width]; }
      sums[e] = sum;
    }
    workgroupBarrier();
  }
  for (var e = 0u; 64u * e + lane < size; e++) { b[at + 64u * e + lane] = sums[e] / total; }`,
);

const simple: Readonly<Record<string, () => Kernel>> = {
  copy: () => each([from, to], 'b[i] = a[i];'),
  add: () => each([from, to], 'b[i] += a[i];'),
  scale: () => each([inPlace], 'b[i] *= f(p[0].y);'),
  cap: () => each([inPlace], 'b[i] = f(p[0].y) * tanh_of(b[i] / f(p[0].y));', tanh),
  // p: width, stride, offset, groups of a row
  take: () =>
    kernel(
      [from, to],
      'if (i >= now.x * p[0].w * p[0].x) { return; }\nb[i] = a[i / p[0].x * p[0].y + p[0].z + i % p[0].x];',
    ),
  temper: () =>
    each([inPlace, rows], 'b[i] *= 1.0 + f(p[0].y) * log(1.0 + f32(rows[i / w].y / p[0].z));'),
  keep: () =>
    each(
      [from, ['values', 'f32'], ['kv', 'f32', true]],
      `let at = 2u * (now.z + i / w) * w + i % w;
kv[at] = a[now.y * w + i];
kv[at + w] = values[now.y * w + i];`,
    ),
  attend: () => attend,
};

/** Pairs of numbers of a head turn by the angles of their row. p: numbers of a row, of a head, which of the two tables. The
 *  block brings the pairs of a head. */
const rotate = (interleaved: boolean) =>
  kernel(
    [inPlace, ['angles', 'f32']],
    `let pairs = (now.w >> (16u * p[0].z)) & 0xffffu;
  let heads = p[0].x / p[0].y;
  if (i >= now.x * heads * pairs) { return; }
  let row = i / (heads * pairs);
  let pair = i % pairs;
  let at = row * p[0].x + i / pairs % heads * p[0].y + ${interleaved ? '2u * pair' : 'pair'};
  let other = at + ${interleaved ? '1u' : 'pairs'};
  let cosine = angles[row * pairs + pair];
  let sine = angles[(now.x + row) * pairs + pair];
  let x = b[at];
  let y = b[other];
  b[at] = x * cosine - y * sine;
  b[other] = y * cosine + x * sine;`,
  );

/** p: width, and for `gate` the strides of both and the offset of the second. `shares`: which buffers are the same. */
function gate(kind: number, shares: string): Kernel {
  const x = shares === 'last' ? 'a' : shares === 'first' ? 'b' : 'a';
  const by = shares === 'last' ? 'b' : shares === 'both' ? 'a' : 'c';
  const buffers: Declared =
    shares === 'both' ? [from, to] : shares === 'last' ? [from, to] : [['c', 'f32'], to];
  return each(
    buffers,
    `let row = i / w;
let k = i % w;
b[i] = act(${x}[row * p[2].x + k]) * ${by}[row * p[2].y + p[2].z + k];`,
    activation(kind),
  );
}

/** The kernel of this name. */
export function kernelNamed(name: string, { tile }: KernelLimits): Kernel {
  const [base = '', ...parts] = name.split(':');
  const [first = '', second = ''] = parts;
  const weights = () => weightCode(first as WeightType, parts.includes('transposed'));
  switch (base) {
    case 'multiply':
      return second === 'one' ? multiplyOne(weights()) : multiplyMany(weights(), tile);
    case 'embed':
      return embed(weights(), second === 'position');
    case 'norm':
      return norm(first, second === 'in-place');
    case 'rotate':
      return rotate(first === 'interleaved');
    case 'gate':
      return gate(Number(first), second);
    case 'activate':
      return each([inPlace], 'b[i] = act(b[i]);', activation(Number(first)));
    default: {
      const made = simple[base];
      if (!made) {
        throw new Error(`no kernel ${name}`);
      }
      return made();
    }
  }
}
