// Builds small AMB files byte by byte from the format's page, independently of the writer.
#pragma once

#include <cassert>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "formats/amb/amb_layout.h"
#include "formats/file_bytes.h"
#include "io/crc32.h"
#include "tensor/codec/encode.h"

namespace ambry::formats::amb::testing {

using formats::testing::File;
using formats::testing::put;
using formats::testing::put_at;
using formats::testing::put_text;

struct Tensor {
  std::string name;
  std::vector<uint32_t> shape;
  uint8_t dtype = 0;
  std::vector<uint8_t> data = {};  // of quantized types with their prefix

  [[nodiscard]] bool quantized() const { return dtype >= 3; }
};

inline size_t count_of(const std::vector<uint32_t>& shape) {
  size_t n = 1;
  for (const uint32_t extent : shape) n *= extent;
  return n;
}

// Small numbers that differ from each other, in the given type.
inline Tensor tensor(std::string name, std::vector<uint32_t> shape, uint8_t dtype = 0,
                     uint16_t block = 8, bool across_rows = false) {
  std::vector<float> values(count_of(shape));
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(static_cast<int>((i * 7 + name.size()) % 33) - 16) / 16;
  }
  Tensor made{std::move(name), shape, dtype};
  if (dtype == 0) {
    for (const float value : values) put(made.data, value);
  } else if (dtype < 3) {
    for (size_t i = 0; i < values.size(); ++i) put(made.data, static_cast<uint16_t>(0x3C00 + i));
  } else {
    tensor::Shape encoded_shape;
    if (across_rows) {
      encoded_shape.push_back(values.size());
    } else {
      for (const uint32_t extent : shape) encoded_shape.push_back(extent);
    }
    std::vector<tensor::DType> precisions;
    const tensor::DType type = kDTypes[dtype];
    if (type == tensor::DType::Adaptive) {
      const auto layout = tensor::payload_layout(type, encoded_shape, {block, tensor::DType::F16});
      constexpr tensor::DType kSome[] = {tensor::DType::F16, tensor::DType::Int4,
                                         tensor::DType::Int5};
      for (size_t i = 0; i < layout->n_mask; ++i) precisions.push_back(kSome[i % 3]);
    }
    auto encoded = tensor::encode(type, encoded_shape, values,
                                  {.block_size = block, .precisions = precisions});
    assert(encoded);
    made.data = std::move(encoded->payload);
  }
  return made;
}

// A whole llama: vocabulary 8, width 8, 2 heads, 1 layer, 8 inner. Matrices get `dtype`, vectors
// f32.
inline std::vector<Tensor> tiny_tensors(uint8_t dtype = 0) {
  std::vector<Tensor> tensors = {tensor("model.embed_tokens.weight", {8, 8})};
  const std::string layer = "model.layers.0.";
  tensors.push_back(tensor(layer + "input_layernorm.weight", {8}));
  for (const char* name : {"q_proj", "k_proj", "v_proj", "o_proj"}) {
    tensors.push_back(tensor(layer + "self_attn." + name + ".weight", {8, 8}, dtype));
  }
  tensors.push_back(tensor(layer + "post_attention_layernorm.weight", {8}));
  for (const char* name : {"gate_proj", "up_proj", "down_proj"}) {
    tensors.push_back(tensor(layer + "mlp." + name + ".weight", {8, 8}, dtype));
  }
  tensors.push_back(tensor("model.norm.weight", {8}));
  return tensors;
}

// The tensors of a whole llama with every data type of the format.
inline std::vector<Tensor> mixed_tensors() {
  std::vector<Tensor> tensors = tiny_tensors();
  uint8_t dtype = 0;
  for (Tensor& t : tensors) {
    if (t.shape.size() < 2) continue;
    dtype = static_cast<uint8_t>(dtype % 8 + 1);
    t = tensor(t.name, t.shape, dtype);
  }
  return tensors;
}

inline std::string tiny_config(std::string_view more = "") {
  return R"({"architecture": "llama", "n_vocab": 8, "n_embd": 8, "n_layers": 1, "n_heads": 2, )"
         R"("max_seq_len": 16)" +
         std::string(more) + "}";
}

inline std::vector<uint8_t> tokenizer_head(TokenizerType type,
                                           const std::vector<uint16_t>& special) {
  std::vector<uint8_t> bytes = {static_cast<uint8_t>(type)};
  for (size_t i = 0; i < 5; ++i) put(bytes, i < special.size() ? special[i] : kNoToken);
  return bytes;
}

inline void put_string(std::vector<uint8_t>& bytes, std::string_view text) {
  put(bytes, static_cast<uint16_t>(text.size()));
  put_text(bytes, text);
}

inline void put_vocabulary(std::vector<uint8_t>& bytes, const std::vector<std::string>& tokens) {
  put(bytes, static_cast<uint32_t>(tokens.size()));
  for (size_t i = 0; i < tokens.size(); ++i) {
    put(bytes, static_cast<uint32_t>(i));
    put_string(bytes, tokens[i]);
  }
}

inline std::vector<uint8_t> bpe_tokenizer() {
  std::vector<uint8_t> bytes = tokenizer_head(TokenizerType::Bpe, {6, 7});
  put(bytes, uint32_t{2});
  for (const char* part : {"a", "b", "ab", "\xC4\xA0"}) put_string(bytes, part);
  put_vocabulary(bytes, {"a", "b", "ab", "\xC4\xA0", "ab\xC4\xA0", "c", "<s>", "</s>"});
  return bytes;
}

inline std::vector<uint8_t> wordpiece_tokenizer() {
  std::vector<uint8_t> bytes = tokenizer_head(TokenizerType::WordPiece, {2, 3, 0, 1, 4});
  put_vocabulary(bytes, {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "##b", "\xC3\xA9"});
  return bytes;
}

inline std::vector<uint8_t> protobuf_bytes(uint8_t field, std::string_view value) {
  std::vector<uint8_t> bytes = {static_cast<uint8_t>(field << 3 | 2)};
  bytes.push_back(static_cast<uint8_t>(value.size()));  // below 128
  put_text(bytes, value);
  return bytes;
}

// A ModelProto of eight pieces; `model_type` 1 is Unigram, 2 BPE.
inline std::vector<uint8_t> sentencepiece_model(uint8_t model_type = 2) {
  std::vector<uint8_t> model;
  const char* kPieces[] = {"<unk>", "<s>", "</s>", "<0x41>", "\xE2\x96\x81", "a", "b", "ab"};
  constexpr uint8_t kTypes[] = {2, 3, 3, 6, 1, 1, 1, 1};
  for (size_t i = 0; i < 8; ++i) {
    std::vector<uint8_t> piece = protobuf_bytes(1, kPieces[i]);
    piece.push_back(2 << 3 | 5);
    put(piece, -static_cast<float>(i));
    piece.push_back(3 << 3);
    piece.push_back(kTypes[i]);
    const std::vector<uint8_t> field = protobuf_bytes(1, as_text(piece));
    model.insert(model.end(), field.begin(), field.end());
  }
  // model_type, byte_fallback (35) and pad_id (43), which is -1.
  std::vector<uint8_t> trainer = {3 << 3, model_type, 0x98, 0x02, 1, 0xD8, 0x02};
  trainer.insert(trainer.end(), 9, 0xFF);
  trainer.push_back(1);
  std::vector<uint8_t> normalizer = protobuf_bytes(1, "nmt_nfkc");
  normalizer.insert(normalizer.end(), {3 << 3, 0});  // add_dummy_prefix false
  for (const auto& field :
       {protobuf_bytes(2, as_text(trainer)), protobuf_bytes(3, as_text(normalizer))}) {
    model.insert(model.end(), field.begin(), field.end());
  }
  return model;
}

inline std::vector<uint8_t> sentencepiece_tokenizer(uint8_t model_type = 2) {
  std::vector<uint8_t> bytes = tokenizer_head(TokenizerType::SentencePiece, {1, 2, kNoToken, 0});
  const std::vector<uint8_t> model = sentencepiece_model(model_type);
  bytes.insert(bytes.end(), model.begin(), model.end());
  return bytes;
}

inline std::vector<uint8_t> custom_tokenizer(
    std::string_view payload = R"({"model": {"type": "Unigram", "vocab": [["a", -1.5]]}})") {
  std::vector<uint8_t> bytes = tokenizer_head(TokenizerType::Custom, {});
  put_text(bytes, payload);
  return bytes;
}

// Where a field or section of a made file lies.
struct Places {
  uint64_t config = 0;
  uint64_t tokenizer = 0;
  uint64_t weights = 0;
  std::vector<uint64_t> records;
  std::vector<uint64_t> sizes;  // the data_size fields
  std::vector<uint64_t> data;
};

struct AmbMaker {
  std::string metadata = R"({"name": "tiny", "family": "Llama", "created": "2026-01-01"})";
  std::string config = tiny_config();
  std::vector<uint8_t> tokenizer = bpe_tokenizer();
  std::vector<Tensor> tensors = tiny_tensors();
  uint16_t flags = 0;
  bool checksums = false;  // adds them to the metadata and sets the flag
  uint64_t shift = 0;      // bytes by which the weights miss a multiple of 64
  int layout = 1;          // R1 to R5; for R2 the tensors' data must be so already
  bool final_padding = true;
  Places places;  // set by make()

  File make() {
    std::string text = metadata;
    if (checksums) {
      text.pop_back();
      text += R"(, "checksums": {"algorithm": "crc32", "config": "00000000", )"
              R"("tokenizer": "00000000", "weights": "00000000"}})";
      flags |= kFlagChecksums;
    }
    places = {};
    places.config = kHeaderBytes + text.size();
    std::string padded = config;
    while ((places.config + padded.size() + tokenizer.size()) % 64 != shift) padded += ' ';
    places.tokenizer = places.config + padded.size();
    places.weights = places.tokenizer + tokenizer.size();
    File file;
    put_text(file, kMagic);
    put(file, kVersion);
    put(file, flags);
    put(file, static_cast<uint32_t>(text.size()));
    put(file, static_cast<uint32_t>(padded.size()));
    put(file, static_cast<uint32_t>(tokenizer.size()));
    put(file, uint64_t{0});
    put_text(file, text);
    put_text(file, padded);
    file.insert(file.end(), tokenizer.begin(), tokenizer.end());
    for (size_t i = 0; i < tensors.size(); ++i)
      put_record(file, tensors[i], i + 1 == tensors.size());
    put_at(file, kWeightsSizeAt, static_cast<uint64_t>(file.size()) - places.weights);
    if (checksums) seal(file);
    return file;
  }

  void seal(File& file) const {
    const auto fill = [&](std::string_view key, uint64_t begin, uint64_t end) {
      const size_t at = as_text(file).find(key) + key.size();
      const uint32_t crc = io::crc32(Bytes(file).subspan(begin, end - begin));
      for (size_t i = 0; i < 8; ++i) {
        file[at + i] = static_cast<uint8_t>("0123456789abcdef"[crc >> (28 - 4 * i) & 15]);
      }
    };
    fill(R"("config": ")", places.config, places.tokenizer);
    fill(R"("tokenizer": ")", places.tokenizer, places.weights);
    fill(R"("weights": ")", places.weights, file.size());
  }

 private:
  void put_record(File& file, const Tensor& t, bool last) {
    places.records.push_back(file.size());
    put_string(file, t.name);
    put(file, static_cast<uint8_t>(t.shape.size()));
    for (const uint32_t extent : t.shape) put(file, extent);
    put(file, t.dtype);
    Bytes data = t.data;
    if (t.quantized() && layout >= 3 && layout <= 4) {
      if (layout == 4) file.insert(file.end(), data.begin(), data.begin() + 4);
      data = data.subspan(4);
    }
    places.sizes.push_back(file.size());
    put(file, static_cast<uint64_t>(data.size()));
    places.data.push_back(file.size());
    file.insert(file.end(), data.begin(), data.end());
    if (last && !final_padding) return;
    const uint64_t base = layout == 5 ? places.weights : 0;
    while ((file.size() - base) % 8 != 0) file.push_back(0);
  }
};

// With checksums, which cover all but header and metadata.
inline File make_amb() {
  AmbMaker maker;
  maker.checksums = true;
  return maker.make();
}

// All data types, and a SentencePiece model.
inline File make_quantized() {
  AmbMaker maker;
  maker.tensors = mixed_tensors();
  maker.tokenizer = sentencepiece_tokenizer();
  return maker.make();
}

}  // namespace ambry::formats::amb::testing
