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
  bool validates = false;  // the file is judged, and not opened
  std::vector<Error> errors;
  std::vector<Error> warnings;
  size_t n_bearable = 0;  // errors that would be warnings when the file is opened leniently

  void error(Failure problem);
  void warn(Failure problem);
  // Adds an error in strict reading and a warning in lenient reading.
  void tolerate(Failure problem);
  // Adds an error in a validation and in strict reading, and else a warning: the file is damaged,
  // and what is left of it runs as well.
  void recover(Failure problem);

 private:
  void bear(bool as_error, Failure problem);
};

}  // namespace ambry::io
