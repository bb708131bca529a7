// Problems that do not stop a parser: independent errors and warnings, in file order. A fatal
// problem is returned as a Result instead. A file is valid when there is no error of either kind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/error.h"

namespace ambry::io {

// Strict reading rejects everything that a writer must not produce according to the format's page.
// Lenient reading accepts it with a warning where the meaning is certain.
enum class Strictness : uint8_t { Lenient, Strict };

struct Diagnostics {
  Strictness strictness = Strictness::Lenient;
  std::vector<Error> errors;
  std::vector<Error> warnings;
  size_t n_strict_only = 0;  // errors that would be warnings in lenient reading

  void error(Failure problem);
  void warn(Failure problem);
  // Adds an error in strict reading and a warning in lenient reading.
  void tolerate(Failure problem);
};

}  // namespace ambry::io
