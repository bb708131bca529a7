// Converts a model to another format, or rewrites a file in its own format, as a stream. The caller
// alternates between filling a block to read and taking a block to write. Blocks come in order, so
// the target can be a pipe. The memory needed is a few blocks (of a few MiB, or one matrix if it
// must be transposed) plus the vocabulary.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "convert/plan/conversion_options.h"
#include "convert/plan/job.h"
#include "convert/plan/source_files.h"

namespace ambry::convert {

class Conversion {
 public:
  // On NeedBytes, load the bytes and call it again.
  [[nodiscard]] static Result<Conversion> begin(const SourceFiles& sources, const Options& options);

  // The id of the source's format.
  [[nodiscard]] std::string_view from() const { return from_; }
  [[nodiscard]] uint64_t total_bytes() const { return job_->total_bytes(); }
  [[nodiscard]] uint64_t bytes_to_measure() const { return job_->bytes_to_measure(); }
  // What was left out or guessed. These are never errors.
  [[nodiscard]] const std::vector<Error>& warnings() const { return job_->warnings(); }
  [[nodiscard]] const Report* report() const { return job_->report(); }
  [[nodiscard]] Result<Step> next() { return job_->next(); }

 private:
  Conversion(std::string_view from, std::unique_ptr<Job> job) : from_(from), job_(std::move(job)) {}
  std::string_view from_;  // in a table
  std::unique_ptr<Job> job_;
};

}  // namespace ambry::convert
