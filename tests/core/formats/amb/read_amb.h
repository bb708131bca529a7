// Reads files that a test has made, and says what it expects of them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "formats/amb/make_amb.h"
#include "formats/conformance.h"
#include "tensor/codec/stream_decoder.h"

namespace ambry::formats::amb::testing {

using formats::testing::Outcome;
using formats::testing::Reading;
using io::Strictness;

inline const Format& amb() { return *find_format("amb"); }

inline Outcome read(const File& file, Strictness strictness = Strictness::Strict,
                    model::ReadOptions options = {}) {
  return formats::testing::read(file, amb(), Reading{strictness, options});
}

inline bool has(const std::vector<Error>& problems, std::string_view path) {
  return std::ranges::any_of(problems, [&](const Error& e) { return e.path == path; });
}

inline void expect_clean(const File& file) {
  const Outcome outcome = read(file);
  ASSERT_TRUE(outcome.model) << describe(outcome.model.error());
  for (const Error& e : outcome.found.errors) ADD_FAILURE() << describe(e);
  for (const Error& e : outcome.found.warnings) ADD_FAILURE() << describe(e);
}

// The file's only error, fatal or not, when read leniently.
inline void expect_error(const File& file, ErrorCode code, std::string_view path, uint64_t offset) {
  const Outcome outcome = read(file, Strictness::Lenient);
  ASSERT_FALSE(outcome.accepted());
  const Error& error = outcome.model ? outcome.found.errors.front() : outcome.model.error();
  EXPECT_EQ(error.code, code) << describe(error);
  EXPECT_EQ(error.path, path) << describe(error);
  EXPECT_EQ(error.byte_offset, offset) << describe(error);
}

// A strict error and lenient warning at this path, and nothing else wrong.
inline void expect_tolerated(const File& file, std::string_view path, uint64_t offset) {
  const Outcome strict = read(file);
  ASSERT_TRUE(strict.model) << describe(strict.model.error());
  ASSERT_EQ(strict.found.errors.size(), 1U);
  EXPECT_EQ(strict.found.errors[0].path, path);
  EXPECT_EQ(strict.found.errors[0].byte_offset, offset);
  const Outcome lenient = read(file, Strictness::Lenient);
  ASSERT_TRUE(lenient.accepted());
  EXPECT_TRUE(has(lenient.found.warnings, path));
}

inline std::vector<float> values_of(const File& file, const model::TensorEntry& entry) {
  auto decoder = tensor::StreamDecoder::create(entry.dtype, entry.shape, entry.quantization,
                                               entry.bytes, entry.offset);
  EXPECT_TRUE(decoder) << describe(decoder.error());
  std::vector<float> values(static_cast<size_t>(*entry.shape.count()));
  Bytes bytes = Bytes(file).subspan(entry.offset, entry.bytes);
  EXPECT_EQ(*decoder->decode(bytes, values), values.size());
  return values;
}
}  // namespace ambry::formats::amb::testing
