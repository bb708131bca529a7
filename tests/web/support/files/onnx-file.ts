// Writes small ONNX files: Protocol Buffers with the fields of a model that the tests need.

export interface TestNode {
  readonly op: string;
  readonly name?: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Integers by their names. */
  readonly attributes?: Readonly<Record<string, number>>;
}

export interface TestTensor {
  readonly name: string;
  readonly shape: readonly number[];
  /** The file that has the values, and where in it; without it they are in the model, all zeros. */
  readonly external?: readonly [file: string, offset: number, length: number];
}

type Bytes = readonly number[];

function varint(value: number): Bytes {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 0x80; left = Math.floor(left / 0x80)) {
    bytes.push((left % 0x80) | 0x80);
  }
  return [...bytes, left];
}

const number = (field: number, value: number): Bytes => [...varint(field << 3), ...varint(value)];
const message = (field: number, bytes: Bytes): Bytes => [
  ...varint((field << 3) | 2),
  ...varint(bytes.length),
  ...bytes,
];
const text = (field: number, value: string): Bytes =>
  message(field, [...new TextEncoder().encode(value)]);

function nodeBytes({ op, name = '', inputs, outputs, attributes = {} }: TestNode): Bytes {
  const integer = 2;
  return [
    ...inputs.flatMap((input) => text(1, input)),
    ...outputs.flatMap((output) => text(2, output)),
    ...(name === '' ? [] : text(3, name)),
    ...text(4, op),
    ...Object.entries(attributes).flatMap(([key, value]) =>
      message(5, [...text(1, key), ...number(3, value), ...number(20, integer)]),
    ),
  ];
}

/** All tensors are f32. */
function tensorBytes({ name, shape, external }: TestTensor): Bytes {
  const elements = shape.reduce((product, extent) => product * extent, 1);
  const pair = (key: string, value: string | number) =>
    message(13, [...text(1, key), ...text(2, String(value))]);
  const values = external
    ? [
        ...pair('location', external[0]),
        ...pair('offset', external[1]),
        ...pair('length', external[2]),
        ...number(14, 1),
      ]
    : message(
        9,
        Array.from({ length: 4 * elements }, () => 0),
      );
  return [
    ...shape.flatMap((extent) => number(1, extent)),
    ...number(2, 1),
    ...text(8, name),
    ...values,
  ];
}

/** A value of f32 with these extents. */
function valueBytes(name: string, shape: readonly (string | number)[]): Bytes {
  const extents = shape.flatMap((extent) =>
    message(1, typeof extent === 'number' ? number(1, extent) : text(2, extent)),
  );
  const type = message(1, [...number(1, 1), ...message(2, extents)]);
  return [...text(1, name), ...message(2, type)];
}

/** A value with its extents. */
type TestValue = readonly [name: string, shape: readonly (string | number)[]];

/** A model whose graph goes from `x` to `y`, with stated types of other `values`. */
export function onnxFile(
  nodes: readonly TestNode[],
  tensors: readonly TestTensor[] = [],
  values: readonly TestValue[] = [],
): Uint8Array<ArrayBuffer> {
  const graph = [
    ...nodes.flatMap((node) => message(1, nodeBytes(node))),
    ...text(2, 'main_graph'),
    ...tensors.flatMap((tensor) => message(5, tensorBytes(tensor))),
    ...message(11, valueBytes('x', ['batch', 2])),
    ...message(12, valueBytes('y', ['batch', 2])),
    ...values.flatMap(([name, shape]) => message(13, valueBytes(name, shape))),
  ];
  const opset = number(2, 17);
  return new Uint8Array([
    ...number(1, 8),
    ...text(2, 'tests'),
    ...message(7, graph),
    ...message(8, opset),
  ]);
}

/** Layers with a linear part each, named by the paths of their modules as PyTorch names them. */
export function layersOnnx(count: number): Uint8Array<ArrayBuffer> {
  const nameOf = (i: number) => (i === 0 ? 'x' : i === count ? 'y' : `/encoder/layer.${i - 1}/out`);
  const layers = Array.from({ length: count }, (_, i) => {
    const path = `/encoder/layer.${i}`;
    return [
      {
        op: 'MatMul',
        name: `${path}/query/MatMul`,
        inputs: [nameOf(i), `onnx::MatMul_${i}`],
        outputs: [`${path}/query/MatMul_output_0`],
      },
      {
        op: 'Softmax',
        name: `${path}/Softmax`,
        inputs: [`${path}/query/MatMul_output_0`],
        outputs: [nameOf(i + 1)],
        attributes: { axis: 1 },
      },
    ];
  });
  const tensors = layers.map((_, i) => ({ name: `onnx::MatMul_${i}`, shape: [2, 2] }));
  const values = layers.map((_, i): TestValue => {
    return [`/encoder/layer.${i}/query/MatMul_output_0`, ['batch', 2]];
  });
  return onnxFile(layers.flat(), tensors, values);
}
