// Reads made files and says what was found, for the tests of this folder.
#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "formats/expect_format.h"
#include "formats/finalfusion/make_fifu.h"

namespace ambry::formats::finalfusion::testing {

using Read = formats::testing::Outcome;

inline Read read(const File& file, io::Strictness strictness = io::Strictness::Strict,
                 const model::ReadOptions& options = {}) {
  return formats::testing::read(file, *find_format("finalfusion"), {strictness, options});
}

// The only problem of the file, fatal or not, is this one.
inline void expect_refused(const File& file, ErrorCode code, std::string_view path,
                           uint64_t offset) {
  const Read result = read(file, io::Strictness::Lenient);
  ASSERT_TRUE(!result.model || result.found.errors.size() == 1)
      << (result.found.errors.empty() ? "accepted" : describe(result.found.errors.back()));
  const Error& error = result.model ? result.found.errors[0] : result.model.error();
  EXPECT_EQ(error.code, code) << describe(error);
  EXPECT_EQ(error.path, path) << describe(error);
  EXPECT_EQ(error.byte_offset, offset) << describe(error);
}

// The only problem is this one: an error when strict, a warning when lenient.
inline void expect_tolerated(const File& file, std::string_view path, uint64_t offset) {
  formats::testing::expect_tolerated(file, *find_format("finalfusion"), path, offset);
  EXPECT_EQ(read(file, io::Strictness::Lenient).found.warnings.size(), 1U);
}

}  // namespace ambry::formats::finalfusion::testing
