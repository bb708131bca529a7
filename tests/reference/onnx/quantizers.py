"""Writes weights of ONNX graphs in the quantized forms that onnxruntime's tools write, by their
public documentation. These are imitations: nothing here is taken from onnxruntime.

A function gets a weight W [in, out] in float32, adds nodes and initializers to a Graph, and
returns the float32 matrix for which the codes stand.
"""
import numpy as np
from onnx import TensorProto, helper, numpy_helper

MICROSOFT = "com.microsoft"
UINT4, INT4 = 21, 22

NF4 = np.array([-1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453,
                -0.28444138169288635, -0.18477343022823334, -0.09105003625154495, 0.0,
                0.07958029955625534, 0.16093020141124725, 0.24611230194568634, 0.33791524171829224,
                0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1.0], np.float32)
FP4_HALF = np.array([0, 0.005208333333, 0.66666667, 1, 0.33333333, 0.5, 0.16666667, 0.25],
                    np.float32)
FP4 = np.concatenate([FP4_HALF, -FP4_HALF])


class Graph:
    """Nodes and initializers of a graph that is being made."""

    def __init__(self):
        self.nodes, self.initializers = [], []
        self.quantized = {}  # inputs that have a DynamicQuantizeLinear
        self.floats = TensorProto.FLOAT

    def node(self, op, inputs, outputs, name="", domain="", **attributes):
        self.nodes.append(helper.make_node(op, inputs, outputs, name, domain=domain, **attributes))
        return outputs[0]

    def add(self, name, array):
        self.initializers.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def add_nibbles(self, name, codes, kind):
        """A tensor of 4-bit numbers, the first of a byte in its low half."""
        tensor = TensorProto(name=name, data_type=kind, dims=codes.shape)
        tensor.raw_data = pack_nibbles(codes.reshape(-1)).tobytes()
        self.initializers.append(tensor)
        return name


def pack_nibbles(codes):
    flat = (np.asarray(codes).astype(np.int64) & 15).astype(np.uint8)
    if len(flat) % 2:
        flat = np.append(flat, np.uint8(0))
    return flat[0::2] | (flat[1::2] << 4)


def pack_bits(rows, bits):
    """Each row of codes as bytes, from the lowest bit on."""
    per_byte = 8 // bits
    padded = np.zeros((rows.shape[0], -(-rows.shape[1] // per_byte) * per_byte), np.uint8)
    padded[:, :rows.shape[1]] = rows
    packed = np.zeros((rows.shape[0], padded.shape[1] // per_byte), np.uint8)
    for i in range(per_byte):
        packed |= padded[:, i::per_byte] << np.uint8(i * bits)
    return packed


def codes_of(weight, kind, axis=None, reduce_range=False):
    """Codes, scales and zero points: of the tensor, or of each index along the axis."""
    over = None if axis is None else tuple(i for i in range(weight.ndim) if i != axis)
    low = np.minimum(weight.min(axis=over), 0).astype(np.float32)
    high = np.maximum(weight.max(axis=over), 0).astype(np.float32)
    if kind == "int8":
        most = 64 if reduce_range else 127
        scale = (np.maximum(-low, high) / np.float32(most)).astype(np.float32)
        zero = np.zeros_like(scale).astype(np.int8)
        least, largest, dtype = -most, most, np.int8
    else:
        least, largest, dtype = 0, 127 if reduce_range else 255, np.uint8
        scale = ((high - low) / np.float32(largest)).astype(np.float32)
        scale = np.where(scale == 0, np.float32(1), scale).astype(np.float32)
        zero = np.clip(np.rint(-low / scale), 0, largest).astype(np.uint8)
    scale = np.where(scale == 0, np.float32(1), scale).astype(np.float32)
    shape = [1] * weight.ndim
    if axis is not None:
        shape[axis] = -1
    wide = scale.reshape(shape) if axis is not None else scale
    wide_zero = zero.reshape(shape) if axis is not None else zero
    codes = np.clip(np.rint(weight / wide) + wide_zero.astype(np.float32), least, largest)
    codes = codes.astype(dtype)
    exact = (codes.astype(np.float32) - wide_zero.astype(np.float32)) * wide
    return codes, scale, zero, exact.astype(np.float32)


def add_codes(graph, name, weight, kind, axis=None, reduce_range=False):
    codes, scale, zero, exact = codes_of(weight, kind, axis, reduce_range)
    graph.add(name + "_quantized", codes)
    graph.add(name + "_scale", scale)
    graph.add(name + "_zero_point", zero)
    return exact


def dynamic_matmul(graph, x, weight, y, name, node_name, kind="uint8", per_channel=False,
                   reduce_range=False):
    """quantize_dynamic: MatMulInteger of codes that DynamicQuantizeLinear makes while it runs."""
    exact = add_codes(graph, name, weight, kind, 1 if per_channel else None, reduce_range)
    if x not in graph.quantized:
        graph.node("DynamicQuantizeLinear", [x],
                   [x + "_quantized", x + "_scale", x + "_zero_point"], x + "_QuantizeLinear")
        graph.quantized[x] = True
    product, quant = y + "_output_quantized", node_name + "_quant"
    graph.node("MatMulInteger",
               [x + "_quantized", name + "_quantized", x + "_zero_point", name + "_zero_point"],
               [product], quant)
    graph.node("Cast", [product], [product + "_cast_output"], product + "_cast", to=1)
    graph.node("Mul", [x + "_scale", name + "_scale"], [quant + "_scales_mul:0"],
               quant + "_scales_mul")
    graph.node("Mul", [product + "_cast_output", quant + "_scales_mul:0"], [y],
               quant + "_output_scale_mul")
    return exact


def dynamic_gather(graph, ids, table, y, name, node_name, kind="uint8", **_):
    """quantize_dynamic: rows of codes, then DequantizeLinear."""
    exact = add_codes(graph, name, table, kind)
    graph.node("Gather", [name + "_quantized", ids], [y + "_quantized"], node_name + "_quant")
    graph.node("DequantizeLinear", [y + "_quantized", name + "_scale", name + "_zero_point"], [y],
               y + "_DequantizeLinear")
    return exact


def fused_matmul(graph, x, weight, y, name, node_name, kind="uint8", per_channel=True, bias=None):
    """DynamicQuantizeMatMul, into which onnxruntime joins these nodes."""
    exact = add_codes(graph, name, weight, kind, 1 if per_channel else None)
    inputs = [x, name + "_quantized", name + "_scale", name + "_zero_point"]
    if bias is not None:
        inputs.append(graph.add(name + "_bias", bias))
    graph.node("DynamicQuantizeMatMul", inputs, [y], node_name, MICROSOFT)
    return exact


def joined_matmul(graph, x, weight, y, name, node_name, kind="int8"):
    """MatMulIntegerToFloat behind DynamicQuantizeLinear."""
    exact = add_codes(graph, name, weight, kind, 1)
    graph.node("DynamicQuantizeLinear", [x], [x + "_quantized", x + "_scale", x + "_zero_point"])
    graph.node("MatMulIntegerToFloat",
               [x + "_quantized", name + "_quantized", x + "_scale", name + "_scale",
                x + "_zero_point", name + "_zero_point"], [y], node_name, MICROSOFT)
    return exact


def dequantized_matmul(graph, x, weight, y, name, node_name, kind="int8", axis=None,
                       turned=False):
    """QDQ: MatMul with what DequantizeLinear makes; `turned` has [out, in] and a Transpose."""
    stored = weight.T if turned else weight
    exact = add_codes(graph, name, stored, kind, axis)
    attributes = {} if axis is None else {"axis": axis}
    value = graph.node("DequantizeLinear",
                       [name + "_quantized", name + "_scale", name + "_zero_point"],
                       [name + "_dequantized"], name + "_DequantizeLinear", **attributes)
    if turned:
        value = graph.node("Transpose", [value], [name + "_turned"], perm=[1, 0])
    graph.node("MatMul", [x, value], [y], node_name)
    return exact.T if turned else exact


def blocked_dequantized_matmul(graph, x, weight, y, name, node_name, kind=INT4, block=16):
    """QDQ with blocks along the rows of [in, out], 4 bits (opset 21)."""
    n_in, n_out = weight.shape
    blocks = weight.reshape(n_in // block, block, n_out)
    if kind == INT4:
        scale = (np.abs(blocks).max(axis=1) / np.float32(7)).astype(np.float32)
        zero = np.zeros(scale.shape, np.int64)
        least, largest = -8, 7
    else:
        low = np.minimum(blocks.min(axis=1), 0)
        scale = ((np.maximum(blocks.max(axis=1), 0) - low) / np.float32(15)).astype(np.float32)
        zero = np.clip(np.rint(-low / scale), 0, 15).astype(np.int64)
        least, largest = 0, 15
    codes = np.clip(np.rint(blocks / scale[:, None]) + zero[:, None], least, largest)
    exact = ((codes - zero[:, None]).astype(np.float32) * scale[:, None]).reshape(n_in, n_out)
    graph.add_nibbles(name + "_quantized", codes.reshape(n_in, n_out), kind)
    graph.add(name + "_scale", scale)
    inputs = [name + "_quantized", name + "_scale"]
    if kind == UINT4:
        inputs.append(graph.add_nibbles(name + "_zero_point", zero, kind))
    value = graph.node("DequantizeLinear", inputs, [name + "_dequantized"],
                       name + "_DequantizeLinear", axis=0, block_size=block)
    graph.node("MatMul", [x, value], [y], node_name)
    return exact.astype(np.float32)


def block_codes(rows, bits, block, symmetric, scale_type=np.float32):
    """Codes, scales, zero points and values of [out, in], whose rows have blocks."""
    n_out, n_in = rows.shape
    n_blocks = -(-n_in // block)
    padded = np.zeros((n_out, n_blocks * block), np.float32)
    padded[:, :n_in] = rows
    blocks = padded.reshape(n_out, n_blocks, block)
    top, half = 2 ** bits - 1, 2 ** (bits - 1)
    if symmetric:
        scale = np.abs(blocks).max(axis=2) / np.float32(half - 1 if bits > 2 else 1)
        zero = np.full(scale.shape, half)
    else:
        low = np.minimum(blocks.min(axis=2), 0)
        scale = (np.maximum(blocks.max(axis=2), 0) - low) / np.float32(top)
        zero = None
    scale = np.where(scale == 0, 1, scale).astype(scale_type)
    if zero is None:
        zero = np.clip(np.rint(-low / scale.astype(np.float32)), 0, top)
    codes = np.clip(np.rint(blocks / scale.astype(np.float32)[:, :, None]) + zero[:, :, None], 0,
                    top).astype(np.uint8)
    exact = (codes.astype(np.float32) - zero[:, :, None].astype(np.float32)) * scale.astype(
        np.float32)[:, :, None]
    exact = exact.reshape(n_out, -1)[:, :n_in].astype(np.float32)
    return codes, scale, zero.astype(np.uint8), exact


def nbits_matmul(graph, x, weight, y, name, node_name, bits=4, block=32, symmetric=True, bias=None,
                 scale_type=np.float32, **attributes):
    """MatMulNBits: `W_Q4` [out, blocks, bytes], as onnxruntime's weight-only quantizers write it."""
    n_in, n_out = weight.shape
    codes, scale, zero, exact = block_codes(weight.T, bits, block, symmetric, scale_type)
    packed = pack_bits(codes.reshape(n_out, -1), bits)
    graph.add(name + f"_Q{bits}", packed.reshape(n_out, codes.shape[1], block * bits // 8))
    graph.add(name + "_scales", scale.reshape(-1))
    inputs = [x, name + f"_Q{bits}", name + "_scales"]
    if not symmetric:
        inputs.append(graph.add(name + "_zero_points", pack_bits(zero, bits).reshape(-1)))
    if bias is not None:
        inputs += [""] * (5 - len(inputs)) + [graph.add(name + "_bias", bias)]
    graph.node("MatMulNBits", inputs, [y], node_name + f"_Q{bits}", MICROSOFT, K=n_in, N=n_out,
               bits=bits, block_size=block, **attributes)
    return exact.T


def bnb4_matmul(graph, x, weight, y, name, node_name, kind=1, block=32):
    """MatMulBnb4: NF4 (1) or FP4 (0), blocks over the list of all weights of [out, in]."""
    n_in, n_out = weight.shape
    table = NF4 if kind == 1 else FP4
    flat = weight.T.reshape(-1)
    n_blocks = -(-len(flat) // block)
    padded = np.zeros(n_blocks * block, np.float32)
    padded[:len(flat)] = flat
    blocks = padded.reshape(n_blocks, block)
    scale = np.abs(blocks).max(axis=1).astype(np.float32)
    scale = np.where(scale == 0, np.float32(1), scale)
    codes = np.abs(blocks[:, :, None] / scale[:, None, None] - table).argmin(axis=2)
    exact = (table[codes] * scale[:, None]).reshape(-1)[:len(flat)].reshape(n_out, n_in)
    codes = codes.reshape(-1)[:len(flat)].astype(np.uint8)
    if len(codes) % 2:
        codes = np.append(codes, np.uint8(0))
    graph.add(name + "_Bnb4", (codes[0::2] << 4) | codes[1::2])
    graph.add(name + "_absmax", scale)
    graph.node("MatMulBnb4", [x, name + "_Bnb4", name + "_absmax"], [y], node_name + "_Bnb4",
               MICROSOFT, K=n_in, N=n_out, block_size=block, quant_type=kind)
    return exact.T


def block_gather(graph, ids, table, y, name, node_name, bits=4, block=16, symmetric=False,
                 tied=False):
    """GatherBlockQuantized of uint8 codes; `tied` are the codes of a MatMulNBits, reshaped."""
    codes, scale, zero, exact = block_codes(table, bits, block, symmetric)
    rows = codes.reshape(table.shape[0], -1)[:, :table.shape[1]]
    packed = pack_bits(rows, bits)
    data = name + f"_Q{bits}"
    if tied:
        graph.add(data, packed.reshape(*codes.shape[:2], -1))
        graph.add(name + "_shape", np.array(packed.shape, np.int64))
        data = graph.node("Reshape", [data, name + "_shape"], [name + "_reshaped"])
    else:
        graph.add(data, packed)
    graph.add(name + "_scales", scale)
    inputs = [data, ids, name + "_scales"]
    if not symmetric:
        inputs.append(graph.add(name + "_zero_points", pack_bits(zero, bits)))
    graph.node("GatherBlockQuantized", inputs, [y], node_name, MICROSOFT, gather_axis=0,
               quantize_axis=1, block_size=block, bits=bits)
    return exact
