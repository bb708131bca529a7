// What a file is that no format here takes: what people drop by mistake, told by its first bytes,
// so that the message can say what to do instead.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ambry::formats {

// So many first bytes are enough.
inline constexpr uint64_t kForeignHead = 4096;

// The first bytes of a file that has `size` in all; `an HTML page: …`, or nothing.
[[nodiscard]] std::string describe_foreign(std::string_view head, uint64_t size);

// The few that an address or a folder of models gives instead of a model, for programs that only
// run models and shall stay small.
[[nodiscard]] std::string describe_usual_mistake(std::string_view head);

// Whether an object or an array starts here, after white space.
[[nodiscard]] bool starts_like_json(std::string_view head);

}  // namespace ambry::formats
