#include "convert/tensor/float_transform.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/checked.h"
#include "convert/tensor/order/rope_permutation.h"
#include "tensor/dtype/convert.h"

namespace ambry::convert {
namespace {

using model::TensorEntry;

constexpr uint64_t kChunkBytes = 4ULL << 20;
// At least one row of a matrix is made at once.
constexpr uint64_t kBlockElements = 1ULL << 20;

Result<void> read_floats(const TensorEntry& tensor, Bytes bytes, std::vector<float>& values) {
  values.resize(static_cast<size_t>(tensor.bytes / tensor::dtype_size(tensor.dtype)));
  return tensor::to_f32(tensor.dtype, bytes, values);
}

// The shape of the elements to encode: the target's, except for values that summarize a group.
const tensor::Shape& elements_of(const Output& output, const TensorEntry& target) {
  return output.method == Method::Groups ? output.inputs.front().tensor.shape : target.shape;
}

MutableBytes as_mutable_bytes(std::span<float> values) {
  return {reinterpret_cast<uint8_t*>(values.data()), values.size_bytes()};
}

}  // namespace

Result<std::unique_ptr<TensorTransform>> FloatTransform::begin(const Output& output,
                                                               const TensorEntry& target,
                                                               RowScales& scales,
                                                               ErrorSums& errors) {
  AMBRY_TRY(auto encoder, make_float_encoder(output, target, scales));
  AMBRY_TRY(ErrorMeter meter, ErrorMeter::create(output, target, scales, errors));
  return begin(output, target, std::move(encoder), std::move(meter));
}

Result<std::unique_ptr<TensorTransform>> FloatTransform::begin(
    const Output& output, const TensorEntry& target, std::unique_ptr<FloatEncoder> encoder,
    std::optional<ErrorMeter> meter) {
  uint64_t count = 0;
  for (const Input& input : output.inputs) {
    const auto more = input.tensor.shape.count();
    const auto sum = more ? checked_add(count, *more) : std::nullopt;
    if (!sum) return make_error(ErrorCode::Overflow, input.tensor.name, "the size passes 64 bits");
    count = *sum;
  }
  const tensor::Shape& shape = elements_of(output, target);
  if (count == 0 || shape.count() != count) {
    return make_error(ErrorCode::Mismatch, target.name,
                      {count, " elements do not fill the shape ", tensor::to_string(shape)});
  }
  return std::unique_ptr<TensorTransform>(
      std::make_unique<FloatTransform>(output, target, std::move(encoder), std::move(meter)));
}

FloatTransform::FloatTransform(const Output& output, const TensorEntry& target,
                               std::unique_ptr<FloatEncoder> encoder,
                               std::optional<ErrorMeter> meter)
    : output_(output),
      target_(target),
      encoder_(std::move(encoder)),
      meter_(std::move(meter)),
      rows_(elements_of(output, target).rank() == 0 ? 1 : elements_of(output, target)[0]),
      cols_(elements_of(output, target).count().value_or(0) / rows_),
      changes_(output.change.companions.size()),
      reader_(output.inputs) {
  if (output.scale) unread_.push_back({&*output.scale, &scale_});
  if (output.zero_point) unread_.push_back({&*output.zero_point, &zero_point_});
  for (size_t i = 0; i < changes_.size(); ++i) {
    unread_.push_back({&output.change.companions[i], &changes_[i]});
  }
  assert(!output.transpose || output.inputs.size() == 1);
  block_rows_ = std::max<uint64_t>(1, kBlockElements / cols_);
  if (output.rope.change != RopePermutation::Change::None) {
    const uint64_t head = output.rope.head_dim;
    block_rows_ = std::max(head, block_rows_ / head * head);
  }
}

Result<TransformStep> FloatTransform::next() {
  AMBRY_RETURN_IF_ERROR(finish_reading());
  if (!unread_.empty()) {
    companion_asked_ = true;
    return read_whole(*unread_.back().input, companion_bytes_);
  }
  for (out_.clear(); out_.empty() && pass_ < encoder_->passes();) {
    AMBRY_TRY(const std::optional<TransformStep> wanted, fill_block());
    if (wanted) return *wanted;
    AMBRY_RETURN_IF_ERROR(make_block());
  }
  if (out_.empty()) return TransformStep{};
  return TransformStep{Step::Kind::Write, 0, out_, 0};
}

// Handles the bytes that were requested.
Result<void> FloatTransform::finish_reading() {
  if (companion_asked_) {
    const Companion& read = unread_.back();
    AMBRY_RETURN_IF_ERROR(read_floats(read.input->tensor, companion_bytes_.bytes(), *read.values));
    companion_asked_ = false;
    unread_.pop_back();
  }
  if (!chunk_asked_) return {};
  chunk_asked_ = false;
  chunk_ = reader_.chunk();
  if (decoder_ && decoding_ == reader_.input()) return {};
  decoding_ = reader_.input();
  const TensorEntry& from = output_.inputs[decoding_].tensor;
  auto decoder = tensor::StreamDecoder::create(from.dtype, from.shape, from.quantization,
                                               from.bytes, from.offset);
  if (!decoder) {
    Failure error = decoder.take_error();
    error->path = from.name;
    return error;
  }
  decoder_ = std::move(*decoder);
  return {};
}

// Returns the bytes to read first, or nothing when the block is full.
Result<std::optional<TransformStep>> FloatTransform::fill_block() {
  if (filled_ == 0) AMBRY_RETURN_IF_ERROR(begin_block());
  const std::span<float> block = block_.as<float>();
  while (filled_ < block.size()) {
    size_t decoded = 0;
    if (decoder_) {
      AMBRY_TRY(decoded, decoder_->decode(chunk_, block.subspan(filled_)));
      filled_ += decoded;
    }
    if (decoded > 0 || !chunk_.empty()) continue;
    assert(!reader_.at_end());
    AMBRY_TRY(const TransformStep wanted, reader_.read(kChunkBytes));
    chunk_asked_ = true;
    return std::optional(wanted);
  }
  return std::optional<TransformStep>();
}

Result<void> FloatTransform::begin_block() {
  const uint64_t n_rows = output_.transpose ? rows_ : std::min(rows_ - row_, block_rows_);
  const uint64_t bytes = n_rows * cols_ * sizeof(float);
  if (block_.size() == bytes) return {};
  block_ = AlignedBuffer();
  AMBRY_TRY(block_, AlignedBuffer::allocate(bytes));
  return {};
}

Result<void> FloatTransform::make_block() {
  const uint64_t n_rows = std::min(rows_ - row_, block_rows_);
  const std::span<float> rows = output_.transpose ? transpose_rows(n_rows) : block_.as<float>();
  if (output_.scale) dequantize(rows);
  if (output_.change.apply != nullptr) output_.change.apply(changes_, row_, cols_, rows);
  permute_rows(output_.rope, cols_ * sizeof(float), as_mutable_bytes(rows));
  if (auto made = encoder_->take(rows, out_); !made) return locate(made.take_error(), rows);
  if (meter_) AMBRY_RETURN_IF_ERROR(meter_->add(rows, out_));
  row_ += n_rows;
  if (!output_.transpose || row_ == rows_) filled_ = 0;
  if (row_ < rows_) return {};
  const size_t written = out_.size();
  if (auto ended = encoder_->end_pass(out_); !ended) return locate(ended.take_error(), {});
  if (meter_) AMBRY_RETURN_IF_ERROR(meter_->add({}, Bytes(out_).subspan(written)));
  next_pass();
  return {};
}

void FloatTransform::dequantize(std::span<float> rows) const {
  const auto of = [&](const std::vector<float>& values, uint64_t element) {
    return values[static_cast<size_t>(element / (rows_ * cols_ / values.size()))];
  };
  for (size_t i = 0; i < rows.size(); ++i) {
    const uint64_t element = row_ * cols_ + i;
    const float zero = output_.zero_point ? of(zero_point_, element) : 0.0F;
    rows[i] = (rows[i] - zero) * of(scale_, element);
  }
}

// Takes the target's next rows out of the matrix as it is stored.
std::span<float> FloatTransform::transpose_rows(uint64_t n_rows) {
  const std::span<const float> matrix = block_.as<float>();
  const auto n_in = static_cast<size_t>(cols_);
  const auto n_out = static_cast<size_t>(rows_);
  const auto first = static_cast<size_t>(row_);
  const auto n = static_cast<size_t>(n_rows);
  transposed_.resize(n * n_in);
  for (size_t in = 0; in < n_in; ++in) {
    const float* from = &matrix[in * n_out + first];
    for (size_t out = 0; out < n; ++out) transposed_[out * n_in + in] = from[out];
  }
  return transposed_;
}

void FloatTransform::next_pass() {
  ++pass_;
  row_ = 0;
  reader_.restart();
  decoder_.reset();
}

// Changes an error about an element of the block into one that names the tensor and row.
Failure FloatTransform::locate(Failure error, std::span<const float> rows) const {
  const auto bad = std::ranges::find_if(rows, [&](float value) { return !encoder_->fits(value); });
  if (bad == rows.end()) {  // the error is not about an element
    error->path = concat({target_.name, ", ", error->path});
    return error;
  }
  uint64_t element = row_ * cols_ + static_cast<uint64_t>(bad - rows.begin());
  const uint64_t row_length = target_.shape.rank() < 2 ? 1 : cols_;
  const Input* input = output_.inputs.data();
  for (const Input& candidate : output_.inputs) {
    input = &candidate;
    const uint64_t count = input->tensor.shape.count().value_or(0);
    if (element < count) break;
    element -= count;
  }
  const TensorEntry* from = &input->tensor;
  error->path = concat({from->name, ", row ", element / row_length});
  if (input->stored_columns != 0) {
    element = element / row_length * input->stored_columns + element % row_length;
  }
  const bool reordered = output_.transpose || !output_.inputs.front().strides.empty() ||
                         output_.rope.change != RopePermutation::Change::None;
  const bool in_place = is_plain(from->dtype) && !reordered;
  error->byte_offset =
      from->offset + (in_place ? element * tensor::dtype_size(from->dtype) : uint64_t{0});
  return error;
}

}  // namespace ambry::convert
