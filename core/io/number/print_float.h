// Prints a float as the shortest decimal that reads back as the same value.
#pragma once

#include <string>

namespace ambry::io {

// Appends digits without an exponent, whatever the size: "0.5", "3", "-0.0000001". `value` must be
// finite. Of several shortest decimals it is the closest, and the larger one of a tie, as the
// reference program of word vectors writes them. It uses no tables, which would add to every
// download.
void append_float(std::string& out, float value);

}  // namespace ambry::io
