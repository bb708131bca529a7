// Decoders whose weights are hashes of their names. tests/reference/models/decoder_reference.py
// states the rules, makes the same weights and computes the expected results.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "infer/decoder/run_decoder.h"
#include "io/json/json.h"
#include "model/decoder/decoder_config.h"
#include "model/file/model.h"

namespace ambry::infer::testing {

// The dtype of the matrices is `f32`, or another of decoder_reference.py's names.
struct SyntheticDecoder {
  model::Model model;
  std::vector<std::vector<uint8_t>> bytes;  // of each tensor
  uint16_t block = 0;  // values that share a scale; 0: an uneven size for each type
  std::vector<uint32_t> ids;
  std::vector<std::vector<double>> logits;  // of each position
  std::vector<std::pair<std::string, std::vector<std::vector<double>>>> last_logits;  // by type

  // For embeddings: the ids of each text, and its vector.
  std::vector<std::vector<uint32_t>> texts;
  std::vector<std::vector<double>> vectors;

  // The case of this name in this folder of tests/fixtures/.
  static SyntheticDecoder read(const std::string& name, const std::string& dtype = "f32",
                               const std::string& folder = "decoder");

  // A model of this config (core/formats/amb/README.md#config) with every tensor that it must have.
  static SyntheticDecoder make(const std::string& config, const std::string& dtype = "f32");

  // Replaces tensor `index`.
  void set_floats(size_t index, const std::vector<float>& values);
  [[nodiscard]] size_t find(std::string_view name) const;

  [[nodiscard]] model::DecoderConfig config() const;
  [[nodiscard]] TensorBytes tensor_bytes() const {
    return [this](size_t i) { return copy_of(bytes[i]); };
  }
  [[nodiscard]] Result<Decoder> try_build(const DecoderOptions& options = {}) const {
    return testing::build(model, config(), tensor_bytes(), options);
  }
  // Builds the decoder, which must succeed.
  [[nodiscard]] Decoder build(const DecoderOptions& options = {}) const;

 private:
  void add(const std::string& name, const tensor::Shape& shape, float scale, float offset,
           const std::string& dtype);
};

}  // namespace ambry::infer::testing
