#include "convert/checkpoint_quantization/quantized_tensors.h"

#include <algorithm>
#include <utility>

#include "tensor/dtype/dtype.h"

namespace ambry::convert {

using model::TensorEntry;
using tensor::DType;

QuantizedTensors::QuantizedTensors(const SourceFiles& sources,
                                   const formats::huggingface::StatedQuantization& stated,
                                   SourceModel& source)
    : sources_(sources),
      settings_(stated.place, stated.settings),
      method_(stated.method),
      source_(source),
      taken_(source.model.tensors.size()),
      file_(std::make_shared<DecodedFile>()) {
  const auto& tensors = source.model.tensors;
  for (size_t i = 0; i < tensors.size(); ++i) index_.emplace(tensors[i].name, i);
  file_->number = static_cast<uint32_t>(sources.files().size());
}

std::vector<std::string> QuantizedTensors::modules(
    std::string_view ending, const std::function<bool(const TensorEntry&)>& wanted) const {
  std::vector<std::string> found;
  for (const TensorEntry& tensor : source_.model.tensors) {
    if (!tensor.name.ends_with(ending) || (wanted && !wanted(tensor))) continue;
    found.push_back(tensor.name.substr(0, tensor.name.size() - ending.size()));
  }
  return found;
}

const TensorEntry* QuantizedTensors::find(std::string_view name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &source_.model.tensors[found->second];
}

Result<Input> QuantizedTensors::take(const std::string& name, std::string_view of,
                                     std::string_view what) {
  const TensorEntry* owner = find(of);
  const uint64_t at = owner == nullptr ? kNoOffset : owner->index_offset;
  auto input = take_if_there(name);
  if (!input) {
    return error_at(ErrorCode::NotFound, at, name, {what, " of ", of, " are missing"});
  }
  if (!input->strides.empty() || input->tensor.shape.count().value_or(0) == 0) {
    return error_at(ErrorCode::Unsupported, input->tensor.index_offset, name,
                    {what, " have no elements, or are stored in another order than row after row"});
  }
  return std::move(*input);
}

std::optional<Input> QuantizedTensors::take_if_there(const std::string& name) {
  const TensorEntry* tensor = find(name);
  if (tensor == nullptr) return std::nullopt;
  taken_[static_cast<size_t>(tensor - source_.model.tensors.data())] = 1;
  return source_.input(*tensor);
}

void QuantizedTensors::leave_out(std::string_view ending) {
  for (size_t i = 0; i < taken_.size(); ++i) {
    if (source_.model.tensors[i].name.ends_with(ending)) taken_[i] = 1;
  }
}

Result<void> QuantizedTensors::add(bool keeps_codes, PackedMatrix matrix) {
  matrix.method = concat({method_, " ", matrix.codes.bits, "-bit"});
  AMBRY_RETURN_IF_ERROR(choose_type(keeps_codes, matrix));
  matrix.entry.offset = end_;
  const auto place = index_.find(matrix.code_input.tensor.name)->second;
  if (matrix.entry.bytes > (uint64_t{1} << 62) - end_) {
    return error_at(ErrorCode::Overflow, matrix.entry.index_offset, matrix.name,
                    "the size passes 64 bits");
  }
  end_ += matrix.entry.bytes;
  if (matrix.name != matrix.code_input.tensor.name && has(matrix.name)) {
    return error_at(ErrorCode::BadValue, matrix.entry.index_offset, matrix.name,
                    {"the tensor is stored twice: quantized as ", matrix.code_input.tensor.name,
                     ", and as it is"});
  }
  entries_.emplace(place, matrix.entry);
  file_->matrices.push_back(std::move(matrix));
  return {};
}

Result<void> QuantizedTensors::finish() {
  if (entries_.empty()) {
    return settings_.fail("quant_method", ErrorCode::NotFound,
                          {"config.json says that the weights are quantized by ", method_,
                           ", but no tensor is; take the quantization out of config.json, or get "
                           "the weights again"});
  }
  std::vector<TensorEntry> tensors;
  std::vector<uint32_t> files;
  for (size_t i = 0; i < taken_.size(); ++i) {
    const auto entry = entries_.find(i);
    if (entry != entries_.end()) {
      tensors.push_back(std::move(entry->second));
      files.push_back(file_->number);
    } else if (taken_[i] == 0) {
      files.push_back(source_.files.empty() ? 0 : source_.files[i]);
      tensors.push_back(std::move(source_.model.tensors[i]));
    }
  }
  source_.model.tensors = std::move(tensors);
  source_.files = std::move(files);
  source_.decoded = std::move(file_);
  return {};
}

Result<void> expect_shape(const Input& input, const tensor::Shape& shape, const Text& why) {
  const TensorEntry& tensor = input.tensor;
  if (tensor.shape == shape) return {};
  return error_at(
      ErrorCode::Mismatch, tensor.index_offset, tensor.name,
      {"shape is ", to_string(tensor.shape), ", expected ", to_string(shape), ", ", why.str()});
}

Result<void> expect_type(const Input& input, std::initializer_list<DType> types) {
  const TensorEntry& tensor = input.tensor;
  if (std::ranges::find(types, tensor.dtype) != types.end()) return {};
  return error_at(ErrorCode::Unsupported, tensor.index_offset, tensor.name,
                  {"stored as ", dtype_name(tensor.dtype), ", expected ",
                   comma_list(types, [](DType type) { return dtype_name(type); })});
}

Result<void> expect_floats(const Input& input) {
  return expect_type(input, {DType::F16, DType::BF16, DType::F32});
}

Result<void> expect_bits(const QuantizedTensors& tensors, uint32_t bits,
                         std::initializer_list<uint32_t> known) {
  if (std::ranges::find(known, bits) != known.end()) return {};
  return tensors.settings().fail(
      "bits", ErrorCode::Unsupported,
      {bits, " bits are not supported; known are ",
       comma_list(known, [](uint32_t number) { return concat({number}); })});
}

}  // namespace ambry::convert
