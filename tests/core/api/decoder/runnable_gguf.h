// GGUF files of the conversion's tests with values and tokenizers that can run.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "api/decoder/open_generator.h"
#include "base/half.h"
#include "convert/gguf/gguf_models.h"

namespace ambry::api::testing {

// Small values that differ, in the place of the maker's bytes: f32, f16, bf16 and blocks that start
// with a scale.
inline void set_values(File& file) {
  const model::Model model = convert::testing::parsed(file, "gguf");
  uint32_t state = 1;
  const auto next = [&] { return state = state * 1664525U + 1013904223U; };
  const auto small = [&] { return static_cast<float>(static_cast<int>(next() >> 24) - 128) / 256; };
  for (const model::TensorEntry& tensor : model.tensors) {
    uint8_t* const begin = file.data() + tensor.offset;
    const bool norm = tensor.name.find("norm.weight") != std::string::npos;
    const tensor::Block block = tensor::block_of(tensor.dtype);
    for (uint64_t at = 0; at < tensor.bytes; at += block.bytes) {
      uint8_t* const to = begin + at;
      if (tensor.dtype == tensor::DType::F32) {
        store_le(to, norm ? 1 + small() : small());
      } else if (tensor.dtype == tensor::DType::F16) {
        store_le(to, f32_to_f16(small()));
      } else if (tensor.dtype == tensor::DType::BF16) {
        store_le(to, f32_to_bf16(small()));
      } else {
        for (size_t i = 2; i < block.bytes; ++i) to[i] = static_cast<uint8_t>(next() >> 24);
        store_le(to, f32_to_f16(0.01F + std::abs(small()) / 16));
      }
    }
  }
}

// The small tokenizers of the conversion's tests cannot run: one has pieces for some bytes only,
// the other a merge without a token.
inline formats::gguf::testing::GgufMaker runnable(formats::gguf::testing::GgufMaker maker) {
  namespace gg = formats::gguf::testing;
  using formats::gguf::ValueType;
  const auto has = [&](std::string_view key) {
    return std::ranges::find(maker.metadata, key, &gg::Entry::key) != maker.metadata.end();
  };
  if (has("tokenizer.ggml.merges")) {
    maker.entry("tokenizer.ggml.merges") = gg::texts("tokenizer.ggml.merges", {"a b"});
  }
  if (has("tokenizer.ggml.scores")) {
    maker.entry("tokenizer.ggml.tokens") = gg::texts(
        "tokenizer.ggml.tokens",
        {"<unk>", "<s>", "</s>", "b", "\xE2\x96\x81", "a", "\xE2\x96\x81\x61", "<|user|>"});
    maker.entry("tokenizer.ggml.token_type") =
        gg::numbers<int32_t>("tokenizer.ggml.token_type", ValueType::I32, {2, 3, 3, 1, 1, 1, 1, 4});
  }
  return maker;
}

}  // namespace ambry::api::testing
