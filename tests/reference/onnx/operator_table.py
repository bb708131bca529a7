"""Writes core/formats/onnx/operator_table.cpp: what ONNX says about its operators, by version.

Usage: operator_table.py CHANGELOG CHANGELOG_ML > operator_table.cpp
The two pages are the change logs of the operators in the folder docs of ONNX's repository (here: version 1.23).
"""

import re
import sys

TYPES = {
    "float": "f", "int": "i", "string": "s", "tensor": "t", "graph": "g", "sparse_tensor": "p", "type_proto": "y",
    "list of floats": "F", "list of ints": "I", "list of strings": "S", "list of tensors": "T",
    "list of graphs": "G", "list of sparse_tensors": "P", "list of type_protos": "Y",
}
# onnxruntime has this operator in the domain of ONNX, though ONNX does not.
OTHERS = {"SimplifiedLayerNormalization": [(1, "2,2,1,3,axis=i epsilon=f stash_type=i")]}
# Operators of onnxruntime, by their page of contributed operators: those that exported models have, with the least
# number of inputs, and the names of others. More inputs and attributes are added without a new version.
MICROSOFT = {
    "Attention": 2, "BiasGelu": 2, "BiasSplitGelu": 2, "DecoderMaskedMultiHeadAttention": 1, "DequantizeLinear": 2,
    "DynamicQuantizeMatMul": 3, "EmbedLayerNormalization": 6, "FastGelu": 1, "FusedConv": 2, "FusedGemm": 2,
    "FusedMatMul": 2, "GatherBlockQuantized": 3, "Gelu": 1, "GroupNorm": 3, "GroupQueryAttention": 7,
    "MatMulBnb4": 3, "MatMulIntegerToFloat": 4, "MatMulNBits": 3, "MultiHeadAttention": 1, "QAttention": 5,
    "QGemm": 6, "QLinearAdd": 7, "QLinearAveragePool": 5, "QLinearConcat": 5, "QLinearGlobalAveragePool": 5,
    "QLinearLeakyRelu": 5, "QLinearMul": 7, "QLinearSigmoid": 5, "QLinearSoftmax": 5, "QMoE": 3, "MoE": 3,
    "QuantizeLinear": 2, "QuickGelu": 1, "RotaryEmbedding": 4, "SkipGroupNorm": 4, "SkipLayerNormalization": 3,
    "SkipSimplifiedLayerNormalization": 3, "SparseAttention": 9, "Trilu": 1,
}
MICROSOFT_OTHERS = """AttnLSTM BeamSearch BiasAdd BiasDropout BiasSoftmax BifurcationDetector BitmaskBiasDropout
BitmaskDropout CDist CausalConvWithState ComplexMul ComplexMulConj ConvTransposeWithDynamicPads CropAndResize
DecoderAttention DecoderMaskedSelfAttention DequantizeBFP DequantizeWithOrder DynamicQuantizeLSTM DynamicTimeWarping
EPContext EngramGate ExpandDims FusedMatMulActivation GatedAdd GatedDeltaNet GatedRMSNorm GatedRelativePositionBias
GatherND GemmFastGelu GemmFloat8 GemmaRotaryEmbedding GreedySearch GridSample Inverse Irfft LinearAttention
LinearAttentionGate LongformerAttention MRotaryEmbedding MatMulBlockQuantizedFp4Weight MatMulBlockQuantizedFp8Weight
MatMulFpQ4 MatMulInteger16 MatMulNBitsMlp MatMulNBitsQkv MaxpoolWithMask MulInteger MurmurHash3 NGramHashMapping
NGramRepeatBlock NhwcConv NhwcFusedConv NhwcMaxPool PackedAttention PackedMultiHeadAttention Pad PagedAttention
QLinearConv QLinearReduceMean QLinearWhere QOrderedAttention QOrderedGelu QOrderedLayerNormalization
QOrderedLongformerAttention QOrderedMatMul QuantizeBFP QuantizeWithOrder Range ReduceSumInteger RelativePositionBias
RemovePadding RestorePadding Rfft SampleOp Sampling Snpe SparseToDenseMatMul Tokenizer TorchEmbedding TransposeMatMul
UnfoldTensor Unique VarlenCausalConvWithState VarlenNGramHashMapping WhisperBeamSearch WordConvEmbedding IsAllFinite
QEmbedLayerNormalization""".split()


def microsoft():
    rows = {name: [(1, f"{least},*,1,*,?")] for name, least in MICROSOFT.items()}
    return rows | {name: [(1, "0,*,0,*,?")] for name in MICROSOFT_OTHERS}


def counts(section, word):
    match = re.search(rf"#### {word}s?(?: \((\d+) - ([^)]+)\))?\n", section)
    if not match:
        return "0,0"
    if match[1]:
        return f"{match[1]},{match[2] if match[2].isdigit() else '*'}"
    block = section[match.end():].split("\n#### ")[0]
    n = block.count("<dt>")
    return f"{n},{n}"


def attributes(section):
    match = re.search(r"#### Attributes\n", section)
    if not match:
        return ""
    block = section[match.end():].split("\n#### ")[0]
    found = re.findall(r"<dt><tt>(\w+)</tt> : ([a-z_ ]+?)( \(required\)| \(default is .*)?</dt>", block)
    return " ".join(f"{name}={TYPES[kind]}{'!' if 'required' in more else ''}" for name, kind, more in found)


def operators(page):
    rows = {}
    parts = re.split(r"### <a name=\"([\w.]+)-(\d+)\"></a>", page)
    for name, version, section in zip(parts[1::3], parts[2::3], parts[3::3]):
        deprecated = section.startswith(f"**{name}-{version}** (deprecated)")
        row = "x" if deprecated else f"{counts(section, 'Input')},{counts(section, 'Output')},{attributes(section)}"
        rows.setdefault(name, []).append((int(version), row))
    return rows


def text_of(rows):
    words = []
    for name in sorted(rows):
        last = None
        entry = name
        for version, row in sorted(rows[name]):
            if row != last:
                entry += f"|{version}:{row.rstrip(',')}"
            last = row
        words.append(entry)
    text = "\n".join(words) + "\n"
    # Lines of 96 columns; a line that begins with a tab goes on the one before.
    lines = []
    for line in text.splitlines():
        first = True
        while line:
            room = 96 if first else 95
            room -= line[room - 1:room] == " "
            lines.append(("" if first else "\t") + line[:room])
            line = line[room:]
            first = False
    return lines


def main():
    onnx = open(sys.argv[1], encoding="utf-8").read().split("\n# ai.onnx.preview")[0]
    ml = open(sys.argv[2], encoding="utf-8").read()
    rows = operators(onnx)
    rows.update(OTHERS)
    newest = max(int(v) for v in re.findall(r"## Version (\d+) of the default ONNX operator set", onnx))
    newest_ml = max(int(v) for v in re.findall(r"## Version (\d+) of the 'ai.onnx.ml' operator set", ml))
    ml_rows = {name.removeprefix("ai.onnx.ml."): row for name, row in operators(ml).items()}
    print('// Written by tests/reference/onnx/operator_table.py from the pages of ONNX 1.23.')
    print('#include "formats/onnx/operator_table.h"\n')
    print("namespace ambry::formats::onnx {\n")
    print(f"const int64_t kNewestOpset = {newest};\nconst int64_t kNewestMlOpset = {newest_ml};\n")
    for name, table in (
        ("kOnnxOperators", rows), ("kMlOperators", ml_rows), ("kMicrosoftOperators", microsoft())
    ):
        print(f"const std::string_view {name} =\n    R\"(")
        print("\n".join(text_of(table)))
        print(")\";\n")
    print("}  // namespace ambry::formats::onnx")


main()
