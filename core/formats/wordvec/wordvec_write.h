// Writes records one after another. print_header (wordvec_header.h) makes the header.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "formats/wordvec/wordvec_header.h"

namespace ambry::formats::wordvec {

// Whether a reader would get this word back.
[[nodiscard]] bool can_hold(std::string_view word);

// For floret, `word` is the row's index.
void append_record(Form form, std::string_view word, std::span<const float> values,
                   std::string& out);

}  // namespace ambry::formats::wordvec
