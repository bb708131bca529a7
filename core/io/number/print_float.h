// A float as text: the shortest decimal that reads as the same number again.
#pragma once

#include <string>

namespace ambry::io {

// Digits only, whatever the size: "0.5", "3", "-0.0000001". `value` must be finite. Among the
// shortest decimals it is the closest one, of two as close the larger: the text that word vectors'
// reference program writes. Without tables, which everybody would download.
void append_float(std::string& out, float value);

}  // namespace ambry::io
