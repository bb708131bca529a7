// Reads made files as the validator does, and says what was found.
#pragma once

#include <string_view>

#include "formats/embd/make_embd.h"
#include "formats/expect_format.h"

namespace ambry::formats::embd::testing {

using formats::testing::has;
using Read = formats::testing::Outcome;

inline Read read(const File& file, io::Strictness strictness = io::Strictness::Strict) {
  return formats::testing::read(file, *find_format("embd"), {strictness});
}

inline void expect_tolerated(const File& file, std::string_view path, uint64_t offset) {
  formats::testing::expect_tolerated(file, *find_format("embd"), path, offset);
}

}  // namespace ambry::formats::embd::testing
