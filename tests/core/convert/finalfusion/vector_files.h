// Makes finalfusion files with given vectors, and reads written files.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "convert/finalfusion/finalfusion_job.h"
#include "convert/run_conversion.h"
#include "convert/stream_conversion.h"
#include "data_files.h"
#include "formats/finalfusion/make_fifu.h"
#include "formats/read_format.h"

namespace ambry::convert::testing {

using formats::finalfusion::testing::FifuMaker;

// `rows` must have the number of rows that the maker's vocabulary needs.
inline File with_rows(FifuMaker& maker, const std::vector<float>& rows) {
  File file = maker.make();
  EXPECT_EQ(rows.size(), maker.rows() * maker.dims);
  std::memcpy(file.data() + maker.places.storage_data, rows.data(), rows.size() * sizeof(float));
  return file;
}

inline FifuMaker maker_of(size_t n_words, uint32_t dims) {
  FifuMaker maker;
  maker.words.clear();
  for (size_t i = 0; i < n_words; ++i) maker.words.push_back("w" + std::to_string(i));
  maker.dims = dims;
  maker.norms = false;
  return maker;
}

// Values in [-1, 1), not centred on 0.
inline std::vector<float> made_up_rows(size_t n, uint64_t seed) {
  std::vector<float> rows(n);
  uint64_t state = seed;
  for (float& x : rows) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    x = static_cast<float>(state >> 40) / 8388608.0F - 0.9F;
  }
  return rows;
}

struct Read {
  model::Model model;
  File file;

  [[nodiscard]] std::vector<float> floats(std::string_view name) const {
    const model::TensorEntry* tensor = find_tensor(model, name);
    if (tensor == nullptr) return {};
    std::vector<float> numbers(tensor->bytes / sizeof(float));
    std::memcpy(numbers.data(), file.data() + tensor->offset, tensor->bytes);
    return numbers;
  }
};

// A file that is valid in strict reading.
inline Read read_strictly(File file) {
  auto read = formats::testing::read(file, *formats::find_format("finalfusion"));
  EXPECT_TRUE(read.accepted()) << read.text();
  if (!read.model) return {};
  return {std::move(*read.model), std::move(file)};
}

inline Options to_quantized(kernels::QuantizerKind kind, size_t n_slices, uint32_t bits,
                            uint32_t iterations = 10) {
  Options options;
  options.to = "finalfusion";
  QuantizeOptions& quantize = options.quantize.emplace();
  quantize.type = kind == kernels::QuantizerKind::Plain       ? "pq"
                  : kind == kernels::QuantizerKind::Optimized ? "opq"
                                                              : "gaussian_opq";
  quantize.vectors.training.n_slices = n_slices;
  quantize.vectors.training.bits = bits;
  quantize.vectors.training.iterations = iterations;
  return options;
}

inline Options to_dense() {
  Options options;
  options.to = "finalfusion";
  options.reconstruct = true;
  return options;
}

inline void expect_refused(const File& file, const Options& options, ErrorCode code,
                           std::string_view path, uint64_t offset = kNoOffset) {
  const auto refused = run(file, {}, options);
  ASSERT_FALSE(refused) << path;
  EXPECT_EQ(refused.error().code, code) << describe(refused.error());
  EXPECT_EQ(refused.error().path, path) << describe(refused.error());
  EXPECT_EQ(refused.error().byte_offset, offset) << describe(refused.error());
}

// A file of one of the reference implementations. Tests need the folder `finalfusion` first.
inline std::optional<File> real_file(const std::string& name) {
  return ambry::testing::data_file("finalfusion/" + name);
}

}  // namespace ambry::convert::testing
