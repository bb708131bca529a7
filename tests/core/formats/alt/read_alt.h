// Reading a made file and asking what was found wrong, for the tests of ALT.
#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "formats/alt/make_alt.h"
#include "formats/expect_format.h"

namespace ambry::formats::alt::testing {

using formats::testing::find;
using Read = formats::testing::Outcome;

inline const Format& alt() { return *find_format("alt"); }

inline Read read(const File& file, io::Strictness strictness = io::Strictness::Strict,
                 const model::ReadOptions& options = {}) {
  return formats::testing::read(file, alt(), {strictness, options});
}

inline Read read_leniently(const File& file) { return read(file, io::Strictness::Lenient); }

inline void expect_tolerated(const File& file, std::string_view path, uint64_t offset) {
  formats::testing::expect_tolerated(file, alt(), path, offset);
}

// Both refuse it, as the Result's error or one that was collected.
inline Error expect_refused(const File& file, std::string_view path, uint64_t offset) {
  Error seen;
  for (const auto strictness : {io::Strictness::Strict, io::Strictness::Lenient}) {
    const Read result = read(file, strictness);
    EXPECT_FALSE(result.accepted()) << "accepted; " << path << " was wrong";
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
