"""Writes tests/fixtures/quantized_checkpoints.json: small matrices as MLX, GPTQ, AWQ, compressed-tensors, FP8 and
bitsandbytes store them, and what they stand for in float32.

    python3 tests/reference/quantized_checkpoints.py      (Debian: python3-numpy)

The numbers are packed here from random codes and scales, and unpacked again by the rules that the libraries publish:
mlx.core.dequantize, AutoGPTQ's and GPTQModel's QuantLinear, AutoAWQ's unpack_awq, compressed_tensors' pack_quantized,
transformers' finegrained_fp8, and bitsandbytes' functional.dequantize_4bit. A weight is computed in float32, step by step.
"""
import base64
import json
import pathlib
import zlib

import numpy as np

ROWS, COLS = 40, 96
CASES = {}
NAMES = {"uint8": "U8", "int8": "I8", "int32": "I32", "uint32": "U32", "int64": "I64", "float16": "F16",
         "float32": "F32"}


def text(array):
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()


class Bf16:
    """Numbers as bfloat16, which numpy does not have: the bits, and the values."""

    def __init__(self, values):
        bits = np.asarray(values, np.float32).view(np.uint32).astype(np.uint64)
        self.bits = ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)
        self.values = (self.bits.astype(np.uint32) << 16).view(np.float32)


class Fp8:
    def __init__(self, codes, kind):
        self.codes, self.kind = codes, kind


def stored(array):
    if isinstance(array, Bf16):
        return ["BF16", list(array.bits.shape), text(array.bits)]
    if isinstance(array, Fp8):
        return ["F8_" + array.kind, list(array.codes.shape), text(array.codes)]
    return [NAMES[array.dtype.name], list(array.shape), text(array)]


def floats(array):
    return array.values if isinstance(array, Bf16) else array.astype(np.float32)


def case(name, config, tensors, matrices):
    """matrices: the name of each, its values and the type of AMB with the same codes."""
    CASES[name] = {
        "config": config,
        "tensors": {key: stored(value) for key, value in tensors.items()},
        "matrices": {key: {"shape": list(values.shape), "crc32": zlib.crc32(values.astype("<f4").tobytes()),
                           "first": text(values[0].astype("<f4")), "kept": kept}
                     for key, (values, kept) in matrices.items()}}


def random(name):
    return np.random.RandomState(zlib.crc32(name.encode()) & 0x7FFFFFFF)


def pack_bits(codes, bits):
    """Rows of codes as streams of bits in words of 32, from the lowest bit on."""
    rows, n = codes.shape
    words = np.zeros((rows, -(-n * bits // 32)), np.uint32)
    for i in range(n):
        code, at = codes[:, i].astype(np.uint64), i * bits
        both = code << np.uint64(at % 32)
        words[:, at // 32] |= (both & np.uint64(0xFFFFFFFF)).astype(np.uint32)
        if at % 32 + bits > 32:
            words[:, at // 32 + 1] |= (both >> np.uint64(32)).astype(np.uint32)
    return words


def unpack_bits(words, bits, n):
    """Bit by bit, which is slower and simpler than what reads files."""
    stream = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")
    return sum(stream[:, k::bits][:, :n].astype(np.int32) << k if n * bits == stream.shape[1] else
               stream[:, [i * bits + k for i in range(n)]].astype(np.int32) << k for k in range(bits))


def spread(groups, size, n):
    """A number for each group of columns as one for each column."""
    return np.repeat(groups, size, axis=1)[:, :n]


def mlx(name, bits, size, kind, cols=COLS, module="model.layers.0.mlp.up_proj"):
    r = random(name + module)
    cols = max(cols, size)
    words = pack_bits(r.randint(0, 1 << bits, (ROWS, cols)), bits)
    scales, biases = kind(r.uniform(-0.03, 0.03, (ROWS, cols // size))), kind(r.uniform(-0.3, 0.3, (ROWS, cols // size)))
    product = unpack_bits(words, bits, cols).astype(np.float32) * spread(floats(scales), size, cols)
    values = (product + spread(floats(biases), size, cols)).astype(np.float32)
    return {f"{module}.weight": words, f"{module}.scales": scales, f"{module}.biases": biases}, values


def kept_mlx(bits):
    """The type with minima that has codes of so many bits."""
    return "int4_block" if bits <= 4 else "int5_block" if bits == 5 else "int8"


def add_mlx():
    half = lambda values: values.astype(np.float16)
    for name, bits, size, kind in [("mlx_2bit", 2, 32, half), ("mlx_3bit", 3, 32, Bf16), ("mlx_4bit", 4, 64, Bf16),
                                   ("mlx_4bit_f32", 4, 32, lambda v: v.astype(np.float32)), ("mlx_5bit", 5, 32, Bf16),
                                   ("mlx_6bit", 6, 32, half), ("mlx_8bit", 8, 128, Bf16)]:
        tensors, values = mlx(name, bits, size, kind, cols=128 if size > 32 else COLS)
        case(name, {"quantization": {"group_size": size, "bits": bits},
                    "quantization_config": {"group_size": size, "bits": bits}}, tensors,
             {"model.layers.0.mlp.up_proj.weight": (values, kept_mlx(bits))})
    both, matrices = {}, {}
    for module, bits, size in [("model.embed_tokens", 8, 32), ("model.layers.0.mlp.up_proj", 4, 64)]:
        tensors, values = mlx("mlx_overrides", bits, size, Bf16, cols=128, module=module)
        both.update(tensors)
        matrices[f"{module}.weight"] = (values, kept_mlx(bits))
    case("mlx_overrides", {"quantization": {"group_size": 64, "bits": 4, "mode": "affine",
                                            "model.embed_tokens": {"group_size": 32, "bits": 8}}}, both, matrices)


def gptq(name, bits, size, kept, sym=True, act=False, v2=False, rows=ROWS):
    r = random(name)
    groups = -(-COLS // size)
    codes = r.randint(0, 1 << bits, (COLS, rows))
    zeros = np.full((groups, rows), 1 << (bits - 1)) if sym else r.randint(0, 1 << bits, (groups, rows))
    order = r.permutation(COLS) // size if act else np.arange(COLS) // size
    qweight = pack_bits(codes.T, bits).T
    qzeros = pack_bits((zeros - (0 if v2 else 1)) & ((1 << bits) - 1), bits)
    scales = r.uniform(0.001, 0.02, (groups, rows)).astype(np.float16)
    read = unpack_bits(np.ascontiguousarray(qweight.T), bits, COLS)
    zero = unpack_bits(qzeros, bits, rows)
    if not v2:
        zero = zero + 1 & (1 << bits) - 1
    values = (read - zero[order].T).astype(np.float32) * floats(scales)[order].T
    config = {"quantization_config": {"quant_method": "gptq", "bits": bits, "group_size": -1 if size == COLS else size,
                                      "desc_act": act, "sym": sym}}
    if v2:
        config["quantization_config"]["checkpoint_format"] = "gptq_v2"
    module = "model.layers.0.mlp.up_proj"
    case(name, config, {f"{module}.qweight": np.ascontiguousarray(qweight).view(np.int32),
                        f"{module}.qzeros": qzeros.view(np.int32), f"{module}.scales": scales,
                        f"{module}.g_idx": order.astype(np.int32)}, {f"{module}.weight": (values, kept)})


def add_gptq():
    gptq("gptq_4bit", 4, 32, "int4_block")
    gptq("gptq_4bit_asymmetric", 4, 32, "int5_block", sym=False)
    gptq("gptq_4bit_v2", 4, 32, "int5_block", sym=False, v2=True)
    gptq("gptq_4bit_one_group", 4, COLS, "int4_block")
    gptq("gptq_desc_act", 4, 32, "f32", act=True)
    gptq("gptq_2bit", 2, 32, "int4_block", rows=48)
    gptq("gptq_3bit", 3, 32, "int4_block", rows=64)
    gptq("gptq_8bit", 8, 32, "int8")
    gptq("gptq_8bit_asymmetric", 8, 32, "f32", sym=False)


def add_awq():
    order = [0, 2, 4, 6, 1, 3, 5, 7]
    undo = [0, 4, 1, 5, 2, 6, 3, 7]
    r = random("awq")
    groups = COLS // 32

    def pack(codes):
        words = np.zeros((codes.shape[0], codes.shape[1] // 8), np.uint32)
        for place, column in enumerate(order):
            words |= codes[:, column::8].astype(np.uint32) << (4 * place)
        return words

    def unpack(words):
        places = np.stack([words >> (4 * place) & 15 for place in range(8)], axis=2)
        return places[:, :, undo].reshape(words.shape[0], -1).astype(np.int32)

    qweight, qzeros = pack(r.randint(0, 16, (COLS, ROWS))), pack(r.randint(0, 16, (groups, ROWS)))
    scales = r.uniform(0.001, 0.02, (groups, ROWS)).astype(np.float16)
    each = np.arange(COLS) // 32
    values = ((unpack(qweight) - unpack(qzeros)[each]).astype(np.float32) * floats(scales)[each]).T
    module = "model.layers.0.mlp.up_proj"
    case("awq_4bit", {"quantization_config": {"quant_method": "awq", "bits": 4, "group_size": 32, "zero_point": True,
                                              "version": "gemm"}},
         {f"{module}.qweight": qweight.view(np.int32), f"{module}.qzeros": qzeros.view(np.int32),
          f"{module}.scales": scales}, {f"{module}.weight": (values, "int5_block")})


def compressed(name, weights, make, kept, layout):
    r = random(name)
    tensors, values = make(r)
    module = "model.layers.0.mlp.up_proj"
    config = {"quant_method": "compressed-tensors", "format": layout, "ignore": ["lm_head"],
              "config_groups": {"group_0": {"targets": ["Linear"], "input_activations": None, "weights": weights}}}
    case(name, {"quantization_config": config}, {f"{module}.{key}": value for key, value in tensors.items()},
         {f"{module}.weight": (values, kept)})


def packed_tensors(bits, size, cols, symmetric=True, act=False):
    def make(r):
        half = 1 << (bits - 1)
        groups = -(-cols // size)
        words = pack_bits(r.randint(0, 1 << bits, (ROWS, cols)), bits)
        scales = Bf16(r.uniform(0.001, 0.02, (ROWS, groups)))
        order = r.permutation(cols) // size if act else np.arange(cols) // size
        codes = unpack_bits(words, bits, cols) - half
        tensors = {"weight_packed": words.view(np.int32), "weight_scale": scales,
                   "weight_shape": np.array([ROWS, cols], np.int64)}
        zeros = np.zeros((ROWS, groups), np.int32)
        if not symmetric:
            packed = pack_bits(r.randint(0, 1 << bits, (groups, ROWS)), bits)
            tensors["weight_zero_point"] = np.ascontiguousarray(packed.T).view(np.int32)
            zeros = unpack_bits(packed, bits, ROWS).T - half
        if act:
            tensors["weight_g_idx"] = order.astype(np.int32)
        return tensors, (codes - zeros[:, order]).astype(np.float32) * scales.values[:, order]
    return make


def byte_tensors(scale_shape, size, symmetric=True):
    def make(r):
        codes = r.randint(-128, 128, (ROWS, COLS)).astype(np.int8)
        scales = Bf16(r.uniform(0.0001, 0.002, scale_shape))
        zeros = np.zeros(scale_shape, np.int8) if symmetric else r.randint(-20, 20, scale_shape).astype(np.int8)
        wide = lambda numbers: np.broadcast_to(np.repeat(numbers.reshape(-1, scale_shape[-1]), size, axis=1),
                                               (ROWS, COLS))
        values = (codes.astype(np.int32) - wide(zeros.astype(np.int32))).astype(np.float32) * wide(scales.values)
        tensors = {"weight": codes, "weight_scale": scales}
        if not symmetric:
            tensors["weight_zero_point"] = zeros
        return tensors, values
    return make


def fp8_values(codes, exponent_bits, mantissa_bits):
    """By the definition of the OCP's 8-bit floats; the codes here are finite."""
    bias = (1 << (exponent_bits - 1)) - 1
    sign = np.where(codes & 128, -1.0, 1.0)
    exponent = (codes & 127) >> mantissa_bits
    mantissa = codes & ((1 << mantissa_bits) - 1)
    normal = (1 + mantissa / (1 << mantissa_bits)) * 2.0 ** (exponent.astype(float) - bias)
    small = mantissa / (1 << mantissa_bits) * 2.0 ** (1 - bias)
    return (sign * np.where(exponent == 0, small, normal)).astype(np.float32)


def fp8_codes(r, kind):
    top = 126 if kind == "E4M3" else 123
    return (r.randint(0, top + 1, (ROWS, COLS)) | r.randint(0, 2, (ROWS, COLS)) << 7).astype(np.uint8)


def fp8_numbers(codes, kind):
    return fp8_values(codes.astype(np.int32), *((4, 3) if kind == "E4M3" else (5, 2)))


def float_tensors(scale_shape, block, key="weight_scale", kind="E4M3", scale_kind=Bf16):
    def make(r):
        codes = fp8_codes(r, kind)
        scales = scale_kind(r.uniform(0.0001, 0.002, scale_shape))
        grid = floats(scales).reshape(-1, 1) if len(scale_shape) < 2 else floats(scales)
        wide = np.repeat(np.repeat(grid, block[0], axis=0), block[1], axis=1)[:ROWS, :COLS]
        return {"weight": Fp8(codes, kind), key: scales}, fp8_numbers(codes, kind) * wide
    return make


def add_compressed():
    weights = lambda bits, strategy, **more: {"num_bits": bits, "type": "int", "strategy": strategy, "symmetric": True,
                                              "group_size": None, **more}
    pack = "pack-quantized"
    compressed("compressed_4bit", weights(4, "group", group_size=32), packed_tensors(4, 32, COLS), "int4_block", pack)
    compressed("compressed_4bit_asymmetric", weights(4, "group", group_size=32, symmetric=False),
               packed_tensors(4, 32, COLS, symmetric=False), "int5_block", pack)
    compressed("compressed_4bit_actorder", weights(4, "group", group_size=32, actorder="group"),
               packed_tensors(4, 32, COLS, act=True), "f32", pack)
    compressed("compressed_4bit_padded", weights(4, "channel"), packed_tensors(4, 90, 90), "int4_block", pack)
    compressed("compressed_8bit_packed", weights(8, "channel"), packed_tensors(8, COLS, COLS), "int8", pack)
    compressed("compressed_int8", weights(8, "channel"), byte_tensors((ROWS, 1), COLS), "int8", "int-quantized")
    compressed("compressed_int8_tensor", weights(8, "tensor", symmetric=False), byte_tensors((1,), COLS, False), "f32",
               "int-quantized")
    real = lambda strategy, **more: {"num_bits": 8, "type": "float", "strategy": strategy, "symmetric": True, **more}
    compressed("compressed_fp8", real("channel"), float_tensors((ROWS, 1), (1, COLS)), "f32", "float-quantized")
    compressed("compressed_fp8_block", real("block", block_structure=[16, 32]), float_tensors((3, 3), (16, 32)), "f32",
               "float-quantized")


def add_fp8():
    single = lambda values: np.asarray(values, np.float32)
    for name, more, make in [
            ("fp8_blocks", {"weight_block_size": [16, 64]},
             float_tensors((3, 2), (16, 64), "weight_scale_inv", scale_kind=single)),
            ("fp8_tensor", {"weight_block_size": None}, float_tensors((), (ROWS, COLS), scale_kind=single)),
            ("fp8_e5m2", {}, float_tensors((1,), (ROWS, COLS), "weight_scale_inv", "E5M2"))]:
        tensors, values = make(random(name))
        tensors["input_scale"] = np.float32([1.5])
        module = "model.layers.0.mlp.up_proj"
        case(name, {"quantization_config": {"quant_method": "fp8", "fmt": "e4m3", "activation_scheme": "dynamic", **more}},
             {f"{module}.{key}": value for key, value in tensors.items()}, {f"{module}.weight": (values, "f32")})
    tensors, values = float_tensors((ROWS, 1), (1, COLS), scale_kind=single)(random("fbgemm"))
    case("fp8_fbgemm", {"quantization_config": {"quant_method": "fbgemm_fp8"}},
         {f"{module}.{key}": value for key, value in tensors.items()}, {f"{module}.weight": (values, "f32")})


# bitsandbytes.functional.get_4bit_type
NF4 = [-1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635, -0.18477343022823334,
       -0.09105003625154495, 0.0, 0.07958029955625534, 0.16093020141124725, 0.24611230194568634, 0.33791524171829224,
       0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1.0]
FP4 = [0.0, 0.0052083333, 0.66666667, 1.0, 0.33333333, 0.5, 0.16666667, 0.25, -0.0, -0.0052083333, -0.66666667, -1.0,
       -0.33333333, -0.5, -0.16666667, -0.25]


def bitsandbytes_4bit(name, kind, nested):
    r = random(name)
    rows, cols, block = 40, 90, 64
    n = rows * cols
    codes = r.randint(0, 16, n).astype(np.uint8)
    packed = (codes[0::2] << 4 | codes[1::2]).reshape(-1, 1)
    table = np.float32(NF4 if kind == "nf4" else FP4)
    n_scales = -(-n // block)
    state = {"quant_type": kind, "blocksize": block, "dtype": "bfloat16", "shape": [rows, cols]}
    weight = "model.layers.0.mlp.up_proj.weight"
    tensors = {weight: packed, f"{weight}.quant_map": table}
    if nested:
        numbers = np.sort(r.uniform(-1, 1, 256)).astype(np.float32)
        of_scales, scales = r.uniform(0.01, 0.05, -(-n_scales // 32)).astype(np.float32), r.randint(0, 256, n_scales)
        offset = 0.0731234
        state.update(nested_blocksize=32, nested_dtype="float32", nested_offset=offset)
        tensors[f"{weight}.absmax"] = scales.astype(np.uint8)
        tensors[f"{weight}.nested_absmax"] = of_scales
        tensors[f"{weight}.nested_quant_map"] = numbers
        absmax = numbers[scales] * np.repeat(of_scales, 32)[:n_scales]
        absmax = absmax + np.float32(offset)
    else:
        absmax = r.uniform(0.01, 0.2, n_scales).astype(np.float32)
        tensors[f"{weight}.absmax"] = absmax
    tensors[f"{weight}.quant_state.bitsandbytes__{kind}"] = np.frombuffer(json.dumps(state).encode(), np.uint8)
    values = (table[codes] * np.repeat(absmax, block)[:n]).reshape(rows, cols)
    case(name, {"quantization_config": {"quant_method": "bitsandbytes", "load_in_4bit": True,
                                        "bnb_4bit_quant_type": kind, "bnb_4bit_use_double_quant": nested}},
         tensors, {weight: (values, "f32")})


def add_bitsandbytes():
    bitsandbytes_4bit("bitsandbytes_nf4", "nf4", False)
    bitsandbytes_4bit("bitsandbytes_nf4_nested", "nf4", True)
    bitsandbytes_4bit("bitsandbytes_fp4", "fp4", False)
    r = random("bitsandbytes_int8")
    codes, most = r.randint(-127, 128, (ROWS, COLS)).astype(np.int8), r.uniform(0.1, 2, ROWS).astype(np.float32)
    # bitsandbytes multiplies by the float32 next to 1 / 127.
    values = codes.astype(np.float32) * (most * np.float32(1 / 127))[:, None]
    module = "model.layers.0.mlp.up_proj"
    case("bitsandbytes_int8", {"quantization_config": {"quant_method": "bitsandbytes", "load_in_8bit": True}},
         {f"{module}.weight": codes, f"{module}.SCB": most, f"{module}.weight_format": np.uint8([0])[0:1]},
         {f"{module}.weight": (values, "int8")})


if __name__ == "__main__":
    add_mlx()
    add_gptq()
    add_awq()
    add_compressed()
    add_fp8()
    add_bitsandbytes()
    path = pathlib.Path(__file__).parent.parent / "fixtures" / "quantized_checkpoints.json"
    path.write_text(json.dumps(CASES, separators=(",", ":")) + "\n")
