// The cases of tests/fixtures/quantized_checkpoints.json, as directories of small llamas.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/base64.h"
#include "convert/decoder/decoder_directory.h"
#include "data_files.h"
#include "io/json/json.h"

namespace ambry::convert::testing {

struct QuantizedCase {
  std::string name;
  io::Json config;  // the keys that say how the weights are quantized
  std::vector<formats::safetensors::testing::Tensor> tensors;
  // Each has a shape, the CRC-32 of its floats, its first row, and the type with the same codes.
  io::Json matrices;

  [[nodiscard]] formats::safetensors::testing::Tensor& tensor(std::string_view ending) {
    for (auto& tensor : tensors) {
      if (tensor.name.ends_with(ending)) return tensor;
    }
    ADD_FAILURE() << ending << " is missing";
    return tensors.front();
  }
};

inline std::string from_base64(const io::Json& text) { return *decode_base64(text.string()); }

inline std::vector<QuantizedCase> quantized_cases() {
  const auto text =
      ambry::testing::read_text(ambry::testing::fixtures_folder() / "quantized_checkpoints.json");
  std::vector<QuantizedCase> cases;
  const auto json = io::parse_json(*text);
  for (const auto& [name, stated] : json->members()) {
    QuantizedCase made{name, *stated.find("config"), {}, *stated.find("matrices")};
    for (const auto& [tensor, facts] : stated.find("tensors")->members()) {
      std::vector<uint64_t> shape;
      for (const io::Json& extent : facts.items()[1].items()) shape.push_back(extent.uint());
      made.tensors.push_back(
          {tensor, facts.items()[0].string(), shape, from_base64(facts.items()[2])});
    }
    cases.push_back(std::move(made));
  }
  return cases;
}

inline QuantizedCase quantized_case(std::string_view name) {
  for (QuantizedCase& found : quantized_cases()) {
    if (found.name == name) return std::move(found);
  }
  ADD_FAILURE() << name << " is missing";
  return {};
}

// The feed-forward layer's matrix, or the embedding, comes from the case; all others are floats.
inline DecoderDirectory directory_of(const QuantizedCase& from) {
  const io::Json& shape = *from.matrices.find("model.layers.0.mlp.up_proj.weight")->find("shape");
  const std::string rows = std::to_string(shape.items()[0].uint());
  const std::string cols = std::to_string(shape.items()[1].uint());
  io::Json config = *io::parse_json(
      R"({"model_type":"llama","vocab_size":40,"num_hidden_layers":1,"num_attention_heads":1,
          "max_position_embeddings":16,"hidden_size":)" +
      cols + R"(,"intermediate_size":)" + rows + "}");
  DecoderDirectory directory = DecoderDirectory::make(config.dump(), "model.");
  for (const auto& [key, value] : from.config.members()) config.set(key, value);
  directory.files.add("config.json", config.dump());
  std::erase_if(directory.tensors,
                [&](const auto& tensor) { return from.matrices.find(tensor.name) != nullptr; });
  for (const auto& tensor : from.tensors) directory.tensors.push_back(tensor);
  return directory;
}

}  // namespace ambry::convert::testing
