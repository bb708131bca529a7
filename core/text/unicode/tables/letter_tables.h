// Made by tests/reference/unicode/byte-level-tables.mjs from measurements; do not edit.
// Kinds of code points and compositions as Hugging Face tokenizers 0.23.2 has them.
#pragma once

#include <cstdint>

namespace ambry::text::letter_data {

inline constexpr uint8_t kOther = 0;
inline constexpr uint8_t kLetter = 1;
inline constexpr uint8_t kNumber = 2;
inline constexpr uint8_t kSpace = 3;
inline constexpr uint8_t kDigit = 4;

// General categories: Lu and Lt, Ll, Lm and Lo, M, P, S. All others are 0.
inline constexpr uint8_t kUpper = 1;
inline constexpr uint8_t kLower = 2;
inline constexpr uint8_t kUncased = 3;
inline constexpr uint8_t kMark = 4;
inline constexpr uint8_t kPunctuation = 5;
inline constexpr uint8_t kSymbol = 6;

inline constexpr uint32_t kExclusionCount = 103;

// varints; 8 * length + kind (and kDigit beside it); the runs cover all code points from U+0000 on
extern const uint8_t kKindRuns[2101];
// varints; 8 * length + category; the same
extern const uint8_t kCategoryRuns[3934];
// varints; distance from the code point before
extern const uint8_t kExclusionGaps[114];

}  // namespace ambry::text::letter_data
