// A job that also verifies the checksums that its source states. They are computed from the blocks
// that the job reads, in whatever order. What it did not read is read at the end.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "convert/plan/conversion_options.h"
#include "convert/plan/job.h"
#include "convert/plan/source_files.h"
#include "io/range_crcs.h"
#include "model/file/model.h"

namespace ambry::convert {

// Wraps the job, if a source of this format states checksums. A wrong checksum is the error
// Mismatch when the job is done, or a warning under Options::lossy. On NeedBytes, load the bytes
// and call it again.
[[nodiscard]] Result<std::unique_ptr<Job>> with_checksums(std::unique_ptr<Job> job,
                                                          const SourceFiles& sources,
                                                          std::string_view format,
                                                          const Options& options);

class CheckedJob final : public Job {
 public:
  CheckedJob(std::unique_ptr<Job> job, std::vector<model::ByteRangeCrc> checksums, bool lossy);

  Result<Step> next() override;
  [[nodiscard]] uint64_t total_bytes() const override { return job_->total_bytes(); }
  [[nodiscard]] uint64_t bytes_to_measure() const override { return job_->bytes_to_measure(); }
  [[nodiscard]] const std::vector<Error>& warnings() const override {
    return warnings_.empty() ? job_->warnings() : warnings_;
  }
  [[nodiscard]] const Report* report() const override { return job_->report(); }

 private:
  void take(const Step& read);
  Step read(uint64_t offset, uint64_t size);
  Result<Step> verify();
  Result<void> compare();

  std::unique_ptr<Job> job_;
  std::vector<model::ByteRangeCrc> checksums_;
  bool lossy_;
  io::RangeCrcs crcs_;
  Step pending_;  // the block that the caller was asked to read
  std::vector<uint8_t> block_;
  bool job_done_ = false;
  std::vector<Error> warnings_;  // the job's and our own, once there are some of our own
};

}  // namespace ambry::convert
