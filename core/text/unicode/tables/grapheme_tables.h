// Made by tests/reference/unicode/grapheme-tables.mjs from measurements; do not edit.
// How code points join into grapheme clusters in Hugging Face tokenizers 0.23.2.
#pragma once

#include <cstdint>

namespace ambry::text::grapheme_data {

enum Kind : uint8_t { kOther, kExtend, kControl, kPrepend };

inline constexpr uint32_t kRunCount = 706;
// varints, 4 * length + kind; the runs cover all code points from U+0000 on
extern const uint8_t kRuns[874];

}  // namespace ambry::text::grapheme_data
