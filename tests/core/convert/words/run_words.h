// Converts files of word vectors in memory and reads the results.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "convert/run_conversion.h"

namespace ambry::convert::testing {

inline File bytes_of_text(std::string_view text) { return {text.begin(), text.end()}; }
inline std::string text_of(const File& file) { return std::string(as_text(file)); }

inline Options from_to(std::string from, std::string to) {
  Options options;
  options.from = std::move(from);
  options.to = std::move(to);
  return options;
}

inline Options lossy(Options options) {
  options.lossy = true;
  return options;
}

inline Options unnormalized(Options options) {
  options.unnormalize = true;
  return options;
}

// With the job's warnings at the end.
struct Converted {
  File file;
  std::vector<Error> warnings;
};

inline Result<Converted> run_words(const File& main, const Options& options) {
  const io::MemorySource source(main);
  const SideFiles none;
  AMBRY_TRY(Conversion conversion, Conversion::begin(SourceFiles(source, none), options));
  Converted made;
  for (;;) {
    AMBRY_TRY(const Step step, conversion.next());
    if (step.kind == Step::Kind::Done) break;
    if (step.kind == Step::Kind::Read) {
      EXPECT_LE(step.offset + step.target.size(), main.size());
      std::copy_n(main.begin() + static_cast<std::ptrdiff_t>(step.offset), step.target.size(),
                  step.target.begin());
      continue;
    }
    EXPECT_EQ(step.offset, made.file.size());
    made.file.insert(made.file.end(), step.bytes.begin(), step.bytes.end());
    EXPECT_LE(made.file.size(), conversion.total_bytes());
  }
  EXPECT_EQ(made.file.size(), conversion.total_bytes());
  made.warnings = conversion.warnings();
  return made;
}

inline File convert_words(const File& main, const Options& options) {
  auto made = run_words(main, options);
  if (made) return std::move(made->file);
  ADD_FAILURE() << describe(made.error());
  return {};
}

inline Error words_error(const File& main, const Options& options) {
  auto made = run_words(main, options);
  if (!made) return std::move(made.error());
  ADD_FAILURE() << "converted";
  return {};
}

inline void expect_error(const File& main, const Options& options, ErrorCode code,
                         std::string_view path, uint64_t offset = kNoOffset) {
  const Error error = words_error(main, options);
  EXPECT_EQ(error.code, code) << describe(error);
  EXPECT_EQ(error.path, path) << describe(error);
  EXPECT_EQ(error.byte_offset, offset) << describe(error);
}

// A finalfusion file that strict reading accepts without warnings.
struct Fifu {
  model::Model model;
  std::vector<std::string> words;
  std::vector<float> values;  // of storage
  std::vector<float> norms;
  size_t dims = 0;

  [[nodiscard]] std::vector<float> row(size_t index) const {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(index * dims);
    return {begin, begin + static_cast<std::ptrdiff_t>(dims)};
  }
};

inline std::vector<float> floats_at(const File& file, uint64_t offset, uint64_t bytes) {
  std::vector<float> values(bytes / sizeof(float));
  std::memcpy(values.data(), file.data() + offset, bytes);
  return values;
}

inline Fifu read_fifu(const File& file, io::Strictness strictness = io::Strictness::Strict) {
  const auto read =
      formats::testing::read(file, *formats::find_format("finalfusion"), {strictness});
  EXPECT_TRUE(read.accepted()) << read.text();
  if (!read.model) return {};
  const auto& model = read.model;
  Fifu fifu;
  for (size_t i = 0; i < model->words->words.size(); ++i) {
    fifu.words.emplace_back(model->words->words[i]);
  }
  for (const model::TensorEntry& tensor : model->tensors) {
    if (tensor.name == "storage") {
      fifu.values = floats_at(file, tensor.offset, tensor.bytes);
      fifu.dims = tensor.shape[1];
    }
    if (tensor.name == "norms") fifu.norms = floats_at(file, tensor.offset, tensor.bytes);
  }
  fifu.model = std::move(*model);
  return fifu;
}

inline float max_difference(const std::vector<float>& a, const std::vector<float>& b) {
  EXPECT_EQ(a.size(), b.size());
  float most = 0;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    most = std::max(most, std::abs(a[i] - b[i]));
  }
  return most;
}

}  // namespace ambry::convert::testing
