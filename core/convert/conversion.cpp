#include "convert/conversion.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/aligned_buffer.h"
#include "convert/plan.h"
#include "tensor/convert.h"
#include "tensor/quantize.h"

namespace ambry::convert {
namespace {

// Of source or target, whichever is larger; one row of a matrix is the least that is read.
constexpr uint64_t kBlockBytes = 4ULL << 20;

// Where the tensor's elements are: rows that one block takes several of.
struct Grid {
  uint64_t rows = 0;
  uint64_t cols = 1;
  // Of one element, in the source and in the target.
  uint32_t from_bytes = 1;
  uint32_t target_bytes = 1;
};

Grid grid_of(const Output& output, const model::TensorEntry& target) {
  if (output.making == Making::Copy) return {output.from.bytes};  // of bytes, whatever they mean
  const uint32_t from_bytes = tensor::dtype_size(output.from.dtype);
  const uint32_t target_bytes = tensor::dtype_size(target.dtype);
  const uint64_t count = target.bytes / target_bytes;
  const bool by_row = output.making == Making::Quantize || output.scale.has_value();
  if (!by_row || target.shape.rank() == 0) return {count, 1, from_bytes, target_bytes};
  return {target.shape[0], count / target.shape[0], from_bytes, target_bytes};
}

}  // namespace

class Conversion::State {
 public:
  explicit State(Plan plan) : plan_(std::move(plan)), sealer_(plan_.layout) {}

  [[nodiscard]] uint64_t total_bytes() const { return plan_.layout.total_bytes; }
  [[nodiscard]] const Plan& plan() const { return plan_; }
  Result<Step> next();

 private:
  enum class Wanted : uint8_t { Nothing, Block, Scale, ZeroPoint };

  [[nodiscard]] size_t tensor() const { return plan_.layout.pieces[piece_].tensor; }
  [[nodiscard]] const Output& output() const { return plan_.outputs[tensor()]; }
  [[nodiscard]] const model::TensorEntry& target() const { return plan_.target.tensors[tensor()]; }

  Result<Step> read(const model::TensorEntry& from, uint64_t offset, uint64_t size, Wanted wanted);
  Step write(MutableBytes bytes);
  Result<Step> begin_block();
  Result<void> finish_companion();
  Result<Step> finish_block();
  Result<void> to_floats();
  Result<void> make_block(MutableBytes out);
  Result<Step> write_scales();
  void next_tensor();
  [[nodiscard]] Failure locate(Failure error) const;

  Plan plan_;
  model::Sealer sealer_;
  size_t piece_ = 0;       // of the layout, being written
  uint64_t position_ = 0;  // in the target
  uint64_t row_ = 0;       // first row of the current block
  uint64_t block_rows_ = 0;
  bool has_scale_ = false;
  bool has_zero_point_ = false;
  Wanted wanted_ = Wanted::Nothing;
  AlignedBuffer in_;
  AlignedBuffer out_;
  std::vector<float> floats_;
  std::vector<float> scale_;       // read, for dequantising
  std::vector<float> zero_point_;  // read, for dequantising
  std::vector<float> scales_;      // made, of the tensor just quantised
  std::vector<model::Sealer::Patch> patches_;
  size_t next_patch_ = 0;
  bool sealed_ = false;
};

Result<Step> Conversion::State::next() {
  if (wanted_ == Wanted::Block) return finish_block();
  if (wanted_ != Wanted::Nothing) AMBRY_CHECK(finish_companion());
  if (piece_ < plan_.layout.pieces.size()) {
    model::FilePiece& piece = plan_.layout.pieces[piece_];
    if (piece.tensor != model::FilePiece::kLiteral) {
      return output().making == Making::Scales ? write_scales() : begin_block();
    }
    ++piece_;
    return write(piece.bytes);
  }
  if (!sealed_) {
    patches_ = sealer_.finish();
    sealed_ = true;
  }
  if (next_patch_ == patches_.size()) return Step{};
  const model::Sealer::Patch& patch = patches_[next_patch_++];
  return Step{Step::Kind::Write, patch.offset, {}, patch.bytes};
}

Result<Step> Conversion::State::read(const model::TensorEntry& from, uint64_t offset, uint64_t size,
                                     Wanted wanted) {
  if (in_.size() != size) {
    in_ = AlignedBuffer();  // give the old one back first
    AMBRY_TRY(in_, AlignedBuffer::allocate(size));
  }
  wanted_ = wanted;
  return Step{Step::Kind::Read, from.offset + offset, in_.bytes(), {}};
}

Step Conversion::State::write(MutableBytes bytes) {
  sealer_.pass(bytes);
  const Step step{Step::Kind::Write, position_, {}, bytes};
  position_ += bytes.size();
  return step;
}

Result<Step> Conversion::State::begin_block() {
  const Output& made = output();
  if (made.scale && !has_scale_) return read(*made.scale, 0, made.scale->bytes, Wanted::Scale);
  if (made.zero_point && !has_zero_point_) {
    return read(*made.zero_point, 0, made.zero_point->bytes, Wanted::ZeroPoint);
  }
  const Grid grid = grid_of(made, target());
  const uint64_t from_row = grid.cols * grid.from_bytes;
  const uint64_t widest = made.making == Making::Copy
                              ? from_row
                              : std::max<uint64_t>(from_row, grid.cols * sizeof(float));
  const uint64_t left = grid.rows - row_;
  // Turning a matrix takes all of it at once.
  block_rows_ = made.transpose ? left : std::min(left, std::max<uint64_t>(1, kBlockBytes / widest));
  return read(made.from, row_ * from_row, block_rows_ * from_row, Wanted::Block);
}

Result<void> Conversion::State::finish_companion() {
  const bool is_scale = wanted_ == Wanted::Scale;
  const model::TensorEntry& from = is_scale ? *output().scale : *output().zero_point;
  std::vector<float>& values = is_scale ? scale_ : zero_point_;
  values.resize(static_cast<size_t>(from.bytes / tensor::dtype_size(from.dtype)));
  AMBRY_CHECK(tensor::to_f32(from.dtype, in_.bytes(), values));
  (is_scale ? has_scale_ : has_zero_point_) = true;
  wanted_ = Wanted::Nothing;
  return {};
}

// The block as floats, dequantised and turned.
Result<void> Conversion::State::to_floats() {
  const Output& made = output();
  const Grid grid = grid_of(made, target());
  floats_.resize(static_cast<size_t>(block_rows_ * grid.cols));
  AMBRY_CHECK(tensor::to_f32(made.from.dtype, in_.bytes(), floats_));
  if (made.scale) {
    for (size_t i = 0; i < floats_.size(); ++i) {
      const auto row = static_cast<size_t>(row_ + i / grid.cols);
      const float zero =
          zero_point_.empty() ? 0.0F : zero_point_[zero_point_.size() == 1 ? 0 : row];
      floats_[i] = (floats_[i] - zero) * scale_[scale_.size() == 1 ? 0 : row];
    }
  }
  if (made.transpose) {
    const auto n_in = static_cast<size_t>(made.from.shape[0]);
    const auto n_out = static_cast<size_t>(made.from.shape[1]);
    std::vector<float> turned(floats_.size());
    for (size_t out = 0; out < n_out; ++out) {
      for (size_t in = 0; in < n_in; ++in) turned[out * n_in + in] = floats_[in * n_out + out];
    }
    floats_ = std::move(turned);
  }
  return {};
}

// Fills `out` with the block's bytes in the target.
Result<void> Conversion::State::make_block(MutableBytes out) {
  const Output& made = output();
  if (made.making == Making::Copy) {
    std::ranges::copy(in_.bytes(), out.begin());
    return {};
  }
  AMBRY_CHECK(to_floats());
  if (made.making == Making::Convert) return tensor::from_f32(target().dtype, floats_, out);
  const Grid grid = grid_of(made, target());
  const auto rows = static_cast<size_t>(block_rows_);
  scales_.resize(static_cast<size_t>(grid.rows));
  const std::span<int8_t> codes{reinterpret_cast<int8_t*>(out.data()), out.size()};
  return tensor::quantize_rows_int8(floats_, rows, static_cast<size_t>(grid.cols), codes,
                                    std::span(scales_).subspan(static_cast<size_t>(row_), rows));
}

Result<Step> Conversion::State::finish_block() {
  wanted_ = Wanted::Nothing;
  const Grid grid = grid_of(output(), target());
  const uint64_t size = block_rows_ * grid.cols * grid.target_bytes;
  if (out_.size() != size) {
    out_ = AlignedBuffer();
    AMBRY_TRY(out_, AlignedBuffer::allocate(size));
  }
  if (auto made = make_block(out_.bytes()); !made) return locate(made.take_error());
  row_ += block_rows_;
  if (row_ == grid.rows) next_tensor();
  return write(out_.bytes());
}

Result<Step> Conversion::State::write_scales() {
  const Bytes scales = bytes_of(std::span<const float>(scales_));
  out_ = AlignedBuffer();
  AMBRY_TRY(out_, AlignedBuffer::allocate(scales.size()));
  std::ranges::copy(scales, out_.bytes().begin());
  next_tensor();
  return write(out_.bytes());
}

void Conversion::State::next_tensor() {
  ++piece_;
  row_ = 0;
  has_scale_ = false;
  has_zero_point_ = false;
  scale_.clear();
  zero_point_.clear();
}

// Turns an error about an element of the block into one about the tensor and its row.
Failure Conversion::State::locate(Failure error) const {
  const Output& made = output();
  const bool quantize = made.making == Making::Quantize;
  const auto refused = [&](float value) {
    if (quantize) return !std::isfinite(value);
    std::array<uint8_t, sizeof(float)> one{};
    const MutableBytes out = MutableBytes(one).first(tensor::dtype_size(target().dtype));
    return !tensor::from_f32(target().dtype, {&value, 1}, out).has_value();
  };
  const auto bad = std::ranges::find_if(floats_, refused);
  const Grid grid = grid_of(made, target());
  const uint64_t element = row_ * grid.cols + static_cast<uint64_t>(bad - floats_.begin());
  const uint64_t row_length =
      target().shape.rank() < 2
          ? 1
          : target().bytes / tensor::dtype_size(target().dtype) / target().shape[0];
  error->path = concat({made.from.name, ", row ", element / row_length});
  if (!made.transpose) {
    error->byte_offset = made.from.offset + element * tensor::dtype_size(made.from.dtype);
  } else {
    error->byte_offset = made.from.offset;
  }
  return error;
}

Conversion::Conversion(std::unique_ptr<State> state) : state_(std::move(state)) {}
Conversion::Conversion(Conversion&&) noexcept = default;
Conversion& Conversion::operator=(Conversion&&) noexcept = default;
Conversion::~Conversion() = default;

Result<Conversion> Conversion::begin(const io::Source& main,
                                     const formats::huggingface::SideFiles& files,
                                     const Options& options) {
  AMBRY_TRY(Plan plan, make_plan(main, files, options));
  return Conversion(std::make_unique<State>(std::move(plan)));
}

uint64_t Conversion::total_bytes() const { return state_->total_bytes(); }
const model::Model& Conversion::target() const { return state_->plan().target; }
const std::vector<Error>& Conversion::warnings() const { return state_->plan().warnings; }
Result<Step> Conversion::next() { return state_->next(); }

}  // namespace ambry::convert
