// Small GGUF models of the supported architectures, and the values of any file's tensors.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "formats/gguf/make_gguf.h"
#include "formats/read_format.h"
#include "tensor/codec/stream_decoder.h"

namespace ambry::convert::testing {

namespace gg = formats::gguf::testing;
using formats::gguf::ValueType;
using File = std::vector<uint8_t>;

inline constexpr uint32_t kF32 = 0;
inline constexpr uint32_t kF16 = 1;
inline constexpr uint32_t kQ4 = 2;
inline constexpr uint32_t kQ4WithMinimum = 3;
inline constexpr uint32_t kQ5 = 6;
inline constexpr uint32_t kQ8 = 8;

// The facts of an architecture: width 32, 2 heads of 16, 1 layer, feed-forward width 64, 16
// positions.
inline std::vector<gg::Entry> facts(const std::string& architecture, uint32_t n_kv_heads = 2,
                                    const char* eps = "attention.layer_norm_rms_epsilon") {
  const std::string prefix = architecture + ".";
  return {gg::text("general.architecture", architecture),
          gg::text("general.name", "tiny"),
          gg::text("general.license", "mit"),
          gg::u32("general.quantization_version", 2),
          gg::u32(prefix + "block_count", 1),
          gg::u32(prefix + "context_length", 16),
          gg::u32(prefix + "embedding_length", 32),
          gg::u32(prefix + "feed_forward_length", 64),
          gg::u32(prefix + "attention.head_count", 2),
          gg::u32(prefix + "attention.head_count_kv", n_kv_heads),
          gg::f32(prefix + eps, 1e-5F)};
}

inline std::vector<gg::Entry> sentencepiece() {
  return {
      gg::text("tokenizer.ggml.model", "llama"),
      gg::texts("tokenizer.ggml.tokens", {"<unk>", "<s>", "</s>", "<0x41>", "\xE2\x96\x81", "a",
                                          "\xE2\x96\x81\x61", "<|user|>"}),
      gg::numbers<float>("tokenizer.ggml.scores", ValueType::F32, {0, 0, 0, 0, -1, -2, -3, -1000}),
      gg::numbers<int32_t>("tokenizer.ggml.token_type", ValueType::I32, {2, 3, 3, 6, 1, 1, 1, 4}),
      gg::u32("tokenizer.ggml.bos_token_id", 1),
      gg::u32("tokenizer.ggml.eos_token_id", 2),
      gg::u32("tokenizer.ggml.unknown_token_id", 0),
      gg::number("tokenizer.ggml.add_bos_token", ValueType::Bool, uint8_t{1}),
      gg::number("tokenizer.ggml.add_space_prefix", ValueType::Bool, uint8_t{0})};
}

inline std::vector<gg::Entry> byte_level(const char* pre = "gpt-2") {
  return {
      gg::text("tokenizer.ggml.model", "gpt2"),
      gg::text("tokenizer.ggml.pre", pre),
      gg::texts("tokenizer.ggml.tokens", {"a", "b", "ab", "\xC4\xA0", "c", "d", "e", "<|end|>"}),
      gg::numbers<int32_t>("tokenizer.ggml.token_type", ValueType::I32, {1, 1, 1, 1, 1, 1, 1, 3}),
      gg::texts("tokenizer.ggml.merges", {"a b", "ab \xC4\xA0"}),
      gg::u32("tokenizer.ggml.eos_token_id", 7)};
}

inline std::vector<gg::Entry> word_pieces() {
  return {
      gg::text("tokenizer.ggml.model", "bert"),
      gg::texts("tokenizer.ggml.tokens", {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]",
                                          "\xE2\x96\x81word", "ing", "\xE2\x96\x81\x61"}),
      gg::numbers<int32_t>("tokenizer.ggml.token_type", ValueType::I32, {3, 3, 3, 3, 3, 1, 1, 1}),
      gg::u32("tokenizer.ggml.padding_token_id", 0),
      gg::u32("tokenizer.ggml.unknown_token_id", 1),
      gg::u32("tokenizer.ggml.cls_token_id", 2),
      gg::u32("tokenizer.ggml.seperator_token_id", 3),
      gg::u32("tokenizer.ggml.mask_token_id", 4),
      gg::u32("tokenizer.ggml.token_type_count", 2)};
}

inline gg::GgufMaker model(std::vector<gg::Entry> facts, const std::vector<gg::Entry>& tokenizer,
                           std::vector<gg::Tensor> tensors) {
  gg::GgufMaker maker;
  maker.metadata = std::move(facts);
  maker.metadata.insert(maker.metadata.end(), tokenizer.begin(), tokenizer.end());
  maker.tensors = std::move(tensors);
  return maker;
}

inline gg::GgufMaker llama() {
  std::vector<gg::Entry> entries = facts("llama", 1);
  entries.push_back(gg::f32("llama.rope.freq_base", 5000.0F));
  return model(entries, sentencepiece(),
               {{"token_embd.weight", {8, 32}, kQ8},
                {"blk.0.attn_norm.weight", {32}},
                {"blk.0.attn_q.weight", {32, 32}, kQ4},
                {"blk.0.attn_k.weight", {16, 32}, kQ8},
                {"blk.0.attn_v.weight", {16, 32}, kQ5},
                {"blk.0.attn_output.weight", {32, 32}, kF16},
                {"blk.0.ffn_norm.weight", {32}},
                {"blk.0.ffn_gate.weight", {64, 32}, kQ4},
                {"blk.0.ffn_up.weight", {64, 32}, kQ5},
                {"blk.0.ffn_down.weight", {32, 64}, kQ8},
                {"output_norm.weight", {32}},
                {"output.weight", {8, 32}, 30}});
}

// Without user-defined tokens and with scores that follow the ids, as ALT needs.
inline gg::GgufMaker plain_llama(uint32_t type) {
  gg::GgufMaker maker = llama();
  maker.entry("tokenizer.ggml.scores") =
      gg::numbers<float>("tokenizer.ggml.scores", ValueType::F32, {0, 0, 0, 0, -1e9F, -5, -6, -7});
  maker.entry("tokenizer.ggml.token_type") =
      gg::numbers<int32_t>("tokenizer.ggml.token_type", ValueType::I32, {2, 3, 3, 6, 1, 1, 1, 1});
  for (gg::Tensor& tensor : maker.tensors) {
    if (tensor.type != kF32) tensor.type = type;
  }
  return maker;
}

inline gg::GgufMaker gemma() {
  std::vector<gg::Entry> entries = facts("gemma");
  entries.push_back(gg::u32("gemma.attention.key_length", 16));
  entries.push_back(gg::u32("gemma.attention.value_length", 16));
  gg::GgufMaker maker = llama();
  std::vector<gg::Tensor> tensors = maker.tensors;
  tensors.pop_back();  // the embedding is also the output
  tensors[3].shape = tensors[4].shape = {32, 32};
  return model(entries, sentencepiece(), tensors);
}

inline std::vector<gg::Tensor> with_biases(std::vector<gg::Tensor> tensors) {
  std::vector<gg::Tensor> all;
  for (const gg::Tensor& tensor : tensors) {
    all.push_back(tensor);
    const size_t dot = tensor.name.rfind('.');
    const bool table = tensor.name.find("_embd.") != std::string::npos ||
                       tensor.name.starts_with("token_types") || tensor.name == "output.weight";
    if (!table) all.push_back({tensor.name.substr(0, dot) + ".bias", {tensor.shape[0]}});
  }
  return all;
}

inline gg::GgufMaker phi2() {
  std::vector<gg::Entry> entries = facts("phi2", 2, "attention.layer_norm_epsilon");
  entries.push_back(gg::u32("phi2.rope.dimension_count", 8));
  std::vector<gg::Tensor> tensors = with_biases({{"token_embd.weight", {8, 32}, kF16},
                                                 {"blk.0.attn_norm.weight", {32}},
                                                 {"blk.0.attn_qkv.weight", {96, 32}, kQ4},
                                                 {"blk.0.attn_output.weight", {32, 32}, kQ8},
                                                 {"blk.0.ffn_up.weight", {64, 32}, kQ5},
                                                 {"blk.0.ffn_down.weight", {32, 64}, kF32},
                                                 {"output_norm.weight", {32}}});
  tensors.push_back({"output.weight", {8, 32}, kQ8});
  tensors.push_back({"output.bias", {8}});
  return model(entries, byte_level("phi-2"), tensors);
}

inline gg::GgufMaker phi3() {
  return model(facts("phi3"), sentencepiece(),
               {{"token_embd.weight", {8, 32}, kQ8},
                {"blk.0.attn_norm.weight", {32}},
                {"blk.0.attn_qkv.weight", {96, 32}, kQ4},
                {"blk.0.attn_output.weight", {32, 32}, kF16},
                {"blk.0.ffn_norm.weight", {32}},
                {"blk.0.ffn_up.weight", {128, 32}, kQ5},
                {"blk.0.ffn_down.weight", {32, 64}, kQ8},
                {"output_norm.weight", {32}},
                {"output.weight", {8, 32}, kF32}});
}

inline gg::GgufMaker gpt2() {
  return model(facts("gpt2", 2, "attention.layer_norm_epsilon"), byte_level(),
               with_biases({{"token_embd.weight", {8, 32}, kF16},
                            {"position_embd.weight", {16, 32}},
                            {"blk.0.attn_norm.weight", {32}},
                            {"blk.0.attn_qkv.weight", {96, 32}, kQ4},
                            {"blk.0.attn_output.weight", {32, 32}, kQ8},
                            {"blk.0.ffn_norm.weight", {32}},
                            {"blk.0.ffn_up.weight", {64, 32}, kQ5},
                            {"blk.0.ffn_down.weight", {32, 64}, kF32},
                            {"output_norm.weight", {32}}}));
}

inline gg::GgufMaker bert() {
  std::vector<gg::Entry> entries = facts("bert", 2, "attention.layer_norm_epsilon");
  entries.push_back(gg::number("bert.attention.causal", ValueType::Bool, uint8_t{0}));
  entries.push_back(gg::u32("bert.pooling_type", 2));
  return model(entries, word_pieces(),
               with_biases({{"token_embd.weight", {8, 32}, kF16},
                            {"position_embd.weight", {16, 32}},
                            {"token_types.weight", {2, 32}},
                            {"token_embd_norm.weight", {32}},
                            {"blk.0.attn_q.weight", {32, 32}, kF32},
                            {"blk.0.attn_k.weight", {32, 32}, kF16},
                            {"blk.0.attn_v.weight", {32, 32}, kF16},
                            {"blk.0.attn_output.weight", {32, 32}, kF16},
                            {"blk.0.attn_output_norm.weight", {32}},
                            {"blk.0.ffn_up.weight", {64, 32}, kF16},
                            {"blk.0.ffn_down.weight", {32, 64}, kF16},
                            {"blk.0.layer_output_norm.weight", {32}}}));
}

// Reads a file strictly in its format.
inline model::Model parsed(const File& file, std::string_view format) {
  formats::testing::Outcome read = formats::testing::read(file, *formats::find_format(format));
  EXPECT_TRUE(read.accepted()) << read.text();
  if (!read.model) return {};
  return std::move(*read.model);
}

inline const model::TensorEntry& tensor_of(const model::Model& model, std::string_view name) {
  static const model::TensorEntry kNone;
  const auto found = std::ranges::find(model.tensors, name, &model::TensorEntry::name);
  EXPECT_NE(found, model.tensors.end()) << name;
  return found == model.tensors.end() ? kNone : *found;
}

inline Bytes bytes_of(const File& file, const model::TensorEntry& tensor) {
  return Bytes(file).subspan(static_cast<size_t>(tensor.offset), static_cast<size_t>(tensor.bytes));
}

inline std::vector<float> values_of(const File& file, const model::TensorEntry& tensor) {
  auto decoder =
      tensor::StreamDecoder::create(tensor.dtype, tensor.shape, tensor.quantization, tensor.bytes);
  EXPECT_TRUE(decoder) << tensor.name << " " << describe(decoder.error());
  std::vector<float> values(static_cast<size_t>(tensor.shape.count().value_or(0)));
  if (!decoder) return values;
  Bytes bytes = bytes_of(file, tensor);
  for (size_t filled = 0; filled < values.size();) {
    const auto n = decoder->decode(bytes, std::span(values).subspan(filled));
    if (!n || (*n == 0 && bytes.empty())) break;
    filled += *n;
  }
  EXPECT_TRUE(decoder->finish()) << tensor.name;
  return values;
}

inline std::vector<float> values_of(const File& file, const model::Model& model,
                                    std::string_view name) {
  return values_of(file, tensor_of(model, name));
}

// Rows of query or key in Hugging Face's order, from GGUF's interleaved order. Written after
// llama.cpp's converter, row by row.
inline std::vector<float> halves(const std::vector<float>& interleaved, size_t cols,
                                 size_t head = 16) {
  std::vector<float> rows(interleaved.size());
  for (size_t row = 0; row < interleaved.size() / cols; ++row) {
    const size_t within = row % head;
    const size_t to = row - within + within % 2 * (head / 2) + within / 2;
    std::copy_n(interleaved.begin() + static_cast<std::ptrdiff_t>(row * cols), cols,
                rows.begin() + static_cast<std::ptrdiff_t>(to * cols));
  }
  return rows;
}

}  // namespace ambry::convert::testing
