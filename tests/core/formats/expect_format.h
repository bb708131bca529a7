// What a test expects of a file that it has made in a format of the registry.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>
#include <utility>

#include "formats/read_format.h"

namespace ambry::formats::testing {

// The model of a file that is read strictly. Each problem and each wrong checksum fails the test.
[[nodiscard]] inline Result<model::Model> sound_model(const File& file, std::string_view format) {
  Outcome outcome = read(file, *find_format(format));
  EXPECT_TRUE(outcome.clean()) << outcome.text();
  EXPECT_TRUE(!outcome.model || checksums_hold(*outcome.model, file));
  return std::move(outcome.model);
}

// Strict reading has one error, at this place, and lenient reading warns of it and has none.
inline void expect_tolerated(const File& file, const Format& format, std::string_view path,
                             uint64_t offset) {
  const Outcome strict = read(file, format);
  ASSERT_TRUE(strict.model) << strict.text();
  ASSERT_EQ(strict.found.errors.size(), 1U) << strict.text();
  EXPECT_EQ(strict.found.errors[0].path, path) << strict.text();
  EXPECT_EQ(strict.found.errors[0].byte_offset, offset) << strict.text();
  const Outcome lenient = read(file, format, {.strictness = io::Strictness::Lenient});
  EXPECT_TRUE(lenient.accepted()) << lenient.text();
  EXPECT_TRUE(has(lenient.found.warnings, path)) << lenient.text();
}

}  // namespace ambry::formats::testing
