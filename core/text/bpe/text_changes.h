// The normalizers of byte-level BPE, and of Unigram. Each byte of a changed text knows where it
// came from.
#pragma once

#include <span>
#include <string_view>

#include "model/tokenizer/tokenizer_data.h"
#include "text/unicode/aligned_text.h"

namespace ambry::text {

// Whether it is known at a glance that the changes leave the text as it is.
[[nodiscard]] bool is_unchanged(std::string_view text, std::span<const model::TextChange> changes);
// Makes the changes one after another.
[[nodiscard]] AlignedText changed(std::string_view text,
                                  std::span<const model::TextChange> changes);
[[nodiscard]] AlignedText changed(const AlignedText& text, model::TextChange how);

}  // namespace ambry::text
