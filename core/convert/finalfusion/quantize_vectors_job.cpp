#include "convert/finalfusion/quantize_vectors_job.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/random.h"
#include "convert/finalfusion/finalfusion_job.h"
#include "formats/finalfusion/finalfusion_layout.h"
#include "kernels/product_quantization/quantizer_training.h"
#include "tensor/word_norm.h"

namespace ambry::convert {
namespace {

namespace fifu = formats::finalfusion;

class QuantizeVectorsJob final : public FinalfusionJob {
 public:
  [[nodiscard]] Result<void> begin(SourceModel source, const VectorOptions& options);
  [[nodiscard]] const Report* report() const override { return &report_; }
  [[nodiscard]] uint64_t bytes_to_measure() const override {
    return n_rows_ * dims_ * sizeof(float);
  }

 private:
  [[nodiscard]] Result<void> plan_sample(uint64_t wanted);
  [[nodiscard]] Result<void> lay_out_codes(SourceModel source);
  void begin_report(uint64_t bytes_before);
  Result<Step> prepare() override;
  Result<Step> make(std::string_view tensor) override;
  Result<void> survey_block();
  Result<Step> train();
  Result<Step> next_codes();
  void compare_block();
  [[nodiscard]] std::span<float> unit_row(size_t row);
  [[nodiscard]] Failure bad_row(size_t row) const;
  [[nodiscard]] Step write_floats(const std::vector<float>& numbers) const {
    return write(bytes_of(std::span<const float>(numbers)));
  }

  kernels::TrainingOptions options_;
  size_t dims_ = 0;
  uint64_t n_rows_ = 0;
  RowStream rows_;
  bool asked_ = false;  // whether a block was requested that has not been used yet
  std::vector<float> unit_rows_;
  std::vector<float> norms_;
  kernels::ProductQuantizer quantizer_;
  kernels::VectorEncoder encoder_;
  std::vector<uint8_t> codes_;
  Report report_;

  // For the first pass and the training.
  AlignedBuffer sample_;
  uint64_t n_sample_ = 0;
  uint64_t n_sampled_ = 0;
  Random random_{0};
  std::optional<kernels::QuantizerTraining> training_;
};

Result<void> QuantizeVectorsJob::begin(SourceModel source, const VectorOptions& options) {
  const model::TensorEntry storage = *find_tensor(source.model, fifu::kStorage);
  n_rows_ = storage.shape[0];
  dims_ = static_cast<size_t>(storage.shape[1]);
  rows_ = RowStream(storage, kVectorBlockBytes);
  options_ = options.training;
  if (options_.n_slices == 0) options_.n_slices = dims_ / 2;
  random_ = Random(options_.seed);
  AMBRY_RETURN_IF_ERROR(plan_sample(options.sample));
  AMBRY_RETURN_IF_ERROR(lay_out_codes(std::move(source)));
  begin_report(storage.bytes);
  return {};
}

Result<void> QuantizeVectorsJob::plan_sample(uint64_t wanted) {
  const uint64_t row_bytes = uint64_t{dims_} * sizeof(float);
  const uint64_t fitting = std::max<uint64_t>(kSampleBytes / row_bytes, kernels::kMaxCentroids);
  n_sample_ = std::min(n_rows_, wanted == 0 ? fitting : wanted);
  AMBRY_RETURN_IF_ERROR(kernels::check_training(options_, n_sample_, dims_));
  AMBRY_TRY(sample_, AlignedBuffer::allocate(n_sample_ * row_bytes));
  return {};
}

Result<void> QuantizeVectorsJob::lay_out_codes(SourceModel source) {
  const uint64_t n_slices = options_.n_slices;
  std::vector<model::TensorEntry> tensors;
  const auto add = [&](std::string_view name, tensor::DType dtype, const tensor::Shape& shape) {
    model::TensorEntry& tensor = tensors.emplace_back();
    tensor.name = name;
    tensor.dtype = dtype;
    tensor.shape = shape;
  };
  if (options_.kind != kernels::QuantizerKind::Plain) {
    add(fifu::kProjection, tensor::DType::F32, {dims_, dims_});
  }
  add(fifu::kCentroids, tensor::DType::F32,
      {n_slices, uint64_t{1} << options_.bits, dims_ / n_slices});
  add(fifu::kQuantizedNorms, tensor::DType::F32, {n_rows_});
  add(fifu::kCodes, tensor::DType::U8, {n_rows_, n_slices});
  return lay_out(std::move(source), std::move(tensors));
}

void QuantizeVectorsJob::begin_report(uint64_t bytes_before) {
  TensorReport& vectors = report_.tensors.emplace_back();
  vectors.name = fifu::kStorage;
  vectors.from = tensor::DType::F32;
  vectors.to = tensor::DType::U8;
  vectors.bytes_before = bytes_before;
  vectors.bytes =
      n_rows_ * (options_.n_slices + sizeof(float)) + (dims_ * sizeof(float) << options_.bits);
  if (options_.kind != kernels::QuantizerKind::Plain)
    vectors.bytes += dims_ * dims_ * sizeof(float);
  report_.vectors.emplace();
}

Result<Step> QuantizeVectorsJob::prepare() {
  if (training_) return train();
  if (asked_) AMBRY_RETURN_IF_ERROR(survey_block());
  asked_ = !rows_.at_end();
  if (asked_) return rows_.read();
  training_.emplace(std::move(sample_), dims_, options_);
  return Step{Step::Kind::Compute, 0, {}, {}};
}

// Computes the norms of a block's rows. A random sample of the rows is kept for training.
Result<void> QuantizeVectorsJob::survey_block() {
  for (size_t row = 0; row < rows_.n_rows(); ++row) {
    unit_rows_.resize(dims_);
    const auto numbers = rows_.floats().subspan(row * dims_, dims_);
    std::ranges::copy(numbers, unit_rows_.begin());
    const float norm = tensor::normalize_word(unit_rows_);
    if (!std::isfinite(norm)) return bad_row(row);
    norms_.push_back(norm);
    const uint64_t left = n_rows_ - rows_.first_row() - row;
    if (random_.below(left) >= n_sample_ - n_sampled_) continue;
    std::ranges::copy(
        unit_rows_, sample_.as<float>().begin() + static_cast<std::ptrdiff_t>(n_sampled_ * dims_));
    ++n_sampled_;
  }
  return {};
}

Failure QuantizeVectorsJob::bad_row(size_t row) const {
  const auto numbers = rows_.floats().subspan(row * dims_, dims_);
  const auto bad = std::ranges::find_if(numbers, [](float x) { return !std::isfinite(x); });
  const uint64_t offset = rows_.offset_of(row);
  const std::string path = concat({"storage, row ", rows_.first_row() + row});
  if (bad == numbers.end()) {
    return error_at(ErrorCode::BadValue, offset, path,
                    "the vector's length passes the range of f32");
  }
  return error_at(ErrorCode::BadValue,
                  offset + static_cast<uint64_t>(bad - numbers.begin()) * sizeof(float), path,
                  "NaN or infinity cannot be quantized");
}

Result<Step> QuantizeVectorsJob::train() {
  AMBRY_TRY(const bool more, training_->step());
  if (more) {
    const double done = training_->progress() * static_cast<double>(Step::kProgressDone);
    return Step{Step::Kind::Compute, static_cast<uint64_t>(done), {}, {}};
  }
  quantizer_ = training_->take();
  training_.reset();
  AMBRY_TRY(encoder_, kernels::VectorEncoder::begin(quantizer_));
  rows_.restart();
  return Step{};
}

Result<Step> QuantizeVectorsJob::make(std::string_view tensor) {
  if (tensor == fifu::kProjection) return write_floats(quantizer_.projection);
  if (tensor == fifu::kCentroids) return write_floats(quantizer_.centroids);
  if (tensor == fifu::kQuantizedNorms) return write_floats(norms_);
  if (tensor == fifu::kCodes) return next_codes();
  return copy_norms();
}

Result<Step> QuantizeVectorsJob::next_codes() {
  asked_ = !asked_;
  if (asked_) return rows_.read();
  unit_rows_.assign(rows_.floats().begin(), rows_.floats().end());
  for (size_t row = 0; row < rows_.n_rows(); ++row) tensor::normalize_word(unit_row(row));
  codes_.resize(rows_.n_rows() * options_.n_slices);
  encoder_.encode(unit_rows_.data(), rows_.n_rows(), codes_.data());
  compare_block();
  return write(codes_);
}

std::span<float> QuantizeVectorsJob::unit_row(size_t row) {
  return std::span(unit_rows_).subspan(row * dims_, dims_);
}

// Replaces the unit rows by what a reader decodes from the codes, for the report.
void QuantizeVectorsJob::compare_block() {
  std::vector<float> scratch(dims_);
  for (size_t row = 0; row < rows_.n_rows(); ++row) {
    const std::span<float> after = unit_row(row);
    quantizer_.reconstruct(codes_.data() + row * options_.n_slices, after, scratch);
    const float norm = norms_[static_cast<size_t>(rows_.first_row()) + row];
    for (float& x : after) x *= norm;
    report_.vectors->add(rows_.floats().subspan(row * dims_, dims_), after);
  }
  report_.tensors.front().errors.add(rows_.floats(), unit_rows_);
}

}  // namespace

Result<std::unique_ptr<Job>> begin_quantizing(SourceModel source, const VectorOptions& options) {
  auto job = std::make_unique<QuantizeVectorsJob>();
  AMBRY_RETURN_IF_ERROR(job->begin(std::move(source), options));
  return std::unique_ptr<Job>(std::move(job));
}

}  // namespace ambry::convert
