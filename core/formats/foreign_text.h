// The part of describe_foreign() for files that are text or start with it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ambry::formats {

[[nodiscard]] std::string describe_foreign_text(std::string_view head, uint64_t size);

}  // namespace ambry::formats
