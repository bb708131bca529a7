#include "convert/tensor/block_encoder.h"

#include <array>

#include "convert/tensor/group_encoder.h"
#include "convert/tensor/payload_encoder.h"
#include "tensor/codec/blocks/encode_blocks.h"
#include "tensor/dtype/convert.h"
#include "tensor/quantize.h"

namespace ambry::convert {
namespace {

using model::TensorEntry;
using tensor::DType;

// Elements of another plain type.
class Converter final : public FloatEncoder {
 public:
  explicit Converter(DType dtype) : dtype_(dtype) {}

  Result<void> take(std::span<const float> rows, std::vector<uint8_t>& out) override {
    const size_t begin = out.size();
    out.resize(begin + rows.size() * tensor::dtype_size(dtype_));
    return tensor::from_f32(dtype_, rows, MutableBytes(out).subspan(begin));
  }
  [[nodiscard]] bool fits(float value) const override {
    std::array<uint8_t, sizeof(double)> one{};
    const MutableBytes out = MutableBytes(one).first(tensor::dtype_size(dtype_));
    return tensor::from_f32(dtype_, {&value, 1}, out).has_value();
  }

 private:
  DType dtype_;
};

// int8 with one scale for each row. The scales are a tensor of their own.
class RowQuantizer final : public FloatEncoder {
 public:
  RowQuantizer(const TensorEntry& target, RowScales& scales)
      : cols_(static_cast<size_t>(target.bytes / target.shape[0])), scales_(scales) {
    scales_.clear();
  }

  Result<void> take(std::span<const float> rows, std::vector<uint8_t>& out) override {
    const size_t begin = out.size();
    const size_t first = scales_.size();
    const size_t n_rows = rows.size() / cols_;
    out.resize(begin + rows.size());
    scales_.resize(first + n_rows);
    const std::span<int8_t> codes{reinterpret_cast<int8_t*>(out.data()) + begin, rows.size()};
    return tensor::quantize_rows_int8(rows, n_rows, cols_, codes,
                                      std::span(scales_).subspan(first));
  }

 private:
  size_t cols_;
  RowScales& scales_;
};

// ggml's blocks. Rows are whole blocks.
class OfBlocks final : public FloatEncoder {
 public:
  OfBlocks(DType dtype, std::span<const float> importance)
      : dtype_(dtype), importance_(importance) {}

  Result<void> take(std::span<const float> rows, std::vector<uint8_t>& out) override {
    const tensor::Block block = tensor::block_of(dtype_);
    const size_t begin = out.size();
    out.resize(begin + rows.size() / block.elements * block.bytes);
    return tensor::encode_blocks(dtype_, rows, MutableBytes(out).subspan(begin), importance_);
  }

 private:
  DType dtype_;
  std::span<const float> importance_;
};

}  // namespace

Result<std::unique_ptr<FloatEncoder>> make_float_encoder(const Output& output,
                                                         const TensorEntry& target,
                                                         RowScales& scales) {
  using Made = std::unique_ptr<FloatEncoder>;
  if (output.method == Method::Groups) return Made(make_group_encoder(output.groups));
  if (output.method == Method::Quantize) {
    return Made(std::make_unique<RowQuantizer>(target, scales));
  }
  if (output.method == Method::Encode && target.quantization)
    return make_payload_encoder(output, target);
  if (output.method == Method::Encode && tensor::can_encode_blocks(target.dtype)) {
    return Made(std::make_unique<OfBlocks>(target.dtype, output.importance));
  }
  if (output.method == Method::Convert && is_plain(target.dtype)) {
    return Made(std::make_unique<Converter>(target.dtype));
  }
  return make_error(ErrorCode::Unsupported, target.name,
                    {"floats cannot be stored as ", dtype_name(target.dtype)});
}

}  // namespace ambry::convert
