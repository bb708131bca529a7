// Makes LoRA adapters as PEFT and llama.cpp write them, and converts a base with them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "convert/adapter/adapter_file.h"
#include "convert/decoder/decoder_directory.h"
#include "convert/run_conversion.h"
#include "formats/gguf/make_gguf.h"
#include "formats/safetensors/make_safetensors.h"

namespace ambry::convert::testing {

namespace st = formats::safetensors::testing;
namespace gg = formats::gguf::testing;

constexpr const char* kAdapterConfig =
    R"({"peft_type":"LORA","r":2,"lora_alpha":4,"target_modules":["q_proj"]})";

// The file of an adapter, and its settings where it is not GGUF.
struct AdapterFile {
  File weights;
  std::string config = kAdapterConfig;
  double weight = 1;
};

// A matrix whose values are multiples of 1/64, so that sums of some products are exact.
struct Matrix {
  uint64_t rows = 0;
  uint64_t cols = 0;
  std::vector<float> values;

  static Matrix named(const std::string& name, uint64_t rows, uint64_t cols) {
    Matrix made{rows, cols, numbers_of(name, static_cast<size_t>(rows * cols))};
    for (float& value : made.values) value /= 16;
    return made;
  }
  [[nodiscard]] float at(uint64_t row, uint64_t col) const {
    return values[static_cast<size_t>(row * cols + col)];
  }
  [[nodiscard]] Matrix transposed() const {
    Matrix made{cols, rows, std::vector<float>(values.size())};
    for (uint64_t i = 0; i < rows; ++i) {
      for (uint64_t j = 0; j < cols; ++j) made.values[static_cast<size_t>(j * rows + i)] = at(i, j);
    }
    return made;
  }
  [[nodiscard]] st::Tensor tensor(const std::string& name) const {
    return {name, "F32", {rows, cols}, stored(values)};
  }
};

// base + scale * left right
inline std::vector<float> merged(std::vector<float> base, const Matrix& left, const Matrix& right,
                                 double scale) {
  for (uint64_t i = 0; i < left.rows; ++i) {
    for (uint64_t j = 0; j < right.cols; ++j) {
      double sum = 0;
      for (uint64_t k = 0; k < left.cols; ++k) sum += double{left.at(i, k)} * right.at(k, j);
      float& value = base[static_cast<size_t>(i * right.cols + j)];
      value = static_cast<float>(value + scale * sum);
    }
  }
  return base;
}

inline AdapterFile peft(const std::vector<st::Tensor>& tensors,
                        const std::string& config = kAdapterConfig, double weight = 1) {
  return {st::from_tensors(tensors), config, weight};
}

// `alpha` is left out if it is 0.
inline AdapterFile gguf_adapter(const std::vector<std::pair<std::string, Matrix>>& matrices,
                                float alpha, const char* architecture = "llama") {
  gg::GgufMaker maker;
  maker.metadata = {gg::text("general.architecture", architecture),
                    gg::text("general.type", "adapter"), gg::text("adapter.type", "lora")};
  if (alpha != 0) maker.metadata.push_back(gg::f32("adapter.lora.alpha", alpha));
  maker.tensors.clear();
  for (const auto& [name, matrix] : matrices) {
    maker.tensors.push_back({name, {matrix.rows, matrix.cols}});
  }
  AdapterFile made{maker.make(), "", 1};
  uint64_t at = maker.data;
  for (const auto& [name, matrix] : matrices) {
    const Bytes bytes = ambry::bytes_of(std::span<const float>(matrix.values));
    std::ranges::copy(bytes, made.weights.begin() + static_cast<std::ptrdiff_t>(at));
    at += (bytes.size() + 31) / 32 * 32;
  }
  return made;
}

inline Result<File> adapted(const File& base, SideFiles side,
                            const std::vector<AdapterFile>& adapters, Options options,
                            std::vector<Error>* warnings = nullptr) {
  const io::MemorySource main(base);
  std::deque<io::MemorySource> held;
  std::vector<Bytes> contents = {base};
  for (size_t i = 0; i < adapters.size(); ++i) {
    held.emplace_back(adapters[i].weights);
    contents.emplace_back(adapters[i].weights);
    options.adapters.push_back(adapters[i].weight);
    if (!adapters[i].config.empty()) {
      side.add(adapter_folder(i) + "adapter_config.json", adapters[i].config);
    }
  }
  SourceFiles sources(main, side);
  for (size_t i = 0; i < held.size(); ++i) {
    sources.add(adapter_folder(i) + "adapter_model.safetensors", held[i]);
  }
  return run(sources, contents, options, warnings);
}

}  // namespace ambry::convert::testing
