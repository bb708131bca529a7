#include "convert/tensor/payload_encoder.h"

#include <utility>

#include "tensor/codec/block_errors.h"
#include "tensor/codec/stream_encoder.h"

namespace ambry::convert {
namespace {

using model::TensorEntry;
using tensor::BlockErrors;
using tensor::BlockErrorStream;
using tensor::DType;
using tensor::PayloadLayout;
using tensor::StreamEncoder;

void append(std::vector<uint8_t>& out, Bytes bytes) {
  out.insert(out.end(), bytes.begin(), bytes.end());
}

class Encoder final : public FloatEncoder {
 public:
  Encoder(StreamEncoder encoder, const Adaptive& adaptive, const PayloadLayout& layout)
      : encoder_(std::move(encoder)),
        adaptive_(adaptive),
        block_errors_(layout, adaptive.weights),
        has_prefix_(layout.mask_at != 0) {}

  [[nodiscard]] unsigned passes() const override { return encoder_.needs_measuring() ? 2 : 1; }

  Result<void> take(std::span<const float> rows, std::vector<uint8_t>& out) override {
    if (!settled_ && encoder_.needs_measuring()) {
      AMBRY_RETURN_IF_ERROR(encoder_.measure(rows));
      if (adaptive_.budget == nullptr) return {};
      block_errors_.add(rows, [&](const BlockErrors& errors) {
        precisions_.push_back(adaptive_.budget->choose(adaptive_.tensor, errors));
      });
      return {};
    }
    AMBRY_RETURN_IF_ERROR(settle(out));
    AMBRY_TRY(const Bytes codes, encoder_.encode(rows));
    append(out, codes);
    return {};
  }

  Result<void> end_pass(std::vector<uint8_t>& out) override { return settle(out); }

 private:
  Result<void> settle(std::vector<uint8_t>& out) {
    if (settled_) return {};
    settled_ = true;
    AMBRY_RETURN_IF_ERROR(encoder_.settle(precisions_));
    // The writer of AMB may put the prefix before the tensor.
    append(out, encoder_.head().subspan(has_prefix_ ? 0 : tensor::kQuantPrefixBytes));
    return {};
  }

  StreamEncoder encoder_;
  const Adaptive& adaptive_;
  BlockErrorStream block_errors_;
  bool has_prefix_;
  std::vector<DType> precisions_;
  bool settled_ = false;
};

class Measurer final : public FloatEncoder {
 public:
  Measurer(StreamEncoder encoder, const Adaptive& adaptive, const PayloadLayout& layout,
           TensorEntry& target, tensor::PrecisionBudget& budget)
      : encoder_(std::move(encoder)),
        block_errors_(layout, adaptive.weights),
        target_(target),
        budget_(budget) {}

  Result<void> take(std::span<const float> rows, std::vector<uint8_t>& /*out*/) override {
    AMBRY_RETURN_IF_ERROR(encoder_.measure(rows));
    if (target_.dtype != DType::Adaptive) return {};
    block_errors_.add(rows, [&](const BlockErrors& errors) { budget_.add(errors); });
    return {};
  }

  Result<void> end_pass(std::vector<uint8_t>& /*out*/) override {
    if (target_.dtype == DType::Adaptive) return {};
    AMBRY_RETURN_IF_ERROR(encoder_.settle());
    target_.quantization = encoder_.quantization();
    return {};
  }

 private:
  StreamEncoder encoder_;
  BlockErrorStream block_errors_;
  TensorEntry& target_;
  tensor::PrecisionBudget& budget_;
};

}  // namespace

Result<std::unique_ptr<FloatEncoder>> make_payload_encoder(const Output& output,
                                                           const TensorEntry& target) {
  const tensor::Quantization how = target.quantization.value_or(tensor::Quantization());
  AMBRY_TRY(const PayloadLayout layout, tensor::payload_layout(target.dtype, target.shape, how));
  AMBRY_TRY(StreamEncoder encoder,
            StreamEncoder::create(target.dtype, target.shape, how.block_size, how.scale_type));
  return std::unique_ptr<FloatEncoder>(
      std::make_unique<Encoder>(std::move(encoder), output.adaptive, layout));
}

Result<std::unique_ptr<FloatEncoder>> make_measuring_encoder(const Output& output,
                                                             TensorEntry& target,
                                                             tensor::PrecisionBudget& budget) {
  const tensor::Quantization how = target.quantization.value_or(tensor::Quantization());
  AMBRY_TRY(const PayloadLayout layout, tensor::payload_layout(target.dtype, target.shape, how));
  AMBRY_TRY(StreamEncoder encoder,
            StreamEncoder::create(target.dtype, target.shape, how.block_size, std::nullopt));
  if (target.dtype == DType::Adaptive) budget.begin_tensor(layout);
  return std::unique_ptr<FloatEncoder>(
      std::make_unique<Measurer>(std::move(encoder), output.adaptive, layout, target, budget));
}

}  // namespace ambry::convert
