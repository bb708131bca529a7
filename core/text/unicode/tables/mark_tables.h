// Made by tests/reference/unicode/mark-tables.mjs from measurements; do not edit.
// The combining marks that StripAccents drops in Hugging Face tokenizers 0.23.2.
#pragma once

#include <cstdint>

namespace ambry::text::mark_data {

// varints, 8 * length + 1 for marks; the runs cover all code points from U+0000 on
extern const uint8_t kRuns[673];

}  // namespace ambry::text::mark_data
