// Statistics of one tensor's values while they stream by (TensorStatistics in
// web/src/entries/types.ts).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "api/files/validate/histogram.h"
#include "base/bytes.h"
#include "base/error.h"
#include "io/json/json.h"
#include "kernels/statistics.h"
#include "model/file/model.h"

namespace ambry::api {

class TensorStatistics {
 public:
  explicit TensorStatistics(const model::TensorEntry& tensor);

  // Adds the tensor's next values, in order.
  void add(std::span<const float> values);
  // Adds one-byte integers. There are only 256 values, so they are counted.
  void add(Bytes bytes);
  [[nodiscard]] static bool is_byte_type(tensor::DType dtype);
  [[nodiscard]] io::Json document() const;

  static constexpr uint64_t kNone = UINT64_MAX;
  [[nodiscard]] uint64_t count() const { return count_; }
  [[nodiscard]] uint64_t nan() const { return total_.nan; }
  [[nodiscard]] uint64_t infinite() const { return total_.infinite; }
  [[nodiscard]] uint64_t zeros() const { return total_.zeros; }
  // The index of the first value that is NaN or infinite; kNone when all are finite.
  [[nodiscard]] uint64_t first_not_finite() const { return first_not_finite_; }
  // The index of the first value that violates the model's statements about it
  // (model/file/model.h).
  [[nodiscard]] uint64_t first_invalid() const { return first_invalid_; }
  [[nodiscard]] uint64_t n_not_unit_rows() const { return n_not_unit_rows_; }
  [[nodiscard]] uint64_t first_not_unit_row() const { return first_not_unit_row_; }
  [[nodiscard]] uint64_t n_rows() const { return row_; }
  [[nodiscard]] uint64_t zero_rows() const { return zero_rows_; }
  [[nodiscard]] uint64_t first_zero_row() const { return first_zero_row_; }

 private:
  void add_run(std::span<const float> run);
  void add_finite(std::span<const float> values);
  void join(const kernels::RunStatistics& run);
  template <class T>
  void add_integers(std::span<const T> values);
  [[nodiscard]] bool is_allowed(float value) const;
  template <class T>
  void add_to_rows(std::span<const T> values, bool finite);
  void end_row();

  const model::TensorEntry& tensor_;
  float min_normal_;  // of the stored type; 0 when every value is normal
  uint64_t row_length_ = 0;

  uint64_t count_ = 0;
  kernels::RunStatistics total_;  // counts and extremes
  double mean_ = 0.0;
  double m2_ = 0.0;  // sum of squared distances from the mean
  uint64_t first_not_finite_ = kNone;
  uint64_t first_invalid_ = kNone;
  Histogram histogram_;
  std::vector<float> finite_;  // the finite values of a run that also has others

  uint64_t row_ = 0;
  uint64_t row_left_ = 0;
  double row_squares_ = 0.0;
  bool row_finite_ = true;
  uint64_t zero_rows_ = 0;
  uint64_t first_zero_row_ = kNone;
  uint64_t n_not_unit_rows_ = 0;
  uint64_t first_not_unit_row_ = kNone;
  uint64_t n_norms_ = 0;
  double min_norm_ = 0.0;
  double max_norm_ = 0.0;
  double sum_norms_ = 0.0;
};

}  // namespace ambry::api
