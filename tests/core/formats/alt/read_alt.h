// Reading a made file and asking what was found wrong, for the tests of ALT.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "formats/alt/alt_parse.h"
#include "formats/alt/make_alt.h"

namespace ambry::formats::alt::testing {

struct Read {
  Result<model::Model> model = model::Model();
  io::Diagnostics found;

  [[nodiscard]] bool valid() const { return model.has_value() && found.errors.empty(); }
  [[nodiscard]] bool clean() const { return valid() && found.warnings.empty(); }
  // What was found, for messages.
  [[nodiscard]] std::string text() const {
    std::string text = model ? "" : describe(model.error()) + "\n";
    for (const Error& e : found.errors) text += "error " + describe(e) + "\n";
    for (const Error& w : found.warnings) text += "warning " + describe(w) + "\n";
    return text;
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

inline Read read_leniently(const File& file) { return read(file, io::Strictness::Lenient); }

inline const Error* find(const std::vector<Error>& problems, std::string_view path) {
  const auto found = std::ranges::find(problems, path, &Error::path);
  return found == problems.end() ? nullptr : &*found;
}

// Strict reading has this one error, lenient reading the same as a warning and no error.
inline void expect_tolerated(const File& file, std::string_view path, uint64_t offset) {
  const Read strict = read(file);
  ASSERT_TRUE(strict.model) << strict.text();
  EXPECT_EQ(strict.found.errors.size(), 1U) << strict.text();
  const Error* error = find(strict.found.errors, path);
  ASSERT_NE(error, nullptr) << strict.text();
  EXPECT_EQ(error->byte_offset, offset) << strict.text();
  const Read lenient = read_leniently(file);
  EXPECT_TRUE(lenient.valid()) << lenient.text();
  EXPECT_NE(find(lenient.found.warnings, path), nullptr) << lenient.text();
}

// Both refuse it, as the Result's error or one that was collected.
inline Error expect_refused(const File& file, std::string_view path, uint64_t offset) {
  Error seen;
  for (const auto strictness : {io::Strictness::Strict, io::Strictness::Lenient}) {
    const Read result = read(file, strictness);
    EXPECT_FALSE(result.valid()) << "accepted; " << path << " was wrong";
    const Error* error = result.model ? find(result.found.errors, path) : &result.model.error();
    EXPECT_NE(error, nullptr) << path << " is not reported\n" << result.text();
    if (error == nullptr) continue;
    EXPECT_EQ(error->path, path) << result.text();
    EXPECT_EQ(error->byte_offset, offset) << result.text();
    seen = *error;
  }
  return seen;
}

}  // namespace ambry::formats::alt::testing
