// Made by tests/reference/unicode/compatibility-tables.mjs from measurements; do not edit.
// Compatibility decompositions as Hugging Face tokenizers 0.23.2 has them, coded like the canonical
// ones in unicode_tables.h.
#pragma once

#include <cstdint>

namespace ambry::text::compatibility_data {

inline constexpr uint32_t kUnits = 5599;

extern const uint8_t kGaps[3706];
extern const uint8_t kSizes[3678];
extern const uint8_t kFirsts[4183];
extern const uint8_t kRests[3344];

}  // namespace ambry::text::compatibility_data
