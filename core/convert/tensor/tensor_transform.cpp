#include "convert/tensor/tensor_transform.h"

#include <algorithm>

#include "convert/tensor/chunk_reader.h"
#include "convert/tensor/float_transform.h"
#include "convert/tensor/order/rope_permutation.h"
#include "convert/tensor/repack_transform.h"

namespace ambry::convert {
namespace {

using model::TensorEntry;

constexpr uint64_t kCopyBytes = 4ULL << 20;

// Copies the inputs' bytes and reorders their rows if asked.
class CopyTransform final : public TensorTransform {
 public:
  explicit CopyTransform(const Output& output)
      : rope_(output.rope),
        row_bytes_(stored_row_bytes(output.inputs.front().tensor).value_or(1)),
        reader_(output.inputs) {}

  Result<TransformStep> next() override {
    if (asked_) {
      asked_ = false;
      permute_rows(rope_, row_bytes_, reader_.chunk());
      return TransformStep{Step::Kind::Write, 0, reader_.chunk(), 0};
    }
    if (reader_.at_end()) return TransformStep{};
    asked_ = true;
    if (rope_.change == RopePermutation::Change::None) return reader_.read(kCopyBytes);
    const uint64_t head = rope_.head_dim * row_bytes_;
    return reader_.read(std::max(head, kCopyBytes / head * head));
  }

 private:
  RopePermutation rope_;
  uint64_t row_bytes_;
  ChunkReader reader_;
  bool asked_ = false;
};

class ScalesTransform final : public TensorTransform {
 public:
  explicit ScalesTransform(RowScales& scales) : scales_(scales) {}

  Result<TransformStep> next() override {
    if (scales_.empty()) return TransformStep{};
    written_ = std::move(scales_);
    scales_.clear();
    const MutableBytes bytes{reinterpret_cast<uint8_t*>(written_.data()),
                             written_.size() * sizeof(float)};
    return TransformStep{Step::Kind::Write, 0, bytes, 0};
  }

 private:
  RowScales& scales_;
  RowScales written_;
};

// Writes what is not made of tensors.
class GivenTransform final : public TensorTransform {
 public:
  explicit GivenTransform(const std::vector<float>& values) : values_(values) {}

  Result<TransformStep> next() override {
    if (values_.empty() || written_) return TransformStep{};
    written_ = true;
    const MutableBytes bytes{reinterpret_cast<uint8_t*>(values_.data()),
                             values_.size() * sizeof(float)};
    return TransformStep{Step::Kind::Write, 0, bytes, 0};
  }

 private:
  std::vector<float> values_;
  bool written_ = false;
};

// Whether the rows have bytes of their own and each input has whole heads.
bool can_permute(const Output& output) {
  return std::ranges::all_of(output.inputs, [&](const Input& input) {
    const TensorEntry& tensor = input.tensor;
    return output.rope.head_dim > 0 && output.rope.head_dim % 2 == 0 && tensor.shape.rank() > 0 &&
           tensor.shape[0] % output.rope.head_dim == 0;
  });
}

Result<void> check_permutation(const Output& output, const TensorEntry& target) {
  if (output.rope.change == RopePermutation::Change::None) return {};
  const bool by_bytes = output.method == Method::Copy || output.method == Method::Repack;
  const bool rows_known = std::ranges::all_of(
      output.inputs, [](const Input& input) { return stored_row_bytes(input.tensor).has_value(); });
  if (can_permute(output) && (rows_known || !by_bytes)) return {};
  return make_error(ErrorCode::Unsupported, target.name,
                    {"its rows cannot be reordered in heads of ", output.rope.head_dim});
}

}  // namespace

Result<std::unique_ptr<TensorTransform>> begin_transform(const Output& output,
                                                         const TensorEntry& target,
                                                         RowScales& scales, ErrorSums& errors) {
  using Begun = std::unique_ptr<TensorTransform>;
  AMBRY_RETURN_IF_ERROR(check_permutation(output, target));
  switch (output.method) {
    case Method::Copy:
      return Begun(std::make_unique<CopyTransform>(output));
    case Method::Repack:
      return begin_repacking(output, target);
    case Method::Scales:
      return Begun(std::make_unique<ScalesTransform>(scales));
    case Method::Given:
      return Begun(std::make_unique<GivenTransform>(output.given));
    default:
      return FloatTransform::begin(output, target, scales, errors);
  }
}

}  // namespace ambry::convert
