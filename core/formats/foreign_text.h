// The part of describe_foreign() for files that are text or start with it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ambry::formats {

// Whether the text is a vocabulary of tiktoken: tokens in Base64 with their ranks.
[[nodiscard]] bool is_tiktoken(std::string_view head);

[[nodiscard]] std::string describe_foreign_text(std::string_view head, uint64_t size);

}  // namespace ambry::formats
