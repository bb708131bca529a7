#include "convert/quantize/quantize_job.h"

#include <algorithm>
#include <utility>

#include "convert/quantize/quantize_plan.h"
#include "convert/tensor/float_transform.h"
#include "convert/tensor/payload_encoder.h"
#include "convert/tensor/tensor_job.h"
#include "formats/amb/amb_write.h"
#include "tensor/codec/codes/codec_layout.h"
#include "tensor/codec/precision_budget.h"

namespace ambry::convert {
namespace {

using model::TensorEntry;
using tensor::DType;

class QuantizeJob final : public Job {
 public:
  explicit QuantizeJob(QuantizeOptions options) : options_(std::move(options)) {}

  Result<void> begin(Plan plan, DType dtype);
  Result<Step> next() override;
  [[nodiscard]] uint64_t total_bytes() const override {
    return writing_ ? writing_->total_bytes() : plan_.layout.total_bytes;
  }
  [[nodiscard]] uint64_t bytes_to_measure() const override { return bytes_to_measure_; }
  [[nodiscard]] const std::vector<Error>& warnings() const override {
    return writing_ ? writing_->warnings() : plan_.warnings;
  }
  [[nodiscard]] const Report* report() const override {
    return writing_ ? writing_->report() : &report_;
  }

 private:
  Result<Step> measure(size_t tensor);
  Result<void> settle();

  QuantizeOptions options_;
  Plan plan_;
  Report report_;                   // before anything is known
  std::vector<size_t> to_measure_;  // the target's tensors
  uint64_t bytes_to_measure_ = 0;
  size_t n_measured_ = 0;
  std::unique_ptr<TensorTransform> work_;
  tensor::PrecisionBudget budget_;
  std::vector<size_t> adaptive_;  // the target's tensors, in the budget's order
  std::unique_ptr<Job> writing_;
};

// An estimate: the size is known only after the precisions are chosen. It is the budget for this
// tensor alone.
Result<uint64_t> expected_bytes(const TensorEntry& tensor, double bits_per_weight) {
  AMBRY_TRY(const auto layout,
            tensor::payload_layout(tensor.dtype, tensor.shape, *tensor.quantization));
  const double wanted = static_cast<double>(layout.rows * layout.cols) * bits_per_weight / 8;
  return std::clamp(static_cast<uint64_t>(wanted), layout.min_bytes, layout.max_bytes);
}

Result<void> QuantizeJob::begin(Plan plan, DType dtype) {
  plan_ = std::move(plan);
  AMBRY_RETURN_IF_ERROR(quantize_plan(plan_, dtype, options_));
  for (size_t i = 0; i < plan_.outputs.size(); ++i) {
    if (plan_.outputs[i].method != Method::Encode) continue;
    TensorEntry& tensor = plan_.target.tensors[i];
    if (tensor.dtype == DType::Adaptive) {
      AMBRY_TRY(tensor.bytes, expected_bytes(tensor, options_.bits_per_weight));
    } else if (options_.scale_type) {
      continue;
    }
    to_measure_.push_back(i);
    for (const Input& input : plan_.outputs[i].inputs) bytes_to_measure_ += input.tensor.bytes;
  }
  AMBRY_TRY(plan_.layout, formats::amb::lay_out(plan_.target));
  report_ = report_of(plan_);
  return {};
}

Result<Step> QuantizeJob::next() {
  while (n_measured_ < to_measure_.size()) {
    AMBRY_TRY(const Step step, measure(to_measure_[n_measured_]));
    if (step.kind != Step::Kind::Done) return step;
    ++n_measured_;
  }
  if (writing_ == nullptr) AMBRY_RETURN_IF_ERROR(settle());
  return writing_->next();
}

Result<Step> QuantizeJob::measure(size_t tensor) {
  if (work_ == nullptr) {
    TensorEntry& target = plan_.target.tensors[tensor];
    if (target.dtype == DType::Adaptive) adaptive_.push_back(tensor);
    AMBRY_TRY(auto encoder, make_measuring_encoder(plan_.outputs[tensor], target, budget_));
    AMBRY_TRY(work_, FloatTransform::begin(plan_.outputs[tensor], target, std::move(encoder), {}));
  }
  AMBRY_TRY(const TransformStep work, work_->next());
  if (work.kind == Step::Kind::Read) {
    return Step{Step::Kind::Read, work.offset, work.bytes, {}, work.file};
  }
  work_.reset();
  return Step{};
}

Result<void> QuantizeJob::settle() {
  if (!adaptive_.empty()) {
    if (auto settled = budget_.settle(options_.bits_per_weight); !settled) {
      Failure error = settled.take_error();
      error->path = "options.bits";
      return error;
    }
  }
  for (size_t i = 0; i < adaptive_.size(); ++i) {
    TensorEntry& target = plan_.target.tensors[adaptive_[i]];
    target.quantization->scale_type = budget_.scale_type(i);
    target.bytes = budget_.payload_bytes(i);
    Adaptive& adaptive = plan_.outputs[adaptive_[i]].adaptive;
    adaptive.budget = &budget_;
    adaptive.tensor = i;
  }
  AMBRY_TRY(plan_.layout, formats::amb::lay_out(plan_.target));
  writing_ = start(std::move(plan_));
  return {};
}

}  // namespace

Result<std::unique_ptr<Job>> start_quantizing(Plan plan, DType dtype,
                                              const QuantizeOptions& options) {
  auto job = std::make_unique<QuantizeJob>(options);
  AMBRY_RETURN_IF_ERROR(job->begin(std::move(plan), dtype));
  return std::unique_ptr<Job>(std::move(job));
}

}  // namespace ambry::convert
