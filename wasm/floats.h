// Numbers that come from JavaScript as bytes.
#pragma once

#include <cstring>
#include <string>
#include <vector>

namespace ambry::wasm {

// The numbers in bytes of any alignment; a part of a number at the end is left for the core to
// miss.
[[nodiscard]] inline std::vector<float> floats_in(const std::string& bytes) {
  std::vector<float> floats(bytes.size() / sizeof(float));
  std::memcpy(floats.data(), bytes.data(), floats.size() * sizeof(float));
  return floats;
}

}  // namespace ambry::wasm
