// What a parser found wrong without having to stop: independent errors and warnings, in file order.
// A fatal problem still travels as the Result; a file is valid when neither holds an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/error.h"

namespace ambry::io {

// Strict reading refuses what the format's page says a writer must not produce; lenient reading
// accepts it with a warning where the meaning is certain.
enum class Strictness : uint8_t { Lenient, Strict };

struct Diagnostics {
  Strictness strictness = Strictness::Lenient;
  std::vector<Error> errors;
  std::vector<Error> warnings;
  size_t n_intolerant = 0;  // errors that lenient reading would have as warnings

  void error(Failure problem);
  void warn(Failure problem);
  // An error when strict, a warning when lenient.
  void tolerate(Failure problem);
};

}  // namespace ambry::io
