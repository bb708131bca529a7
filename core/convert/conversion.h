// Converts a model to another format, or writes a file again in its own, as a stream: the caller
// alternates between filling a block that is to be read and taking a block that is to be written.
// Blocks come in order, so a pipe can take them; memory stays at a few blocks (of a few MiB, or one
// matrix when its storage order must be turned) plus the vocabulary.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/result.h"
#include "convert/job.h"
#include "convert/options.h"
#include "convert/source_files.h"

namespace ambry::convert {

class Conversion {
 public:
  // Restartable on NeedBytes.
  [[nodiscard]] static Result<Conversion> begin(const SourceFiles& sources, const Options& options);

  [[nodiscard]] uint64_t total_bytes() const { return job_->total_bytes(); }
  [[nodiscard]] uint64_t bytes_to_measure() const { return job_->bytes_to_measure(); }
  // Things left out or guessed; never errors.
  [[nodiscard]] const std::vector<Error>& warnings() const { return job_->warnings(); }
  [[nodiscard]] const Report* report() const { return job_->report(); }
  [[nodiscard]] Result<Step> next() { return job_->next(); }

 private:
  explicit Conversion(std::unique_ptr<Job> job) : job_(std::move(job)) {}
  std::unique_ptr<Job> job_;
};

}  // namespace ambry::convert
