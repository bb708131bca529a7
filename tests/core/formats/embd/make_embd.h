// Builds small EMBD files byte by byte from the format's page, independently of the writer.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "formats/embd/embd_layout.h"
#include "formats/file_bytes.h"
#include "io/crc32.h"

namespace ambry::formats::embd::testing {

using formats::testing::File;
using formats::testing::put;
using formats::testing::put_at;
using formats::testing::put_text;

struct Tensor {
  std::string name;
  std::vector<uint32_t> shape;
  uint8_t dtype = 0;      // code of the format
  std::string data = {};  // zeros and ones when empty

  [[nodiscard]] size_t count() const {
    size_t n = 1;
    for (const uint32_t extent : shape) n *= extent;
    return n;
  }
};

// A whole encoder: vocabulary 8, width 4, 2 heads, 1 layer, 6 inner, 6 positions, 2 types.
inline std::vector<Tensor> tiny_tensors(bool in_out = false, uint32_t inner = 6) {
  const std::string layer = "encoder.layer.0.";
  const auto inner_shape =
      in_out ? std::vector<uint32_t>{4, inner} : std::vector<uint32_t>{inner, 4};
  const auto outer_shape =
      in_out ? std::vector<uint32_t>{inner, 4} : std::vector<uint32_t>{4, inner};
  return {{"embeddings.word_embeddings.weight", {8, 4}},
          {"embeddings.position_embeddings.weight", {6, 4}},
          {"embeddings.token_type_embeddings.weight", {2, 4}},
          {"embeddings.LayerNorm.weight", {4}},
          {"embeddings.LayerNorm.bias", {4}},
          {layer + "attention.self.query.weight", {4, 4}},
          {layer + "attention.self.query.bias", {4}},
          {layer + "attention.self.key.weight", {4, 4}},
          {layer + "attention.self.key.bias", {4}},
          {layer + "attention.self.value.weight", {4, 4}},
          {layer + "attention.self.value.bias", {4}},
          {layer + "attention.output.dense.weight", {4, 4}},
          {layer + "attention.output.dense.bias", {4}},
          {layer + "attention.output.LayerNorm.weight", {4}},
          {layer + "attention.output.LayerNorm.bias", {4}},
          {layer + "intermediate.dense.weight", inner_shape},
          {layer + "intermediate.dense.bias", {inner}},
          {layer + "output.dense.weight", outer_shape},
          {layer + "output.dense.bias", {4}},
          {layer + "output.LayerNorm.weight", {4}},
          {layer + "output.LayerNorm.bias", {4}}};
}

inline std::vector<std::string> tiny_tokens() {
  return {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "##b", "\xC3\xA9"};
}

inline std::vector<std::pair<std::string, std::string>> tiny_metadata() {
  return {{"model_name", "tiny"},    {"model_version", "1.0.0"},
          {"embedding_dim", "4"},    {"vocab_size", "8"},
          {"num_layers", "1"},       {"num_attention_heads", "2"},
          {"hidden_size", "4"},      {"intermediate_size", "6"},
          {"max_position_emb", "6"}, {"created_at", "2026-01-01T00:00:00Z"},
          {"max_seq_length", "6"}};
}

// Where a field or section of a made F0 file lies.
struct Places {
  uint64_t metadata = 0;
  uint64_t vocabulary = 0;
  uint64_t special = 0;
  uint64_t index = 0;
  uint64_t names = 0;
  uint64_t data = 0;

  [[nodiscard]] uint64_t descriptor(size_t i) const { return index + i * kDescriptorBytes; }
};

inline size_t element_size(uint8_t dtype) {
  static constexpr std::array<size_t, 9> kSizes = {4, 2, 2, 4, 2, 1, 4, 2, 1};
  return dtype < kSizes.size() ? kSizes[dtype] : 1;
}

// The bytes of a tensor: those given, or small floats that differ from each other.
inline std::string data_of(const Tensor& tensor) {
  if (!tensor.data.empty()) return tensor.data;
  File bytes;
  for (size_t i = 0; i < tensor.count(); ++i) {
    const float value =
        static_cast<float>(static_cast<int>((i * 7 + tensor.name.size()) % 33) - 16) / 16;
    if (tensor.dtype == 0)
      put(bytes, value);
    else
      bytes.resize(bytes.size() + element_size(tensor.dtype), static_cast<uint8_t>(i % 60));
  }
  return {bytes.begin(), bytes.end()};
}

// Recomputes the three checksums after a field was changed.
inline void seal(File& file) {
  const size_t footer = file.size() - kFooterBytes;
  const auto data = load_le<uint32_t>(file.data() + kDataOffsetAt);
  put_at(file, kHeaderChecksumAt, io::crc32(Bytes(file).first(kHeaderChecksumAt)));
  put_at(file, footer, io::crc32(Bytes(file).subspan(data, footer - data)));
  put_at(file, footer + 4, io::crc32(Bytes(file).first(footer)));
}

struct F0Maker {
  std::vector<std::pair<std::string, std::string>> metadata = tiny_metadata();
  std::vector<std::string> tokens = tiny_tokens();
  std::vector<Tensor> tensors = tiny_tensors();
  uint32_t flags = kFlagVocabEmbedded | kFlagTensorsAligned | kFlagChecksums;
  bool special_first = false;     // special ids between header and entries
  bool special_relative = false;  // their offset counted from the section
  bool no_special = false;
  uint64_t data_shift = 0;  // bytes by which the tensor data misses a multiple of 64
  Places places;            // set by make()

  File make() {
    File file(kHeaderBytes);
    places.metadata = file.size();
    put(file, static_cast<uint32_t>(metadata.size()));
    put(file, uint32_t{0});
    for (const auto& [key, value] : metadata) {
      put(file, static_cast<uint16_t>(key.size()));
      put(file, static_cast<uint16_t>(value.size()));
      put_text(file, key);
      put_text(file, value);
    }
    const uint64_t metadata_size = file.size() - places.metadata;
    put_at(file, places.metadata + 4, static_cast<uint32_t>(metadata_size - 8));
    file.resize((file.size() + 7) / 8 * 8);
    const bool embedded = (flags & kFlagVocabEmbedded) != 0;
    places.vocabulary = embedded ? file.size() : 0;
    if (embedded) make_vocabulary(file);
    const uint64_t vocabulary_size = embedded ? file.size() - places.vocabulary : 0;
    file.resize((file.size() + 7) / 8 * 8);
    places.index = file.size();
    std::vector<uint64_t> offsets;
    uint64_t data_size = 0;
    for (const Tensor& tensor : tensors) {
      offsets.push_back(data_size);
      put_descriptor(file, tensor, data_size);
      data_size = (data_size + tensor.count() * element_size(tensor.dtype) + 63) / 64 * 64;
    }
    places.names = file.size();
    for (const Tensor& tensor : tensors) put_text(file, tensor.name);
    file.resize((file.size() + 63) / 64 * 64 + data_shift);
    places.data = file.size();
    for (size_t i = 0; i < tensors.size(); ++i) {
      file.resize(places.data + offsets[i]);
      put_text(file, data_of(tensors[i]));
    }
    file.resize(places.data + data_size);
    put(file, uint64_t{0});
    put_text(file, kEndMagic);
    put(file, uint32_t{0});
    fill_header(file, metadata_size, vocabulary_size, data_size);
    if ((flags & kFlagChecksums) != 0) seal(file);
    return file;
  }

 private:
  void make_vocabulary(File& file) {
    put(file, static_cast<uint32_t>(tokens.size()));
    put(file, uint32_t{0});
    put(file, uint32_t{0});
    const auto put_special = [&] {
      places.special = file.size();
      for (const uint32_t id : {0U, 1U, 2U, 3U, 4U}) put(file, id);
    };
    if (special_first) put_special();
    const uint64_t start = file.size();
    for (const std::string& token : tokens) {
      put(file, static_cast<uint16_t>(token.size()));
      put_text(file, token);
    }
    put_at(file, places.vocabulary + 4, static_cast<uint32_t>(file.size() - start));
    if (no_special) return;
    if (!special_first) {
      file.resize((file.size() + 3) / 4 * 4);
      put_special();
    }
    put_at(file, places.vocabulary + 8,
           static_cast<uint32_t>(special_relative ? places.special - places.vocabulary
                                                  : places.special));
  }

  static void put_descriptor(File& file, const Tensor& tensor, uint64_t offset) {
    put(file, name_hash(tensor.name));
    put(file, tensor.dtype);
    put(file, static_cast<uint8_t>(tensor.shape.size()));
    put(file, static_cast<uint16_t>(tensor.name.size()));
    for (size_t axis = 0; axis < 4; ++axis) {
      put(file, axis < tensor.shape.size() ? tensor.shape[axis] : 0U);
    }
    put(file, offset);
  }

  void fill_header(File& file, uint64_t metadata_size, uint64_t vocabulary_size,
                   uint64_t data_size) const {
    for (size_t i = 0; i < 4; ++i) file[i] = static_cast<uint8_t>(kMagic[i]);
    put_at(file, kVersionAt, uint32_t{1});
    put_at(file, kFlagsAt, flags);
    put_at(file, kMetadataOffsetAt, static_cast<uint32_t>(places.metadata));
    put_at(file, kMetadataOffsetAt + 4, static_cast<uint32_t>(metadata_size));
    put_at(file, kVocabularyOffsetAt, static_cast<uint32_t>(places.vocabulary));
    put_at(file, kVocabularyOffsetAt + 4, static_cast<uint32_t>(vocabulary_size));
    put_at(file, kIndexOffsetAt, static_cast<uint32_t>(places.index));
    put_at(file, kIndexCountAt, static_cast<uint32_t>(tensors.size()));
    put_at(file, kDataOffsetAt, static_cast<uint32_t>(places.data));
    put_at(file, kDataSizeAt, data_size);
    put_at(file, kTotalSizeAt, static_cast<uint64_t>(file.size()));
  }
};

inline File make_f0() { return F0Maker().make(); }

// As the converters of the wild write it; `in_out` is the usual, transposed orientation.
inline File make_f1(const std::vector<Tensor>& tensors = tiny_tensors(true),
                    const std::vector<std::string>& tokens = tiny_tokens()) {
  File file;
  put_text(file, kMagic);
  put(file, uint32_t{1});
  put(file, static_cast<uint32_t>(tensors.size()));
  for (const Tensor& tensor : tensors) {
    put(file, static_cast<uint32_t>(tensor.name.size()));
    put_text(file, tensor.name);
    put(file, static_cast<uint32_t>(tensor.shape.size()));
    for (const uint32_t extent : tensor.shape) put(file, extent);
    put_text(file, data_of(tensor));
  }
  put(file, static_cast<uint32_t>(tokens.size()));
  for (const std::string& token : tokens) {
    put(file, static_cast<uint32_t>(token.size()));
    put_text(file, token);
  }
  return file;
}

}  // namespace ambry::formats::embd::testing
