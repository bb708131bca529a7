// ONNX models for onnxruntime-web: as few fields of their protobuf messages as say it (onnx.proto3 of ONNX
// 1.12, operators of version 17).

const bytesWireType = 2; // wire types: a length and its bytes, a whole number
const varintWireType = 0;

function varint(number) {
  const bytes = [];
  for (; number > 127; number = Math.floor(number / 128)) {
    bytes.push((number % 128) | 128);
  }
  return Buffer.from([...bytes, number]);
}

const number = (field, value) => Buffer.concat([varint(field * 8 + varintWireType), varint(value)]);
function message(field, ...parts) {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([varint(field * 8 + bytesWireType), varint(body.length), body]);
}

// TensorProto.DataType
const floatType = 1;
const int8Type = 3;
export const int64Type = 7;
function typeOf(numbers) {
  if (numbers instanceof Float32Array) {
    return floatType;
  }
  return numbers instanceof Int8Array ? int8Type : int64Type;
}

const float32 = (value) => Buffer.from(Float32Array.of(value).buffer);
export const attribute = {
  real: (name, value) =>
    message(5, message(1, name), Buffer.concat([varint(2 * 8 + 5), float32(value)]), number(20, 1)),
  whole: (name, value) => message(5, message(1, name), number(3, value), number(20, 2)),
  wholes: (name, values) =>
    message(5, message(1, name), ...values.map((value) => number(8, value)), number(20, 7)),
};

function tensor(name, shape, numbers) {
  const bytes = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  const dims = shape.map((extent) => number(1, extent));
  return message(5, ...dims, number(2, typeOf(numbers)), message(8, name), message(9, bytes));
}

/** An extent that is a text is any number, the same wherever it has that name. */
function valueInfo(field, { name, shape, type = floatType }) {
  const dims = shape.map((extent) =>
    message(1, typeof extent === 'string' ? message(2, extent) : number(1, extent)),
  );
  return message(
    field,
    message(1, name),
    message(2, message(1, number(1, type), message(2, ...dims))),
  );
}

export class Graph {
  #nodes = [];
  #tensors = [];

  /** The name of the operator's result. */
  add(op, inputs, ...attributes) {
    return this.addMany(1, op, inputs, ...attributes)[0];
  }
  addMany(nResults, op, inputs, ...attributes) {
    const node = this.#nodes.length;
    const results = Array.from({ length: nResults }, (_, i) => `v${node}.${i}`);
    const names = [
      ...inputs.map((name) => message(1, name)),
      ...results.map((name) => message(2, name)),
    ];
    this.#nodes.push(message(1, ...names, message(4, op), ...attributes));
    return results;
  }
  constant(shape, numbers) {
    const name = `w${this.#tensors.length}`;
    this.#tensors.push(tensor(name, shape, numbers));
    return name;
  }
  model(name, inputs, output) {
    const graph = message(
      7,
      ...this.#nodes,
      message(2, name),
      ...this.#tensors,
      ...inputs.map((input) => valueInfo(11, input)),
      valueInfo(12, output),
    );
    return Buffer.concat([number(1, 8), graph, message(8, number(2, 17))]);
  }
}
