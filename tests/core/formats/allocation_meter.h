// Counts what the program allocates through operator new, so that tests can bound it.
#pragma once

#include <cstddef>

namespace ambry::testing {

// From construction on; one at a time.
class AllocationMeter {
 public:
  AllocationMeter();
  // The most bytes held at once beyond those held at the start, and the largest single request.
  [[nodiscard]] size_t peak() const;
  [[nodiscard]] size_t largest() const;
};

}  // namespace ambry::testing
