// Describes a file in no supported format by its first bytes: files that people open by mistake.
// The message can then say what to do instead.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ambry::formats {

// This many first bytes are enough.
inline constexpr uint64_t kForeignHead = 4096;

// Takes the first bytes of a file of `size` bytes. Returns `an HTML page: …`, or nothing.
[[nodiscard]] std::string describe_foreign(std::string_view head, uint64_t size);

// The few kinds that a URL or a model folder returns instead of a model. For programs that only run
// models and must stay small.
[[nodiscard]] std::string describe_usual_mistake(std::string_view head);

// Whether an object or an array starts here, after white space.
[[nodiscard]] bool starts_like_json(std::string_view head);

}  // namespace ambry::formats
