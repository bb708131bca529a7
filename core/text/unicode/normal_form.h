// Unicode's normal forms (Unicode 3.11) by the Unicode tables of Hugging Face's library.
#pragma once

#include <cstdint>
#include <string_view>

#include "text/unicode/aligned_text.h"

namespace ambry::text {

enum class NormalForm : uint8_t { Nfc, Nfd, Nfkc, Nfkd };

// Whether no character can change, because all are below the first that does.
[[nodiscard]] bool is_normal(std::string_view text, NormalForm form);
// A composed character's origin is all that was combined into it.
[[nodiscard]] AlignedText normalize(std::string_view text, NormalForm form);

}  // namespace ambry::text
