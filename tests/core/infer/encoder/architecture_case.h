// A case of tests/fixtures/encoder_architectures/: an encoder with made-up weights, described by a
// config.json and its tensors' names, and the hidden states that PyTorch gives in float64.
// tests/reference/models/encoder_models.py has the rule for the weights.
#pragma once

#include <string>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "infer/encoder/encoder.h"
#include "infer/encoder/encoder_builder.h"
#include "io/json/json.h"
#include "model/encoder/encoder_config.h"
#include "model/file/model.h"

namespace ambry {

struct ArchitectureText {
  std::vector<uint32_t> ids;
  std::vector<uint32_t> type_ids;
  std::string task;          // of the adapter that is used
  std::vector<size_t> rows;  // the tokens of `states`
  std::vector<std::vector<double>> states;
  std::vector<double> mean;  // of all tokens

  [[nodiscard]] infer::Sequence sequence() const { return {ids, type_ids}; }
};

struct ArchitectureCase {
  io::Json config_json;
  model::EncoderConfig config;
  model::Model model;
  std::vector<ArchitectureText> texts;

  [[nodiscard]] static ArchitectureCase read(const std::string& name);
  // The case in the JSON of a file whose texts are something else.
  [[nodiscard]] static ArchitectureCase of(const io::Json& json);

  // The f32 bytes of a tensor.
  [[nodiscard]] AlignedBuffer bytes(size_t tensor_index) const;
  [[nodiscard]] Result<infer::Encoder> build(infer::WeightStorage storage) const;
};

}  // namespace ambry
