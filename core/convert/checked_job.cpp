#include "convert/checked_job.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "formats/registry.h"
#include "model/file/file_layout.h"

namespace ambry::convert {
namespace {

constexpr uint64_t kBlockBytes = uint64_t{1} << 20;

}  // namespace

CheckedJob::CheckedJob(std::unique_ptr<Job> job, std::vector<model::ByteRangeCrc> checksums,
                       bool lossy)
    : job_(std::move(job)), checksums_(std::move(checksums)), lossy_(lossy) {
  for (const model::ByteRangeCrc& range : checksums_) crcs_.add(range.begin, range.end);
}

Result<Step> CheckedJob::next() {
  take(std::exchange(pending_, {}));
  if (!job_done_) {
    AMBRY_TRY(const Step step, job_->next());
    if (step.kind == Step::Kind::Read) pending_ = step;
    if (step.kind != Step::Kind::Done) return step;
    job_done_ = true;
  }
  return verify();
}

// Checksums are stated by formats that are one file.
void CheckedJob::take(const Step& read) {
  if (read.kind == Step::Kind::Read && read.file == 0) crcs_.update(read.offset, read.target);
}

Step CheckedJob::read(uint64_t offset, uint64_t size) {
  block_.resize(static_cast<size_t>(std::min(size, kBlockBytes)));
  pending_ = {Step::Kind::Read, offset, block_, {}};
  return pending_;
}

Result<Step> CheckedJob::verify() {
  if (const auto range = crcs_.missing()) return read(range->begin, range->end - range->begin);
  AMBRY_RETURN_IF_ERROR(compare());
  return Step{};
}

Result<void> CheckedJob::compare() {
  for (const model::ByteRangeCrc& range : std::exchange(checksums_, {})) {
    const uint32_t found = crcs_.value(range.begin, range.end);
    if (found == range.expected) continue;
    Failure mismatch = model::crc_mismatch(range, found);
    if (!lossy_) {
      mismatch->message += "; get the file again, or set `lossy` to convert it as it is";
      return mismatch;
    }
    if (warnings_.empty()) warnings_ = job_->warnings();
    warnings_.push_back(std::move(mismatch));
  }
  return {};
}

Result<std::unique_ptr<Job>> with_checksums(std::unique_ptr<Job> job, const SourceFiles& sources,
                                            std::string_view format, const Options& options) {
  const formats::Format* known = formats::find_format(format);
  if (known == nullptr || !known->states_checksums) return job;
  io::Diagnostics diagnostics;
  AMBRY_TRY(model::Model model, known->parse(sources.main(), diagnostics, {.vocabulary = false}));
  if (model.checksums.empty()) return job;
  return std::unique_ptr<Job>(
      std::make_unique<CheckedJob>(std::move(job), std::move(model.checksums), options.lossy));
}

}  // namespace ambry::convert
