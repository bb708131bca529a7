// What gets vectors, and then works on them in steps: an index with lists, groups of vectors, a map
// of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"

namespace ambry::api {

class VectorJob {
 public:
  // Returns the new number of vectors. BadValue, with the path of the number that is wrong.
  [[nodiscard]] virtual Result<uint32_t> append(std::span<const float> vectors) = 0;
  // JSON: {done, progress}, the latter in thousandths.
  [[nodiscard]] virtual Result<std::string> step() = 0;

 protected:
  VectorJob() = default;
  VectorJob(VectorJob&&) noexcept = default;
  VectorJob& operator=(VectorJob&&) noexcept = default;
  // Nobody owns a job as this, and without a virtual one the WebAssembly is smaller.
  ~VectorJob() = default;
};

}  // namespace ambry::api
