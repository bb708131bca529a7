#include "convert/finalfusion/reconstruct_job.h"

#include <algorithm>
#include <utility>

#include "convert/finalfusion/finalfusion_job.h"
#include "formats/finalfusion/finalfusion_layout.h"
#include "kernels/product_quantization/product_quantizer.h"
#include "tensor/word_norm.h"

namespace ambry::convert {
namespace {

namespace fifu = formats::finalfusion;

class ReconstructJob final : public FinalfusionJob {
 public:
  [[nodiscard]] Result<void> begin(SourceModel source);

 private:
  // A part of the source that is read whole.
  struct Part {
    RowStream stream;
    std::vector<float>* values;
  };

  void want(const model::TensorEntry* tensor, std::vector<float>& values);
  Result<Step> prepare() override;
  Result<Step> make(std::string_view tensor) override;
  Result<Step> next_rows();
  Result<void> check_codes(size_t row, std::span<const uint8_t> codes) const;
  Result<void> reconstruct_row(size_t row);

  std::vector<Part> parts_;
  size_t next_part_ = 0;
  kernels::ProductQuantizer quantizer_;
  std::vector<float> quantized_norms_;
  uint64_t n_words_ = 0;
  RowStream codes_;
  bool asked_ = false;
  std::vector<float> rows_;
  std::vector<float> scratch_;
  std::vector<float> norms_;  // computed norms
};

Result<void> ReconstructJob::begin(SourceModel source) {
  const model::TensorEntry& codes = *find_tensor(source.model, fifu::kCodes);
  const model::TensorEntry& centroids = *find_tensor(source.model, fifu::kCentroids);
  const uint64_t n_rows = codes.shape[0];
  const uint64_t dims = centroids.shape[0] * centroids.shape[2];
  quantizer_.shape = {static_cast<size_t>(dims), static_cast<size_t>(centroids.shape[0]),
                      static_cast<size_t>(centroids.shape[1])};
  want(&centroids, quantizer_.centroids);
  want(find_tensor(source.model, fifu::kProjection), quantizer_.projection);
  want(find_tensor(source.model, fifu::kQuantizedNorms), quantized_norms_);
  // A block has as many codes as make a block of vectors.
  codes_ = RowStream(
      codes,
      std::max<uint64_t>(kVectorBlockBytes / (dims * sizeof(float)) * centroids.shape[0], 1));
  n_words_ = source.model.words->n_words;
  std::vector<model::TensorEntry> tensors(1);
  tensors[0].name = fifu::kStorage;
  tensors[0].shape = {n_rows, dims};
  const bool makes_norms = n_words_ > 0 && find_tensor(source.model, fifu::kNorms) == nullptr;
  if (makes_norms) {
    model::TensorEntry& norms = tensors.emplace_back();
    norms.name = fifu::kNorms;
    norms.shape = {n_words_};
  }
  return lay_out(std::move(source), std::move(tensors));
}

void ReconstructJob::want(const model::TensorEntry* tensor, std::vector<float>& values) {
  if (tensor != nullptr) parts_.push_back({RowStream(*tensor, tensor->bytes), &values});
}

Result<Step> ReconstructJob::prepare() {
  while (next_part_ < parts_.size()) {
    Part& part = parts_[next_part_];
    if (!part.stream.at_end()) return part.stream.read();
    part.values->assign(part.stream.floats().begin(), part.stream.floats().end());
    part.stream = RowStream();
    ++next_part_;
  }
  scratch_.resize(quantizer_.shape.dims);
  return Step{};
}

Result<Step> ReconstructJob::make(std::string_view tensor) {
  if (tensor == fifu::kStorage) return next_rows();
  if (has_norms()) return copy_norms();
  return write(bytes_of(std::span<const float>(norms_)));
}

Result<Step> ReconstructJob::next_rows() {
  asked_ = !asked_;
  if (asked_) return codes_.read();
  rows_.resize(codes_.n_rows() * quantizer_.shape.dims);
  for (size_t row = 0; row < codes_.n_rows(); ++row) AMBRY_RETURN_IF_ERROR(reconstruct_row(row));
  return write(bytes_of(std::span<const float>(rows_)));
}

Result<void> ReconstructJob::reconstruct_row(size_t row) {
  const kernels::QuantizerShape& shape = quantizer_.shape;
  const auto codes = Bytes(codes_.bytes()).subspan(row * shape.n_slices, shape.n_slices);
  AMBRY_RETURN_IF_ERROR(check_codes(row, codes));
  const auto vector = std::span(rows_).subspan(row * shape.dims, shape.dims);
  quantizer_.reconstruct(codes.data(), vector, scratch_);
  const uint64_t number = codes_.first_row() + row;
  if (!quantized_norms_.empty()) {
    const float norm = quantized_norms_[static_cast<size_t>(number)];
    for (float& x : vector) x *= norm;
  }
  if (!has_norms() && number < n_words_) norms_.push_back(tensor::normalize_word(vector));
  return {};
}

Result<void> ReconstructJob::check_codes(size_t row, Bytes codes) const {
  const size_t n_centroids = quantizer_.shape.n_centroids;
  const auto bad = std::ranges::find_if(codes, [&](uint8_t code) { return code >= n_centroids; });
  if (bad == codes.end()) return {};
  const auto slice = static_cast<uint64_t>(bad - codes.begin());
  return error_at(
      ErrorCode::BadValue, codes_.offset_of(row) + slice,
      {"quantized.codes, row ", codes_.first_row() + row},
      {"the code is ", uint64_t{*bad}, ", but there are ", uint64_t{n_centroids}, " centroids"});
}

}  // namespace

Result<std::unique_ptr<Job>> begin_reconstruction(SourceModel source) {
  auto job = std::make_unique<ReconstructJob>();
  AMBRY_RETURN_IF_ERROR(job->begin(std::move(source)));
  return std::unique_ptr<Job>(std::move(job));
}

}  // namespace ambry::convert
