#include "kernels/product_quantization/quantizer_training.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

#include "kernels/linear_algebra/f64_rows.h"
#include "kernels/product_quantization/eigenvalue_allocation.h"
#include "simd/isa.h"

namespace ambry::kernels {
namespace {

constexpr uint32_t kMaxBits = 8;

// The rotation, its singular vectors and sums take about 50 bytes for each of dims².
constexpr uint64_t kMaxRotatedDims = 1536;

// Multiplications in one step.
constexpr size_t kStepProducts = size_t{1} << 26;

Failure bad_option(const char* path, const Text& message) {
  return make_error(ErrorCode::BadValue, path, message);
}

std::vector<float> to_floats(const std::vector<double>& values) {
  std::vector<float> floats(values.size());
  std::ranges::transform(values, floats.begin(), [](double x) { return static_cast<float>(x); });
  return floats;
}

// a · b, both n x n.
std::vector<double> multiply(const std::vector<double>& a, const std::vector<double>& b, size_t n) {
  std::vector<double> product(n * n);
  for (size_t row = 0; row < n; ++row) {
    for (size_t i = 0; i < n; ++i) {
      axpy<simd::Baseline>(std::span(b).subspan(i * n, n), a[row * n + i],
                           std::span(product).subspan(row * n, n));
    }
  }
  return product;
}

}  // namespace

Result<void> check_training(const TrainingOptions& options, uint64_t n_rows, uint64_t dims) {
  if (options.n_slices == 0 || options.n_slices > dims || dims % options.n_slices != 0) {
    return bad_option("options.subquantizers",
                      {uint64_t{options.n_slices}, ", must divide the ", dims, " dimensions"});
  }
  if (options.bits == 0 || options.bits > kMaxBits) {
    return bad_option("options.bits", {"must be an integer from 1 to ", kMaxBits});
  }
  if (n_rows == 0) return make_error(ErrorCode::BadValue, "storage", "there are no vectors");
  if (n_rows >> options.bits == 0) {
    return bad_option("options.bits", {uint64_t{1} << options.bits,
                                       " centroids cannot be chosen from ", n_rows, " vectors"});
  }
  if (options.iterations == 0) return bad_option("options.iterations", "must be 1 or more");
  if (options.attempts == 0) return bad_option("options.attempts", "must be 1 or more");
  if (options.kind != QuantizerKind::Plain && dims > kMaxRotatedDims) {
    return make_error(ErrorCode::LimitExceeded, "options.type",
                      {"only pq takes more than ", kMaxRotatedDims, " dimensions"});
  }
  return {};
}

QuantizerTraining::QuantizerTraining(AlignedBuffer rows, size_t dims,
                                     const TrainingOptions& options)
    : rows_(std::move(rows)),
      shape_{dims, options.n_slices, size_t{1} << options.bits},
      options_(options),
      n_rows_(rows_.as<float>().size() / dims),
      clusters_(shape_, options.seed) {
  assert(check_training(options, n_rows_, dims).has_value());
  if (optimized()) options_.attempts = 1;
  if (options.kind == QuantizerKind::Plain) {
    begin_attempt();
  } else {
    mean_.resize(dims);
    phase_ = Phase::Mean;
  }
}

size_t QuantizerTraining::block_rows() const {
  const size_t products = shape_.dims * std::max(shape_.n_centroids, shape_.dims);
  const size_t fitting = std::max<size_t>(kStepProducts / products, 64);
  return std::min(fitting / kPanelColumns * kPanelColumns, n_rows_ - row_);
}

// Goes to the next block of rows. False at the end of the pass, after going back to the first row.
bool QuantizerTraining::next_block() {
  row_ += block_rows();
  if (row_ < n_rows_) return true;
  row_ = 0;
  return false;
}

void QuantizerTraining::begin_attempt() {
  clusters_.draw(rows_.as<float>().data(), n_rows_);
  iteration_ = 0;
  phase_ = Phase::Cluster;
}

Result<bool> QuantizerTraining::step() {
  switch (phase_) {
    case Phase::Mean:
      add_to_mean();
      break;
    case Phase::Covariance:
      AMBRY_RETURN_IF_ERROR(add_to_covariance());
      break;
    case Phase::Axes:
      AMBRY_RETURN_IF_ERROR(choose_axes());
      break;
    case Phase::Rotate:
      AMBRY_RETURN_IF_ERROR(rotate_all_rows());
      break;
    case Phase::Cluster:
      add_to_clusters();
      break;
    case Phase::Correlate:
      AMBRY_RETURN_IF_ERROR(correlate());
      break;
    case Phase::UpdateProjection:
      AMBRY_RETURN_IF_ERROR(update_projection());
      break;
    case Phase::Done:
      break;
  }
  return phase_ != Phase::Done;
}

void QuantizerTraining::add_to_mean() {
  const size_t n = block_rows();
  for (size_t i = 0; i < n * shape_.dims; ++i) {
    mean_[i % shape_.dims] += static_cast<double>(block()[i]);
  }
  if (next_block()) return;
  for (double& sum : mean_) sum /= static_cast<double>(n_rows_);
  correlation_.emplace(shape_.dims);
  phase_ = Phase::Covariance;
}

Result<void> QuantizerTraining::add_to_covariance() {
  const size_t n = block_rows();
  scratch_.resize(n * shape_.dims);
  for (size_t i = 0; i < scratch_.size(); ++i) {
    scratch_[i] = static_cast<float>(static_cast<double>(block()[i]) - mean_[i % shape_.dims]);
  }
  AMBRY_RETURN_IF_ERROR(correlation_->add(scratch_.data(), scratch_.data(), n));
  if (next_block()) return {};
  std::vector<double> covariance = correlation_->sums();
  for (double& sum : covariance) sum /= static_cast<double>(n_rows_ - 1);
  correlation_.reset();
  svd_.emplace(std::move(covariance), shape_.dims);
  phase_ = Phase::Axes;
  return {};
}

// Processes some more columns. True when the decomposition is complete.
bool QuantizerTraining::svd_is_done() {
  const size_t column_products = 20 * shape_.dims * shape_.dims;
  for (size_t done = 0; done < kStepProducts; done += column_products) {
    if (!svd_->step()) return true;
  }
  return false;
}

Result<void> QuantizerTraining::choose_axes() {
  if (!svd_is_done()) return {};
  const size_t dims = shape_.dims;
  std::vector<double> variances(dims);
  for (size_t i = 0; i < dims; ++i) variances[i] = svd_->value(i);
  const std::vector<uint32_t> axes = allocate_axes(variances, shape_.n_slices);
  projection_.resize(dims * dims);
  for (size_t column = 0; column < dims; ++column) {
    const auto axis = svd_->right(axes[column]);
    for (size_t row = 0; row < dims; ++row) projection_[row * dims + column] = axis[row];
  }
  svd_.reset();
  AMBRY_TRY(rotation_, RowRotation::pack(to_floats(projection_), dims));
  phase_ = Phase::Rotate;
  return {};
}

Result<void> QuantizerTraining::rotate_all_rows() {
  const size_t n = block_rows();
  scratch_.resize(n * shape_.dims);
  rotation_.apply(block(), n, scratch_.data());
  std::ranges::copy(scratch_, block());
  if (next_block()) return {};
  if (iteration_ == 0) {
    begin_attempt();
  } else if (iteration_ < options_.iterations) {
    clusters_.rows_changed();
    phase_ = Phase::Cluster;
  } else {
    phase_ = Phase::Done;
  }
  return {};
}

void QuantizerTraining::add_to_clusters() {
  clusters_.add(block(), block_rows());
  if (next_block()) return;
  const bool moved = clusters_.move();
  ++iteration_;
  if (optimized()) {
    correlation_.emplace(shape_.dims);
    phase_ = Phase::Correlate;
    return;
  }
  if (moved && iteration_ < options_.iterations) return;
  clusters_.keep_best();
  if (++attempt_ < options_.attempts) {
    begin_attempt();
  } else {
    phase_ = Phase::Done;
  }
}

// The rows are already X P. An orthogonal U Vᵀ for (X P)ᵀ Y is one for Xᵀ Y, rotated by P, so the
// reference's next projection is P U Vᵀ.
Result<void> QuantizerTraining::correlate() {
  const size_t n = block_rows();
  const size_t width = shape_.slice_dims();
  scratch_.resize(n * shape_.dims);
  codes_.resize(n);
  for (size_t slice = 0; slice < shape_.n_slices; ++slice) {
    const auto codebook = clusters_.codebook(slice);
    encode_slice(shape_, slice, codebook, block(), n, codes_.data(), 1);
    for (size_t row = 0; row < n; ++row) {
      std::copy_n(codebook.data() + codes_[row] * width, width,
                  scratch_.data() + row * shape_.dims + slice * width);
    }
  }
  AMBRY_RETURN_IF_ERROR(correlation_->add(block(), scratch_.data(), n));
  if (next_block()) return {};
  const std::vector<double>& sums = correlation_->sums();
  std::vector<double> columns(sums.size());
  for (size_t row = 0; row < shape_.dims; ++row) {
    for (size_t i = 0; i < shape_.dims; ++i) {
      columns[i * shape_.dims + row] = sums[row * shape_.dims + i];
    }
  }
  correlation_.reset();
  svd_.emplace(std::move(columns), shape_.dims);
  phase_ = Phase::UpdateProjection;
  return {};
}

Result<void> QuantizerTraining::update_projection() {
  if (!svd_is_done()) return {};
  const std::vector<double> rotation = svd_->polar();
  svd_.reset();
  projection_ = multiply(projection_, rotation, shape_.dims);
  AMBRY_TRY(rotation_, RowRotation::pack(to_floats(rotation), shape_.dims));
  phase_ = Phase::Rotate;
  return {};
}

double QuantizerTraining::progress() const {
  if (phase_ == Phase::Done) return 1.0;
  const double total = static_cast<double>(options_.iterations) * options_.attempts;
  return (static_cast<double>(attempt_) * options_.iterations + iteration_) / total;
}

ProductQuantizer QuantizerTraining::take() {
  assert(phase_ == Phase::Done);
  return {shape_, to_floats(projection_),
          std::move(optimized() ? clusters_.centroids() : clusters_.best())};
}

}  // namespace ambry::kernels
