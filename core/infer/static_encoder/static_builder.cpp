#include "infer/static_encoder/static_builder.h"

#include <algorithm>
#include <cassert>
#include <string_view>
#include <utility>

#include "base/checked.h"
#include "tensor/dtype/convert.h"
#include "tensor/dtype/dtype_table.h"

namespace ambry::infer {
namespace {

using tensor::DType;

constexpr std::array<std::string_view, 4> kNames = {model::kStaticRows, model::kStaticRowScale,
                                                    model::kStaticWeights, model::kStaticMapping};
constexpr size_t kRows = 0;
constexpr size_t kScale = 1;
constexpr size_t kWeights = 2;
constexpr size_t kMapping = 3;

template <class T>
void copy_numbers(const AlignedBuffer& bytes, std::vector<uint32_t>& to) {
  // A negative number becomes one that no row has.
  for (const T value : bytes.as<T>()) to.push_back(static_cast<uint32_t>(value));
}

void read_mapping(DType dtype, const AlignedBuffer& bytes, std::vector<uint32_t>& to) {
  to.reserve(bytes.size() / tensor::dtype_size(dtype));
  if (dtype == DType::U8) return copy_numbers<uint8_t>(bytes, to);
  if (dtype == DType::U16) return copy_numbers<uint16_t>(bytes, to);
  if (dtype == DType::I16) return copy_numbers<int16_t>(bytes, to);
  if (dtype == DType::I32) return copy_numbers<int32_t>(bytes, to);
  copy_numbers<uint32_t>(bytes, to);
}

Result<void> read_floats(DType dtype, const AlignedBuffer& bytes, std::vector<float>& to) {
  to.resize(bytes.size() / tensor::dtype_size(dtype));
  return tensor::to_f32(dtype, bytes.bytes(), to);
}

}  // namespace

Result<StaticBuilder> StaticBuilder::plan(const model::Model& model,
                                          const model::StaticConfig& config) {
  StaticBuilder builder;
  for (size_t i = 0; i < model.tensors.size(); ++i) {
    const model::TensorEntry& entry = model.tensors[i];
    const auto name = std::ranges::find(kNames, entry.name);
    if (name == kNames.end()) continue;
    const auto count = entry.shape.count();
    if (!count || checked_mul(*count, tensor::dtype_size(entry.dtype)) != entry.bytes) {
      return make_error(ErrorCode::Mismatch, entry.name, "size and shape do not agree");
    }
    const auto use = static_cast<size_t>(name - kNames.begin());
    builder.places_[use] = i;
    builder.dtypes_[use] = entry.dtype;
  }
  builder.parts_.n_tokens = config.vocab_size;
  builder.parts_.n_rows = config.n_rows;
  builder.parts_.dim = config.embedding_dim;
  return builder;
}

bool StaticBuilder::wants(size_t tensor) const {
  return std::ranges::find(places_, tensor) != places_.end();
}

Result<void> StaticBuilder::accept(size_t tensor, AlignedBuffer bytes) {
  assert(wants(tensor));
  const auto use = static_cast<size_t>(std::ranges::find(places_, tensor) - places_.begin());
  const DType dtype = dtypes_[use];
  if (use == kScale) return read_floats(dtype, bytes, parts_.scales);
  if (use == kWeights) return read_floats(dtype, bytes, parts_.weights);
  if (use == kMapping) {
    read_mapping(dtype, bytes, parts_.mapping);
    return {};
  }
  assert(use == kRows);
  const bool runs_as_stored = dtype == DType::F32 || dtype == DType::F16 || dtype == DType::I8;
  if (runs_as_stored) {
    parts_.dtype = dtype;
    parts_.rows = std::move(bytes);
    return {};
  }
  const uint64_t count = bytes.size() / tensor::dtype_size(dtype);
  AMBRY_TRY(parts_.rows, AlignedBuffer::allocate(count * sizeof(float)));
  return tensor::to_f32(dtype, bytes.bytes(), parts_.rows.as<float>());
}

Result<StaticEncoder> StaticBuilder::finish() && {
  return StaticEncoder::create(std::move(parts_));
}

}  // namespace ambry::infer
