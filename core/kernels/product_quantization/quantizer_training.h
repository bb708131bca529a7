// Trains a product quantizer as the Rust reference (reductive 0.9) does
// (core/formats/finalfusion/README.md#training): plain, with axes allocated as for Gaussian
// variables, or with an orthogonal matrix that is optimized together with the centroids. It runs in
// steps of a few hundredths of a second.
//
// Equal rows, options and seed give equal bits in every build. They differ from the reference's,
// whose own results differ from run to run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "kernels/linear_algebra/row_products.h"
#include "kernels/linear_algebra/svd.h"
#include "kernels/product_quantization/kmeans.h"
#include "kernels/product_quantization/product_quantizer.h"
#include "kernels/product_quantization/training_options.h"

namespace ambry::kernels {

// Checks whether a quantizer with these options can be trained on `n_rows` vectors of `dims`
// values.
[[nodiscard]] Result<void> check_training(const TrainingOptions& options, uint64_t n_rows,
                                          uint64_t dims);

class QuantizerTraining {
 public:
  // `rows` are f32, finite and row-major. The options have been checked.
  QuantizerTraining(AlignedBuffer rows, size_t dims, const TrainingOptions& options);

  // False when the quantizer is trained.
  [[nodiscard]] Result<bool> step();
  // From 0 to 1.
  [[nodiscard]] double progress() const;
  // Call once, after step() has returned false.
  [[nodiscard]] ProductQuantizer take();

 private:
  enum class Phase : uint8_t {
    Mean,
    Covariance,
    Axes,
    Rotate,
    Cluster,
    Correlate,
    UpdateProjection,
    Done
  };

  [[nodiscard]] bool optimized() const { return options_.kind == QuantizerKind::Optimized; }
  [[nodiscard]] size_t block_rows() const;
  [[nodiscard]] float* block() { return rows_.as<float>().data() + row_ * shape_.dims; }
  bool next_block();
  void begin_attempt();
  [[nodiscard]] bool svd_is_done();

  void add_to_mean();
  Result<void> add_to_covariance();
  Result<void> choose_axes();
  Result<void> rotate_all_rows();
  void add_to_clusters();
  Result<void> correlate();
  Result<void> update_projection();

  AlignedBuffer rows_;
  QuantizerShape shape_;
  TrainingOptions options_;
  size_t n_rows_;
  Phase phase_ = Phase::Cluster;
  size_t row_ = 0;  // of the current pass over the rows
  uint32_t iteration_ = 0;
  uint32_t attempt_ = 0;
  SliceKMeans clusters_;
  std::vector<double> mean_;
  std::optional<RowCorrelation> correlation_;
  std::optional<Svd> svd_;
  std::vector<double> projection_;  // so far
  RowRotation rotation_;            // the rotation to apply to the rows next
  std::vector<float> scratch_;      // one block of rows
  std::vector<uint8_t> codes_;
};

}  // namespace ambry::kernels
