#include "convert/tensor/tensor_transform.h"

#include <algorithm>

#include "convert/decoder/rope_permutation.h"
#include "convert/tensor/chunk_reader.h"
#include "convert/tensor/float_transform.h"
#include "convert/tensor/repack_transform.h"

namespace ambry::convert {
namespace {

using model::TensorEntry;

constexpr uint64_t kWorkBytes = 4ULL << 20;

// The inputs' bytes as they are, but for the order of their rows.
class CopyWork final : public TensorWork {
 public:
  explicit CopyWork(const Output& output)
      : rope_(output.rope),
        row_bytes_(stored_row_bytes(output.inputs.front().tensor).value_or(1)),
        reader_(output.inputs) {}

  Result<Work> next() override {
    if (asked_) {
      asked_ = false;
      change_order(rope_, row_bytes_, reader_.chunk());
      return Work{Step::Kind::Write, 0, reader_.chunk(), 0};
    }
    if (reader_.at_end()) return Work{};
    asked_ = true;
    if (rope_.change == RopeOrder::Change::None) return reader_.read(kWorkBytes);
    const uint64_t head = rope_.head_dim * row_bytes_;
    return reader_.read(std::max(head, kWorkBytes / head * head));
  }

 private:
  RopeOrder rope_;
  uint64_t row_bytes_;
  ChunkReader reader_;
  bool asked_ = false;
};

class ScalesWork final : public TensorWork {
 public:
  explicit ScalesWork(RowScales& scales) : scales_(scales) {}

  Result<Work> next() override {
    if (scales_.empty()) return Work{};
    written_ = std::move(scales_);
    scales_.clear();
    const MutableBytes bytes{reinterpret_cast<uint8_t*>(written_.data()),
                             written_.size() * sizeof(float)};
    return Work{Step::Kind::Write, 0, bytes, 0};
  }

 private:
  RowScales& scales_;
  RowScales written_;
};

// Rows can be told apart, and whole heads lie in each input.
bool can_order(const Output& output) {
  return std::ranges::all_of(output.inputs, [&](const Input& input) {
    const TensorEntry& tensor = input.tensor;
    return output.rope.head_dim > 0 && output.rope.head_dim % 2 == 0 && tensor.shape.rank() > 0 &&
           tensor.shape[0] % output.rope.head_dim == 0;
  });
}

Result<void> check_order(const Output& output, const TensorEntry& target) {
  if (output.rope.change == RopeOrder::Change::None) return {};
  const bool by_bytes = output.making == Making::Copy || output.making == Making::Repack;
  const bool rows_known = std::ranges::all_of(
      output.inputs, [](const Input& input) { return stored_row_bytes(input.tensor).has_value(); });
  if (can_order(output) && (rows_known || !by_bytes)) return {};
  return make_error(ErrorCode::Unsupported, target.name,
                    {"its rows cannot be ordered in heads of ", output.rope.head_dim});
}

}  // namespace

Result<std::unique_ptr<TensorWork>> begin_work(const Output& output, const TensorEntry& target,
                                               RowScales& scales, ErrorSums& errors) {
  using Begun = std::unique_ptr<TensorWork>;
  AMBRY_CHECK(check_order(output, target));
  switch (output.making) {
    case Making::Copy:
      return Begun(std::make_unique<CopyWork>(output));
    case Making::Repack:
      return begin_repacking(output, target);
    case Making::Scales:
      return Begun(std::make_unique<ScalesWork>(scales));
    default:
      return FloatWork::begin(output, target, scales, errors);
  }
}

}  // namespace ambry::convert
