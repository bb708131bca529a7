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

// Blocks that keep their size. A payload has a prefix before them.
class InPlaceRepack final : public TensorTransform {
 public:
  InPlaceRepack(const Output& output, const TensorEntry& target)
      : rope_(output.rope),
        from_(output.inputs.front().tensor.dtype),
        row_bytes_(stored_row_bytes(output.inputs.front().tensor).value_or(1)),
        reader_(output.inputs) {
    if (!target.quantization) return;
    const auto prefix = tensor::quant_prefix(target.dtype, *target.quantization);
    prefix_.assign(prefix.begin(), prefix.end());
  }

  Result<TransformStep> next() override {
    if (!prefix_.empty()) {
      written_ = std::exchange(prefix_, {});
      return TransformStep{Step::Kind::Write, 0, written_, 0};
    }
    if (asked_) {
      asked_ = false;
      permute_rows(rope_, row_bytes_, reader_.chunk());
      tensor::repack_blocks(from_, reader_.chunk(), reader_.chunk());
      return TransformStep{Step::Kind::Write, 0, reader_.chunk(), 0};
    }
    if (reader_.at_end()) return TransformStep{};
    asked_ = true;
    return reader_.read(chunk_bytes(rope_, row_bytes_));
  }

 private:
  RopePermutation rope_;
  DType from_;
  uint64_t row_bytes_;
  ChunkReader reader_;
  std::vector<uint8_t> prefix_;
  std::vector<uint8_t> written_;
  bool asked_ = false;
};

// Q8_0 to INT8, in two passes: one for the scales, one for the codes.
class SplitRepack final : public TensorTransform {
 public:
  SplitRepack(const Output& output, const TensorEntry& target)
      : rope_(output.rope),
        row_bytes_(stored_row_bytes(output.inputs.front().tensor).value_or(1)),
        reader_(output.inputs) {
    const auto prefix = tensor::quant_prefix(target.dtype, *target.quantization);
    out_.assign(prefix.begin(), prefix.end());
  }

  Result<TransformStep> next() override {
    if (asked_) {
      asked_ = false;
      take_part();
    }
    if (!out_.empty()) {
      written_ = std::exchange(out_, {});
      return TransformStep{Step::Kind::Write, 0, written_, 0};
    }
    if (reader_.at_end()) {
      if (codes_) return TransformStep{};
      codes_ = true;
      reader_.restart();
    }
    asked_ = true;
    return reader_.read(chunk_bytes(rope_, row_bytes_));
  }

 private:
  void take_part() {
    permute_rows(rope_, row_bytes_, reader_.chunk());
    const Bytes blocks = reader_.chunk();
    const size_t n_blocks = blocks.size() / tensor::kQ8BlockBytes;
    out_.resize(n_blocks * (codes_ ? tensor::kRepackedBlock : kScaleBytes));
    if (codes_) {
      tensor::take_q8_codes(blocks, out_);
    } else {
      tensor::take_q8_scales(blocks, out_);
    }
  }

  RopePermutation rope_;
  uint64_t row_bytes_;
  ChunkReader reader_;
  std::vector<uint8_t> out_;
  std::vector<uint8_t> written_;
  bool codes_ = false;
  bool asked_ = false;
};

// INT8 to Q8_0. The codes and the scales are the two inputs.
class JoinRepack final : public TensorTransform {
 public:
  explicit JoinRepack(const Output& output)
      : rope_(output.rope),
        scales_(output.inputs[1]),
        codes_({output.inputs[0]}),
        row_bytes_(stored_row_bytes(output.inputs[0].tensor).value_or(1)),
        reader_(codes_) {}

  Result<TransformStep> next() override {
    if (scale_bytes_.size() == 0) return read_whole(scales_, scale_bytes_);
    if (!ordered_) {
      permute_rows(rope_, row_bytes_ / tensor::kRepackedBlock * kScaleBytes, scale_bytes_.bytes());
      ordered_ = true;
    }
    if (asked_) {
      asked_ = false;
      return write();
    }
    if (reader_.at_end()) return TransformStep{};
    asked_ = true;
    return reader_.read(chunk_bytes(rope_, row_bytes_));
  }

 private:
  TransformStep write() {
    permute_rows(rope_, row_bytes_, reader_.chunk());
    const Bytes codes = reader_.chunk();
    const size_t n_blocks = codes.size() / tensor::kRepackedBlock;
    const size_t size = n_blocks * kScaleBytes;
    written_.resize(n_blocks * tensor::kQ8BlockBytes);
    tensor::join_q8(Bytes(scale_bytes_.bytes()).subspan(scales_done_, size), codes, written_);
    scales_done_ += size;
    return TransformStep{Step::Kind::Write, 0, written_, 0};
  }

  RopePermutation rope_;
  const Input& scales_;
  std::vector<Input> codes_;
  uint64_t row_bytes_;
  ChunkReader reader_;
  AlignedBuffer scale_bytes_;
  size_t scales_done_ = 0;
  std::vector<uint8_t> written_;
  bool ordered_ = false;
  bool asked_ = false;
};

// Codes with separate scales to INT8: all scales, then all codes.
class GatherRepack final : public TensorTransform {
 public:
  GatherRepack(const Output& output, const TensorEntry& target)
      : rope_(output.rope), parts_({*output.scale, output.inputs.front()}), reader_(parts_) {
    for (const Input& part : parts_) {
      row_bytes_.push_back(stored_row_bytes(part.tensor).value_or(1));
    }
    const auto prefix = tensor::quant_prefix(target.dtype, *target.quantization);
    prefix_.assign(prefix.begin(), prefix.end());
  }

  Result<TransformStep> next() override {
    if (!prefix_.empty()) {
      written_ = std::exchange(prefix_, {});
      return TransformStep{Step::Kind::Write, 0, written_, 0};
    }
    if (asked_) {
      asked_ = false;
      permute_rows(rope_, row_bytes_[reader_.input()], reader_.chunk());
      return TransformStep{Step::Kind::Write, 0, reader_.chunk(), 0};
    }
    if (reader_.at_end()) return TransformStep{};
    asked_ = true;
    return reader_.read(chunk_bytes(rope_, row_bytes_[reader_.next_input()]));
  }

 private:
  RopePermutation rope_;
  std::vector<Input> parts_;
  ChunkReader reader_;
  std::vector<uint64_t> row_bytes_;  // of each part
  std::vector<uint8_t> prefix_;
  std::vector<uint8_t> written_;
  bool asked_ = false;
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
  if (target.dtype == DType::Q8_0) return std::make_unique<JoinRepack>(output);
  return std::make_unique<InPlaceRepack>(output, target);
}

}  // namespace ambry::convert
