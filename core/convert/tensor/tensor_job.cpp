#include "convert/tensor/tensor_job.h"

#include <utility>

#include "convert/tensor/tensor_transform.h"

namespace ambry::convert {
namespace {

class TensorJob final : public Job {
 public:
  explicit TensorJob(Plan plan)
      : plan_(std::move(plan)), report_(report_of(plan_)), checksum_writer_(plan_.layout) {}

  Result<Step> next() override;
  [[nodiscard]] uint64_t total_bytes() const override { return plan_.layout.total_bytes; }
  [[nodiscard]] const std::vector<Error>& warnings() const override { return plan_.warnings; }
  [[nodiscard]] const Report* report() const override { return &report_; }

 private:
  Result<Step> next_of_tensor(size_t tensor);
  Step write(MutableBytes bytes);
  Step next_patch();

  Plan plan_;
  Report report_;
  model::ChecksumWriter checksum_writer_;
  size_t piece_ = 0;       // the part of the layout that is being written
  uint64_t position_ = 0;  // in the target
  std::unique_ptr<TensorTransform> work_;
  uint64_t tensor_begin_ = 0;
  RowScales scales_;
  std::vector<model::ChecksumWriter::Patch> patches_;
  size_t next_patch_ = 0;
  bool sealed_ = false;
};

Result<Step> TensorJob::next() {
  while (piece_ < plan_.layout.pieces.size()) {
    model::FilePiece& piece = plan_.layout.pieces[piece_];
    if (piece.tensor == model::FilePiece::kLiteral) {
      ++piece_;
      return write(piece.bytes);
    }
    AMBRY_TRY(const Step step, next_of_tensor(piece.tensor));
    if (step.kind != Step::Kind::Done) return step;
    ++piece_;
  }
  return next_patch();
}

Result<Step> TensorJob::next_of_tensor(size_t tensor) {
  const model::TensorEntry& target = plan_.target.tensors[tensor];
  if (work_ == nullptr) {
    AMBRY_TRY(work_, begin_transform(plan_.outputs[tensor], target, scales_,
                                     report_.tensors[tensor].errors));
    tensor_begin_ = position_;
  }
  AMBRY_TRY(const TransformStep work, work_->next());
  switch (work.kind) {
    case Step::Kind::Read:
      return Step{Step::Kind::Read, work.offset, work.bytes, {}, work.file};
    case Step::Kind::Write:
      return write(work.bytes);
    case Step::Kind::Compute:
      return Step{Step::Kind::Compute, work.offset, {}, {}};
    case Step::Kind::Done:
      break;
  }
  work_.reset();
  if (position_ - tensor_begin_ == target.bytes) return Step{};
  return make_error(
      ErrorCode::Mismatch, target.name,
      {"the conversion gave ", position_ - tensor_begin_, " bytes, expected ", target.bytes});
}

Step TensorJob::write(MutableBytes bytes) {
  checksum_writer_.update(bytes);
  const Step step{Step::Kind::Write, position_, {}, bytes};
  position_ += bytes.size();
  return step;
}

Step TensorJob::next_patch() {
  if (!sealed_) {
    patches_ = checksum_writer_.finish();
    sealed_ = true;
  }
  if (next_patch_ == patches_.size()) return {};
  const model::ChecksumWriter::Patch& patch = patches_[next_patch_++];
  return {Step::Kind::Write, patch.offset, {}, patch.bytes};
}

}  // namespace

Report report_of(const Plan& plan) {
  Report report;
  for (size_t i = 0; i < plan.outputs.size(); ++i) {
    const model::TensorEntry& target = plan.target.tensors[i];
    const std::vector<Input>& inputs = plan.outputs[i].inputs;
    TensorReport& tensor = report.tensors.emplace_back();
    tensor.name = target.name;
    tensor.from = inputs.empty() ? target.dtype : inputs.front().tensor.dtype;
    tensor.to = target.dtype;
    for (const Input& input : inputs) tensor.bytes_before += stored_tensor(input).bytes;
    tensor.bytes = target.bytes;
  }
  report.network = plan.network;
  return report;
}

std::unique_ptr<Job> start(Plan plan) { return std::make_unique<TensorJob>(std::move(plan)); }

}  // namespace ambry::convert
