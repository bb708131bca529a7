// The combining marks that Hugging Face's StripAccents drops.
#pragma once

namespace ambry::text {

// Code points past U+10FFFF do not occur.
[[nodiscard]] bool is_combining_mark(char32_t c);

}  // namespace ambry::text
