// Reads the fields of a decoder's config. Errors name the field and its byte.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "base/result.h"
#include "io/json/json.h"
#include "model/decoder/decoder_choices.h"
#include "model/metadata/metadata_value.h"

namespace ambry::model {

inline constexpr std::string_view kConfigSection = "config";

class ConfigFields {
 public:
  explicit ConfigFields(const io::Json& json) : json_(json) {}

  [[nodiscard]] const io::Json& json() const { return json_; }
  [[nodiscard]] bool has(const char* name) const { return has_value(json_, name); }

  // The key that holds a fact: `name`, or Hugging Face's name when only that is present.
  [[nodiscard]] const char* key(const char* name, const char* other) const {
    return !has(name) && has(other) ? other : name;
  }

  [[nodiscard]] Failure fail(const char* name, ErrorCode code, const Text& message) const {
    return metadata_error(json_, name, code, message, kConfigSection);
  }

  // A variable keeps its value when its key is absent.
  [[nodiscard]] Result<void> read(std::initializer_list<ValueTarget> targets) const {
    return read_values(json_, targets, kConfigSection);
  }

  // Reads a number that must be at least 1. NotFound when it is absent and `out` is 0.
  [[nodiscard]] Result<void> require(const char* name, uint32_t& out) const;

  // Reads a value that must be one of a few names. Keeps the default when it is absent.
  template <class T, size_t N>
  [[nodiscard]] Result<void> read_choice(const char* name, const std::array<Named<T>, N>& known,
                                         T& out) const {
    const auto text = metadata_text(json_, name);
    if (!text) {
      if (!has(name)) return {};
      return fail(name, ErrorCode::BadValue, "expected a string");
    }
    const auto found = std::ranges::find(known, *text, &Named<T>::name);
    if (found == known.end()) {
      return fail(name, ErrorCode::Unsupported, {"\"", *text, "\" is not supported"});
    }
    out = found->value;
    return {};
  }

 private:
  const io::Json& json_;
};

}  // namespace ambry::model
