// Decoders of ggml's K-quants, IQ4_XS and a type with a grid, beside decoders of the same values in
// f32.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "infer/decoder/k_quant_tensors.h"
#include "infer/decoder/synthetic_decoder.h"
#include "kernels/gemm/weight_matrix.h"

namespace ambry::infer {
namespace {

using testing::DecoderRun;
using testing::SyntheticDecoder;

double cosine(std::span<const float> a, std::span<const float> b) {
  double ab = 0;
  double aa = 0;
  double bb = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    ab += double{a[i]} * b[i];
    aa += double{a[i]} * a[i];
    bb += double{b[i]} * b[i];
  }
  return ab / std::sqrt(aa * bb);
}

TEST(KQuantDecoder, RunsLikeItsValues) {
  const std::vector<uint32_t> ids = {1, 39, 7, 7, 20, 33, 4, 12, 3};
  for (const kernels::SuperBlockLayout& layout : kernels::kSuperBlockLayouts) {
    SyntheticDecoder blocks = SyntheticDecoder::make(R"({"architecture": "llama", "n_vocab": 40,
        "n_embd": 256, "n_layers": 1, "n_heads": 2, "n_ff": 512, "max_seq_len": 16})");
    SyntheticDecoder plain = blocks;
    uint64_t stored = 0;
    for (size_t i = 0; i < blocks.model.tensors.size(); ++i) {
      if (blocks.model.tensors[i].shape.rank() == 2) {
        plain.set_floats(i, testing::use_k_quant(blocks, i, layout.dtype));
      }
      stored += blocks.bytes[i].size();
    }
    Decoder first = blocks.build();
    Decoder second = plain.build();
    EXPECT_GE(first.weight_bytes(), stored);
    const bool grid = layout.dtype == tensor::DType::IQ3_XXS;  // from 3.06 to 4.63 bits
    EXPECT_LE(first.weight_bytes(), stored * (grid ? 155 : 106) / 100);
    DecoderRun run(first);
    DecoderRun other(second);
    ASSERT_TRUE(run.feed(ids, Logits::Each));
    ASSERT_TRUE(other.feed(ids, Logits::Each));
    for (size_t i = 0; i < ids.size(); ++i) {
      EXPECT_GE(cosine(run.logits(i), other.logits(i)), 0.9995) << tensor::dtype_name(layout.dtype);
    }
  }
}

}  // namespace
}  // namespace ambry::infer
