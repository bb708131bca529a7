// Reads made files as the validator does, and says what was found.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/embd/embd_parse.h"
#include "formats/embd/make_embd.h"

namespace ambry::formats::embd::testing {

struct Read {
  Result<model::Model> model = model::Model();
  io::Diagnostics found;

  [[nodiscard]] bool clean() const {
    return model.has_value() && found.errors.empty() && found.warnings.empty();
  }
};

inline Read read(const File& file, io::Strictness strictness = io::Strictness::Strict) {
  const io::MemorySource source(file);
  Read result;
  result.found.strictness = strictness;
  result.model = parse(source, result.found);
  if (result.model) check(*result.model, result.found);
  return result;
}

// The model of a file that is read strictly. Each problem fails the test.
inline Result<model::Model> sound_model(const File& file) {
  Read result = read(file);
  for (const Error& problem : result.found.errors) ADD_FAILURE() << describe(problem);
  for (const Error& problem : result.found.warnings) ADD_FAILURE() << describe(problem);
  return std::move(result.model);
}

inline bool has(const std::vector<Error>& problems, std::string_view path) {
  return std::ranges::any_of(problems, [&](const Error& e) { return e.path == path; });
}

// Clean when read by both; strict error and lenient warning at this path otherwise.
inline void expect_tolerated(const File& file, std::string_view path, uint64_t offset) {
  const Read strict = read(file, io::Strictness::Strict);
  ASSERT_TRUE(strict.model) << describe(strict.model.error());
  ASSERT_EQ(strict.found.errors.size(), 1U);
  EXPECT_EQ(strict.found.errors[0].path, path);
  EXPECT_EQ(strict.found.errors[0].byte_offset, offset);
  const Read lenient = read(file, io::Strictness::Lenient);
  ASSERT_TRUE(lenient.model);
  EXPECT_TRUE(lenient.found.errors.empty());
  EXPECT_TRUE(has(lenient.found.warnings, path));
}

}  // namespace ambry::formats::embd::testing
