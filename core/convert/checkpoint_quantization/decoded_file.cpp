#include "convert/checkpoint_quantization/decoded_file.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "convert/checkpoint_quantization/matrix_reader.h"
#include "convert/tensor/chunk_reader.h"
#include "tensor/dtype/convert.h"

namespace ambry::convert {
namespace {

// GPTQ's list of the group of each column.
Result<void> check_groups_of(const PackedMatrix& matrix, Bytes bytes) {
  const model::TensorEntry& list = matrix.group_of_column->tensor;
  for (uint64_t column = 0; column < matrix.cols; ++column) {
    const auto group = load_le<uint32_t>(&bytes[static_cast<size_t>(column) * sizeof(uint32_t)]);
    const auto fail = [&](ErrorCode code, const Text& message) {
      return error_at(code, list.offset + column * sizeof(uint32_t),
                      {list.name, ", column ", column}, message);
    };
    if (group >= matrix.groups()) {
      return fail(ErrorCode::BadValue,
                  {"group ", group, ", but there are ", matrix.groups(), " groups"});
    }
    if (matrix.groups_follow && group != column / matrix.group) {
      return fail(ErrorCode::Mismatch, {"group ", group,
                                        ", but config.json says that groups follow each other "
                                        "(desc_act is false), so that it is ",
                                        column / matrix.group});
    }
  }
  return {};
}

class DecodingJob final : public Job {
 public:
  DecodingJob(std::unique_ptr<Job> job, std::shared_ptr<const DecodedFile> file,
              std::vector<Origin> origins)
      : job_(std::move(job)), file_(std::move(file)), origins_(std::move(origins)) {}

  Result<Step> next() override;
  [[nodiscard]] uint64_t total_bytes() const override { return job_->total_bytes(); }
  [[nodiscard]] uint64_t bytes_to_measure() const override { return job_->bytes_to_measure(); }
  [[nodiscard]] const std::vector<Error>& warnings() const override { return job_->warnings(); }
  [[nodiscard]] const Report* report() const override;

 private:
  Result<std::optional<Step>> check_groups();
  Result<std::optional<Step>> answer();

  std::unique_ptr<Job> job_;
  std::shared_ptr<const DecodedFile> file_;
  std::vector<Origin> origins_;  // of the report's tensors
  mutable Report report_;
  size_t n_checked_ = 0;  // of the matrices
  AlignedBuffer list_;
  bool list_read_ = false;
  std::optional<Step> wanted_;  // what the job waits for
  std::optional<MatrixReader> reader_;
};

Result<Step> DecodingJob::next() {
  AMBRY_TRY(const std::optional<Step> list, check_groups());
  if (list) return *list;
  for (;;) {
    if (wanted_) {
      AMBRY_TRY(const std::optional<Step> read, answer());
      if (read) return *read;
    }
    AMBRY_TRY(const Step step, job_->next());
    if (step.kind != Step::Kind::Read || step.file != file_->number) return step;
    wanted_ = step;
  }
}

const Report* DecodingJob::report() const {
  if (job_->report() == nullptr) return nullptr;
  report_ = *job_->report();
  for (size_t i = 0; i < std::min(report_.tensors.size(), origins_.size()); ++i) {
    if (origins_[i].stored_as.empty()) continue;
    report_.tensors[i].stored_as = origins_[i].stored_as;
    report_.tensors[i].note = origins_[i].note;
    report_.tensors[i].bytes_before = origins_[i].bytes;
  }
  return &report_;
}

Result<std::optional<Step>> DecodingJob::check_groups() {
  for (; n_checked_ < file_->matrices.size(); ++n_checked_) {
    const PackedMatrix& matrix = file_->matrices[n_checked_];
    if (!matrix.group_of_column) continue;
    if (!std::exchange(list_read_, true)) {
      AMBRY_TRY(const TransformStep read, read_whole(*matrix.group_of_column, list_));
      return std::optional(Step{Step::Kind::Read, read.offset, read.bytes, {}, read.file});
    }
    list_read_ = false;
    AMBRY_RETURN_IF_ERROR(check_groups_of(matrix, list_.bytes()));
  }
  return std::optional<Step>();
}

// Reads what the wanted bytes are made of, and makes them.
Result<std::optional<Step>> DecodingJob::answer() {
  const PackedMatrix& matrix = file_->at(wanted_->offset);
  if (!reader_ || &reader_->matrix() != &matrix) reader_.emplace(matrix);
  AMBRY_TRY(const std::optional<TransformStep> read, reader_->next_read());
  if (read) return std::optional(Step{Step::Kind::Read, read->offset, read->bytes, {}, read->file});
  AMBRY_RETURN_IF_ERROR(reader_->fill(wanted_->offset - matrix.entry.offset, wanted_->target));
  wanted_.reset();
  return std::optional<Step>();
}

}  // namespace

const PackedMatrix& DecodedFile::at(uint64_t offset) const {
  const auto after = std::ranges::upper_bound(
      matrices, offset, {}, [](const PackedMatrix& matrix) { return matrix.entry.offset; });
  return *(after - 1);
}

std::vector<Origin> origins_of(const Plan& plan) {
  std::vector<Origin> origins(plan.outputs.size());
  for (size_t i = 0; plan.decoded != nullptr && i < origins.size(); ++i) {
    for (const Input& input : plan.outputs[i].inputs) {
      if (input.file != plan.decoded->number) continue;
      const PackedMatrix& matrix = plan.decoded->at(input.tensor.offset);
      origins[i].stored_as = matrix.method;
      origins[i].note = matrix.why_decoded.empty() ? "the same codes and scales"
                                                   : concat({"decoded: ", matrix.why_decoded});
      origins[i].bytes += matrix.stored_bytes();
    }
  }
  return origins;
}

std::unique_ptr<Job> decoding(std::unique_ptr<Job> job, std::shared_ptr<const DecodedFile> file,
                              std::vector<Origin> origins) {
  if (file == nullptr) return job;
  return std::make_unique<DecodingJob>(std::move(job), std::move(file), std::move(origins));
}

}  // namespace ambry::convert
