// Builds small GGUF files byte by byte from the format's page.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/file_bytes.h"
#include "formats/gguf/metadata/gguf_layout.h"
#include "model/file/tensor_table.h"

namespace ambry::formats::gguf::testing {

using formats::testing::File;
using formats::testing::put;
using formats::testing::put_at;

inline void put_text(File& file, std::string_view text) {
  put(file, static_cast<uint64_t>(text.size()));
  file.insert(file.end(), text.begin(), text.end());
}

// A key with its value as stored, type first.
struct Entry {
  std::string key;
  File value;
};

template <class T>
Entry number(std::string key, ValueType type, T value) {
  File bytes;
  put(bytes, static_cast<uint32_t>(type));
  put(bytes, value);
  return {std::move(key), std::move(bytes)};
}
inline Entry u32(std::string key, uint32_t value) {
  return number(std::move(key), ValueType::U32, value);
}
inline Entry f32(std::string key, float value) {
  return number(std::move(key), ValueType::F32, value);
}
inline Entry text(std::string key, std::string_view value) {
  File bytes;
  put(bytes, static_cast<uint32_t>(ValueType::String));
  put_text(bytes, value);
  return {std::move(key), std::move(bytes)};
}
inline Entry texts(std::string key, const std::vector<std::string>& values) {
  File bytes;
  put(bytes, static_cast<uint32_t>(ValueType::Array));
  put(bytes, static_cast<uint32_t>(ValueType::String));
  put(bytes, static_cast<uint64_t>(values.size()));
  for (const std::string& value : values) put_text(bytes, value);
  return {std::move(key), std::move(bytes)};
}
template <class T>
Entry numbers(std::string key, ValueType type, const std::vector<T>& values) {
  File bytes;
  put(bytes, static_cast<uint32_t>(ValueType::Array));
  put(bytes, static_cast<uint32_t>(type));
  put(bytes, static_cast<uint64_t>(values.size()));
  for (const T value : values) put(bytes, value);
  return {std::move(key), std::move(bytes)};
}

struct Tensor {
  std::string name;
  std::vector<uint64_t> shape;   // outermost first
  uint32_t type = 0;             // ggml's number
  uint64_t bytes = UINT64_MAX;   // as the type says, when left out
  uint64_t offset = UINT64_MAX;  // in its place, when left out

  [[nodiscard]] uint64_t size() const {
    if (bytes != UINT64_MAX) return bytes;
    tensor::Shape extents;
    for (const uint64_t extent : shape) extents.push_back(extent);
    return model::byte_size(extents, dtype_of(type).value()).value();
  }
};

// A llama of vocabulary 6, width 32, 2 heads of 16, 1 key-value head, 1 layer, 64 inner.
inline std::vector<Tensor> tiny_tensors() {
  return {{"token_embd.weight", {6, 32}, 8},    {"blk.0.attn_norm.weight", {32}},
          {"blk.0.attn_q.weight", {32, 32}, 2}, {"blk.0.attn_k.weight", {16, 32}, 3},
          {"blk.0.attn_v.weight", {16, 32}, 6}, {"blk.0.attn_output.weight", {32, 32}, 7},
          {"blk.0.ffn_norm.weight", {32}},      {"blk.0.ffn_gate.weight", {64, 32}, 2},
          {"blk.0.ffn_up.weight", {64, 32}, 2}, {"blk.0.ffn_down.weight", {32, 64}, 2},
          {"output_norm.weight", {32}},         {"output.weight", {6, 32}, 1}};
}

inline std::vector<Entry> tiny_metadata() {
  return {text("general.architecture", "llama"),
          text("general.name", "tiny"),
          u32("general.quantization_version", 2),
          u32("llama.block_count", 1),
          u32("llama.context_length", 16),
          u32("llama.embedding_length", 32),
          u32("llama.feed_forward_length", 64),
          u32("llama.attention.head_count", 2),
          u32("llama.attention.head_count_kv", 1),
          f32("llama.attention.layer_norm_rms_epsilon", 1e-5F),
          number("general.odd", ValueType::Bool, uint8_t{1}),
          numbers<int16_t>("general.small", ValueType::I16, {-1, 2}),
          text("tokenizer.ggml.model", "llama"),
          texts("tokenizer.ggml.tokens",
                {"<unk>", "<s>", "</s>", "\xE2\x96\x81", "a", "\xE2\x96\x81\x61"}),
          numbers<float>("tokenizer.ggml.scores", ValueType::F32, {0, 0, 0, -1, -2, -3}),
          numbers<int32_t>("tokenizer.ggml.token_type", ValueType::I32, {2, 3, 3, 1, 1, 1}),
          u32("tokenizer.ggml.bos_token_id", 1),
          u32("tokenizer.ggml.eos_token_id", 2),
          u32("tokenizer.ggml.unknown_token_id", 0)};
}

struct GgufMaker {
  uint32_t version = 3;
  uint64_t alignment = 32;  // as the tensors are placed
  std::vector<Entry> metadata = tiny_metadata();
  std::vector<Tensor> tensors = tiny_tensors();
  bool padded = true;  // after the last tensor, too
  // Set by make().
  std::vector<uint64_t> infos;  // where each tensor's info starts
  uint64_t data = 0;

  Entry& entry(std::string_view key) {
    for (Entry& e : metadata) {
      if (e.key == key) return e;
    }
    return metadata.emplace_back(Entry{std::string(key), {}});
  }

  // Everything before the tensors' bytes.
  File make_head() {
    File file = {'G', 'G', 'U', 'F'};
    put(file, version);
    put(file, static_cast<uint64_t>(tensors.size()));
    put(file, static_cast<uint64_t>(metadata.size()));
    for (const Entry& e : metadata) {
      put_text(file, e.key);
      file.insert(file.end(), e.value.begin(), e.value.end());
    }
    infos.clear();
    uint64_t offset = 0;
    for (const Tensor& tensor : tensors) {
      infos.push_back(file.size());
      put_text(file, tensor.name);
      put(file, static_cast<uint32_t>(tensor.shape.size()));
      for (size_t i = tensor.shape.size(); i-- > 0;) put(file, tensor.shape[i]);
      put(file, tensor.type);
      put(file, tensor.offset == UINT64_MAX ? offset : tensor.offset);
      offset = (offset + tensor.size() + alignment - 1) / alignment * alignment;
    }
    if (!tensors.empty()) file.resize((file.size() + alignment - 1) / alignment * alignment);
    data = file.size();
    return file;
  }

  File make() {
    File file = make_head();
    for (const Tensor& tensor : tensors) {
      file.resize((file.size() + alignment - 1) / alignment * alignment);
      for (uint64_t i = 0; i < tensor.size(); ++i) file.push_back(static_cast<uint8_t>(i % 57));
    }
    if (padded && !tensors.empty()) {
      file.resize((file.size() + alignment - 1) / alignment * alignment);
    }
    return file;
  }
};

inline File make_gguf() { return GgufMaker().make(); }

// A vocabulary without a model, as version 2.
inline File make_vocabulary() {
  GgufMaker maker;
  maker.version = 2;
  maker.tensors.clear();
  maker.entry("tokenizer.ggml.model") = text("tokenizer.ggml.model", "gpt2");
  std::vector<std::string> tokens;
  for (int i = 0; i < 150; ++i) tokens.push_back("token" + std::to_string(i));
  maker.entry("tokenizer.ggml.tokens") = texts("tokenizer.ggml.tokens", tokens);
  maker.entry("tokenizer.ggml.scores") = u32("tokenizer.ggml.fim_pre_token_id", 3);
  maker.entry("tokenizer.ggml.token_type") =
      numbers("tokenizer.ggml.token_type", ValueType::I32, std::vector<int32_t>(150, 1));
  maker.metadata.push_back(texts("tokenizer.ggml.merges", {"a b", "ab c"}));
  return maker.make();
}

}  // namespace ambry::formats::gguf::testing
