// A job that passes tokens through a decoder. Call step() until it reports that it is done.
#pragma once

#include <string>

#include "base/result.h"

namespace ambry::api {

class PassJob {
 public:
  // JSON of progress_document().
  [[nodiscard]] virtual Result<std::string> step() = 0;

 protected:
  PassJob() = default;
  PassJob(PassJob&&) noexcept = default;
  PassJob& operator=(PassJob&&) noexcept = default;
  // Nobody owns a job as this, and without a virtual one the WebAssembly is smaller.
  ~PassJob() = default;
};

}  // namespace ambry::api
