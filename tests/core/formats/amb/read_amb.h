// Reads files that a test has made, and says what it expects of them.
#pragma once

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "formats/amb/make_amb.h"
#include "formats/expect_format.h"
#include "tensor/codec/stream_decoder.h"

namespace ambry::formats::amb::testing {

using formats::testing::has;
using formats::testing::Outcome;
using formats::testing::Reading;
using io::Strictness;

inline const Format& amb() { return *find_format("amb"); }

inline Outcome read(const File& file, Strictness strictness = Strictness::Strict,
                    model::ReadOptions options = {}) {
  return formats::testing::read(file, amb(), Reading{strictness, options});
}

inline void expect_clean(const File& file) {
  const Outcome outcome = read(file);
  EXPECT_TRUE(outcome.clean()) << outcome.text();
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

inline void expect_tolerated(const File& file, std::string_view path, uint64_t offset) {
  formats::testing::expect_tolerated(file, amb(), path, offset);
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
