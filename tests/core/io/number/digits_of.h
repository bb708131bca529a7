// A helper for the tests of printed numbers.
#pragma once

#include <string>
#include <string_view>

namespace ambry::io {

// The digits without leading and trailing zeros: "1.25e-07", "1.25e-7" and "0.000000125" all give
// "125".
inline std::string digits_of(std::string_view text) {
  std::string digits;
  for (const char c : text.substr(0, text.find('e'))) {
    if (c >= '0' && c <= '9' && !(c == '0' && digits.empty())) digits += c;
  }
  while (!digits.empty() && digits.back() == '0') digits.pop_back();
  return digits;
}

}  // namespace ambry::io
