// Reads made files and says what was found, for the tests of this folder.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "formats/finalfusion/finalfusion_parse.h"
#include "formats/finalfusion/make_fifu.h"

namespace ambry::formats::finalfusion::testing {

struct Read {
  Result<model::Model> model = model::Model();
  io::Diagnostics found;

  [[nodiscard]] bool clean() const {
    return model.has_value() && found.errors.empty() && found.warnings.empty();
  }
};

inline Read read(const File& file, io::Strictness strictness = io::Strictness::Strict,
                 const model::ReadOptions& options = {}) {
  const io::MemorySource source(file);
  Read result;
  result.found.strictness = strictness;
  result.model = parse(source, result.found, options);
  if (result.model) check(*result.model, result.found);
  return result;
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
  const Read strict = read(file, io::Strictness::Strict);
  ASSERT_TRUE(strict.model) << describe(strict.model.error());
  ASSERT_EQ(strict.found.errors.size(), 1U);
  EXPECT_EQ(strict.found.errors[0].path, path) << describe(strict.found.errors[0]);
  EXPECT_EQ(strict.found.errors[0].byte_offset, offset) << describe(strict.found.errors[0]);
  const Read lenient = read(file, io::Strictness::Lenient);
  ASSERT_TRUE(lenient.model);
  EXPECT_TRUE(lenient.found.errors.empty());
  ASSERT_EQ(lenient.found.warnings.size(), 1U);
  EXPECT_EQ(lenient.found.warnings[0].path, path);
}

}  // namespace ambry::formats::finalfusion::testing
