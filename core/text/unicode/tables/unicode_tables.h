// Made by tests/reference/unicode/unicode-tables.mjs from measurements; do not edit.
// Character classes, decompositions and lower case as Hugging Face tokenizers 0.23.2 has them.
#pragma once

#include <cstdint>

namespace ambry::text::unicode_data {

inline constexpr uint8_t kDrop = 1;
inline constexpr uint8_t kSpace = 2;
inline constexpr uint8_t kCjk = 4;
inline constexpr uint8_t kWhiteSpace = 8;
inline constexpr uint8_t kPunctuation = 16;
inline constexpr uint8_t kNonspacingMark = 32;
inline constexpr uint8_t kWord = 64;

inline constexpr uint32_t kDecompositionCount = 2060;
inline constexpr uint32_t kDecompositionUnits = 3404;
inline constexpr uint32_t kLowercaseRangeCount = 185;

// pairs: flags, rank of the canonical combining class
extern const uint8_t kCharClasses[140];
// varints; the runs cover all code points from U+0000 on
extern const uint8_t kRunLengths[2455];
// index into kCharClasses of each run
extern const uint8_t kRunClasses[2361];
// varints; distance from the code point before
extern const uint8_t kDecompositionGaps[2084];
// code points in each full canonical decomposition
extern const uint8_t kDecompositionSizes[2060];
// zigzag varints; first against the first before
extern const uint8_t kDecompositionFirsts[3208];
// varints; the other code points
extern const uint8_t kDecompositionRests[2722];
// varints; first of the range against the last of the one before
extern const uint8_t kLowercaseGaps[208];
// varints; 2 * count + (1 if every second code point)
extern const uint8_t kLowercaseCounts[187];
// zigzag varints; lower case minus code point
extern const uint8_t kLowercaseDeltas[282];

}  // namespace ambry::text::unicode_data
