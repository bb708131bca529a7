// One weight of the encoder while its tensors arrive, and its conversion from the stored form to
// the form for running. An integer weight has up to three tensors, in any order: its values, their
// `.scale` and `.zero_point` (core/formats/embd/README.md#integer-weights): w = (q - zero point) *
// scale.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "infer/encoder/encoder_builder.h"
#include "infer/encoder/weights/embedding_table.h"
#include "infer/encoder/weights/encoder_weights.h"
#include "model/file/model.h"

namespace ambry::infer {

enum class WeightPart : uint8_t { Values, Scale, ZeroPoint };

class WeightSlot {
 public:
  // `rows` counts output features, also where the file stores the transpose.
  WeightSlot(std::string name, uint64_t rows, uint64_t cols, bool transposed)
      : name_(std::move(name)), rows_(rows), cols_(cols), transposed_(transposed) {}

  // Announces a part. Checks that the part may have the type of `entry`; the caller checks the
  // shape.
  [[nodiscard]] Result<void> expect(WeightPart which, const model::TensorEntry& entry);
  [[nodiscard]] Result<void> give(WeightPart which, AlignedBuffer bytes);
  // Whether all announced parts have been given.
  [[nodiscard]] bool complete() const;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] tensor::DType dtype() const { return part(WeightPart::Values).dtype; }

  // take_matrix, take_table and take_vector take the bytes of a complete slot and leave it empty. A
  // matrix with rows too long for integer sums becomes f32, whatever `storage` says.
  [[nodiscard]] Result<LinearWeight> take_matrix(WeightStorage storage);
  [[nodiscard]] Result<EmbeddingTable> take_table(WeightStorage storage);
  [[nodiscard]] Result<PaddedVector> take_vector();

 private:
  struct Part {
    tensor::DType dtype = tensor::DType::F32;
    uint64_t n_bytes = 0;
    bool expected = false;
    bool given = false;
    AlignedBuffer bytes;
  };

  [[nodiscard]] Part& part(WeightPart which) { return parts_[static_cast<size_t>(which)]; }
  [[nodiscard]] const Part& part(WeightPart which) const {
    return parts_[static_cast<size_t>(which)];
  }
  [[nodiscard]] bool has_scale() const { return part(WeightPart::Scale).expected; }
  // The scales or zero points, one per row. `absent` where the file has none.
  [[nodiscard]] Result<std::vector<float>> per_row(WeightPart which, float absent) const;
  // The weight in f32, dequantized, in its stored order (transposed or not).
  [[nodiscard]] Result<AlignedBuffer> widened();
  [[nodiscard]] Error with_name(Error error) const;

  std::string name_;
  uint64_t rows_;
  uint64_t cols_;
  bool transposed_;
  std::array<Part, 3> parts_;
};

// A vector of zeros, for a layer without a bias.
[[nodiscard]] Result<PaddedVector> zeros(uint64_t n);

}  // namespace ambry::infer
