// Makes Hugging Face directories of tiny decoders from the architectures' tables, and checks
// converted files.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "convert/run_conversion.h"
#include "formats/expect_format.h"
#include "formats/huggingface/config/decoder_config_json.h"
#include "formats/registry.h"
#include "formats/safetensors/make_safetensors.h"
#include "model/decoder/decoder_config.h"
#include "model/decoder/decoder_tensors.h"
#include "tensor/dtype/convert.h"

namespace ambry::convert::testing {

// Multiples of a quarter, different for each tensor. They are exact in every float type.
inline std::vector<float> numbers_of(const std::string& name, size_t n) {
  uint32_t state = 1;
  for (const char c : name) state = state * 31 + static_cast<uint8_t>(c);
  std::vector<float> values(n);
  for (float& value : values) {
    state = state * 1664525 + 1013904223;
    value = static_cast<float>(static_cast<int>(state >> 24U) - 128) / 4;
  }
  return values;
}

inline std::string stored(const std::vector<float>& values) {
  const Bytes bytes = ambry::bytes_of(std::span<const float>(values));
  return {bytes.begin(), bytes.end()};
}

struct DecoderDirectory {
  std::vector<formats::safetensors::testing::Tensor> tensors;
  SideFiles files;

  // All tensors that config.json's architecture needs, with names under `prefix`.
  static DecoderDirectory make(const std::string& config, const std::string& prefix) {
    DecoderDirectory made;
    made.files.add("config.json", config);
    auto read = formats::huggingface::read_decoder_config(made.files, "");
    EXPECT_TRUE(read) << describe(read.error());
    if (!read) return made;
    model::Model model;
    model.config = read->config;
    io::Diagnostics diagnostics;
    const auto facts = model::decoder_config(model, diagnostics);
    EXPECT_TRUE(facts) << describe(facts.error());
    if (!facts) return made;
    const auto layout = *model::decoder_linear_layout(model.config);
    for (const model::DecoderTensor& wanted : model::decoder_tensors(*facts)) {
      if (wanted.spec.optional) continue;
      const bool head = wanted.role == model::DecoderRole::Output;
      made.add((head ? "" : prefix) + wanted.spec.name, model::stored_shape(wanted.spec, layout));
    }
    return made;
  }

  void add(const std::string& name, const tensor::Shape& shape) {
    const auto extents = shape.extents();
    tensors.push_back({name,
                       "F32",
                       {extents.begin(), extents.end()},
                       stored(numbers_of(name, static_cast<size_t>(*shape.count())))});
  }
  [[nodiscard]] File weights() const {
    return formats::safetensors::testing::from_tensors(tensors);
  }
};

struct ReadBack {
  File file;
  model::Model model;

  [[nodiscard]] std::vector<float> floats(const model::TensorEntry& tensor) const {
    std::vector<float> values(static_cast<size_t>(*tensor.shape.count()));
    EXPECT_TRUE(tensor::to_f32(
        tensor.dtype,
        Bytes(file).subspan(static_cast<size_t>(tensor.offset), static_cast<size_t>(tensor.bytes)),
        values));
    return values;
  }
  [[nodiscard]] std::vector<float> floats(std::string_view name) const {
    for (const model::TensorEntry& tensor : model.tensors) {
      if (tensor.name == name) return floats(tensor);
    }
    ADD_FAILURE() << name << " is missing";
    return {};
  }
};

// Reads the target strictly. There must be no errors or warnings.
inline ReadBack read_strictly(const Result<File>& target, std::string_view to) {
  if (!target) {
    ADD_FAILURE() << describe(target.error());
    return {};
  }
  auto model = sound_model(*target, to);
  if (!model) return {};
  return {*target, std::move(*model)};
}

}  // namespace ambry::convert::testing
