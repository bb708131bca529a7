#include "convert/tensor/repack_transform.h"

#include <algorithm>
#include <vector>

#include "convert/tensor/chunk_reader.h"
#include "convert/tensor/order/rope_permutation.h"
#include "tensor/codec/repack.h"

namespace ambry::convert {
namespace {

using model::TensorEntry;
using tensor::DType;

constexpr uint64_t kRepackedBytes = 4ULL << 20;
constexpr uint64_t kScaleBytes = 2;

// The bytes to read at once: whole rows, or whole heads if rows must be reordered.
uint64_t chunk_bytes(const RopePermutation& rope, uint64_t row_bytes) {
  const uint64_t rows = rope.change == RopePermutation::Change::None ? 1 : rope.head_dim;
  return std::max<uint64_t>(1, kRepackedBytes / (rows * row_bytes)) * rows * row_bytes;
}

// Writes a prefix, if the target has one, and then what becomes of each chunk of the inputs.
class Repack : public TensorTransform {
 public:
  Repack(const Output& output, std::vector<Input> inputs, const TensorEntry& target)
      : rope_(output.rope), inputs_(std::move(inputs)), reader_(inputs_) {
    for (const Input& input : inputs_) {
      row_bytes_.push_back(stored_row_bytes(input.tensor).value_or(1));
    }
    if (!target.quantization) return;
    const auto prefix = tensor::quant_prefix(target.dtype, *target.quantization);
    prefix_.assign(prefix.begin(), prefix.end());
    ready_ = prefix_;
  }

  Result<TransformStep> next() override {
    if (asked_) {
      asked_ = false;
      permute_rows(rope_, row_bytes_[reader_.input()], reader_.chunk());
      ready_ = repacked(reader_.chunk());
    }
    if (!ready_.empty()) return TransformStep{Step::Kind::Write, 0, std::exchange(ready_, {}), 0};
    if (reader_.at_end() && !begins_again()) return TransformStep{};
    asked_ = true;
    return reader_.read(chunk_bytes(rope_, row_bytes_[reader_.next_input()]));
  }

 protected:
  // Valid until the next call.
  virtual MutableBytes repacked(MutableBytes chunk) = 0;
  // At the end of the inputs: whether they are read once more.
  virtual bool begins_again() { return false; }

  [[nodiscard]] const RopePermutation& rope() const { return rope_; }
  [[nodiscard]] uint64_t row_bytes() const { return row_bytes_.front(); }
  void restart() { reader_.restart(); }

 private:
  RopePermutation rope_;
  std::vector<Input> inputs_;
  ChunkReader reader_;
  std::vector<uint64_t> row_bytes_;  // of each input
  std::vector<uint8_t> prefix_;
  MutableBytes ready_;
  bool asked_ = false;
};

// Blocks that keep their size.
class InPlaceRepack final : public Repack {
 public:
  InPlaceRepack(const Output& output, const TensorEntry& target)
      : Repack(output, output.inputs, target), from_(output.inputs.front().tensor.dtype) {}

 private:
  MutableBytes repacked(MutableBytes chunk) override {
    tensor::repack_blocks(from_, chunk, chunk);
    return chunk;
  }

  DType from_;
};

// Q8_0 to INT8, in two passes: one for the scales, one for the codes.
class SplitRepack final : public Repack {
 public:
  SplitRepack(const Output& output, const TensorEntry& target)
      : Repack(output, output.inputs, target) {}

 private:
  MutableBytes repacked(MutableBytes chunk) override {
    const size_t n_blocks = chunk.size() / tensor::kQ8BlockBytes;
    part_.resize(n_blocks * (codes_ ? tensor::kRepackedBlock : kScaleBytes));
    if (codes_) {
      tensor::take_q8_codes(chunk, part_);
    } else {
      tensor::take_q8_scales(chunk, part_);
    }
    return part_;
  }

  bool begins_again() override {
    if (codes_) return false;
    codes_ = true;
    restart();
    return true;
  }

  std::vector<uint8_t> part_;
  bool codes_ = false;
};

// INT8 to Q8_0. The codes and the scales are the two inputs.
class JoinRepack final : public Repack {
 public:
  JoinRepack(const Output& output, const TensorEntry& target)
      : Repack(output, {output.inputs[0]}, target), scales_(output.inputs[1]) {}

  Result<TransformStep> next() override {
    if (scale_bytes_.size() == 0) return read_whole(scales_, scale_bytes_);
    if (!ordered_) {
      const uint64_t scale_row = row_bytes() / tensor::kRepackedBlock * kScaleBytes;
      permute_rows(rope(), scale_row, scale_bytes_.bytes());
      ordered_ = true;
    }
    return Repack::next();
  }

 private:
  MutableBytes repacked(MutableBytes codes) override {
    const size_t n_blocks = codes.size() / tensor::kRepackedBlock;
    const size_t size = n_blocks * kScaleBytes;
    blocks_.resize(n_blocks * tensor::kQ8BlockBytes);
    tensor::join_q8(Bytes(scale_bytes_.bytes()).subspan(scales_done_, size), codes, blocks_);
    scales_done_ += size;
    return blocks_;
  }

  const Input& scales_;
  AlignedBuffer scale_bytes_;
  size_t scales_done_ = 0;
  std::vector<uint8_t> blocks_;
  bool ordered_ = false;
};

// Codes with separate scales to INT8: all scales, then all codes.
class GatherRepack final : public Repack {
 public:
  GatherRepack(const Output& output, const TensorEntry& target)
      : Repack(output, {*output.scale, output.inputs.front()}, target) {}

 private:
  MutableBytes repacked(MutableBytes chunk) override { return chunk; }
};

// The codes and scales of an INT8 payload, as two tensors.
std::vector<TensorEntry> int8_parts(const TensorEntry& tensor) {
  const size_t rank = tensor.shape.rank();
  const uint64_t cols = tensor.shape[rank - 1];
  const uint64_t rows = tensor.shape.count().value_or(0) / cols;
  TensorEntry scales = tensor;
  scales.quantization.reset();
  TensorEntry codes = scales;
  scales.dtype = DType::F16;
  scales.shape = {rows, cols / tensor::kRepackedBlock};
  scales.offset += tensor.quantization->prefix_bytes;
  scales.bytes = rows * scales.shape[1] * kScaleBytes;
  codes.dtype = DType::I8;
  codes.shape = {rows, cols};
  codes.offset = scales.offset + scales.bytes;
  codes.bytes = rows * cols;
  return {codes, scales};
}

}  // namespace

std::optional<DType> repacked_type(const TensorEntry& tensor) {
  if (const auto payload = tensor::payload_type(tensor.dtype)) return payload;
  if (!tensor.quantization) return std::nullopt;
  return tensor::block_type(tensor.dtype, tensor.shape, *tensor.quantization);
}

Result<std::vector<TensorEntry>> repacked_parts(const TensorEntry& tensor) {
  if (!tensor.quantization) return std::vector{tensor};
  if (tensor.dtype == DType::Int8) return int8_parts(tensor);
  AMBRY_TRY(TensorEntry rows, row_range(tensor, 0, tensor.shape[0]));
  return std::vector{rows};
}

std::unique_ptr<TensorTransform> begin_repacking(const Output& output, const TensorEntry& target) {
  if (output.scale) return std::make_unique<GatherRepack>(output, target);
  if (target.dtype == DType::Int8) return std::make_unique<SplitRepack>(output, target);
  if (target.dtype == DType::Q8_0) return std::make_unique<JoinRepack>(output, target);
  return std::make_unique<InPlaceRepack>(output, target);
}

}  // namespace ambry::convert
