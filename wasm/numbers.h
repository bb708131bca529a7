// Numbers that come from JavaScript: floats as bytes, and counts of them.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "base/result.h"

namespace ambry::wasm {

// The numbers in bytes of any alignment; a part of a number at the end is left for the core to
// miss.
[[nodiscard]] inline std::vector<float> floats_in(const std::string& bytes) {
  std::vector<float> floats(bytes.size() / sizeof(float));
  std::memcpy(floats.data(), bytes.data(), floats.size() * sizeof(float));
  return floats;
}

// BadValue for what is no length of an array in JavaScript: those are whole numbers below 2^32.
[[nodiscard]] inline Result<uint64_t> count_of(double number, const char* path) {
  if (number >= 0 && number < 4294967296.0) return static_cast<uint64_t>(number);
  return make_error(ErrorCode::BadValue, path, "no number of numbers");
}

}  // namespace ambry::wasm
