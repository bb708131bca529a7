// Writes one record after another; print_header (header.h) makes what comes before.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "formats/wordvec/header.h"

namespace ambry::formats::wordvec {

// Whether a reader would get this word back.
[[nodiscard]] bool can_hold(std::string_view word);

// `word` of floret is the row's number.
void append_record(Form form, std::string_view word, std::span<const float> values,
                   std::string& out);

}  // namespace ambry::formats::wordvec
