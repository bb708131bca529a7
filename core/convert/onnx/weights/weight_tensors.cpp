#include "convert/onnx/weights/weight_tensors.h"

#include <utility>

namespace ambry::convert::onnx {

using model::TensorEntry;
using tensor::DType;

WeightTensors::WeightTensors(const SourceFiles& sources, KeptCodes kept)
    : kept_(kept), decoded_(std::make_shared<DecodedFile>()) {
  decoded_->number = static_cast<uint32_t>(sources.files().size());
}

Result<void> WeightTensors::add(const std::string& name, OnnxWeight weight, bool is_head) {
  TensorEntry& entry = weight.input.tensor;
  if (!names_.insert(name).second) {
    return error_at(ErrorCode::BadValue, entry.index_offset, name,
                    "two weights of the graph have this name");
  }
  if (weight.packed != nullptr) return add_matrix(name, *weight.packed, is_head);
  entry.name = name;
  if (!weight.given.empty()) {
    entry.dtype = DType::F32;
    entry.bytes = weight.given.size() * sizeof(float);
    source_.given.emplace(name, std::move(weight.given));
  } else if (!weight.input.strides.empty()) {
    source_.strides.emplace(name, std::move(weight.input.strides));
  }
  source_.model.tensors.push_back(std::move(entry));
  source_.files.push_back(weight.input.file);
  return {};
}

Result<void> WeightTensors::add_matrix(const std::string& name, PackedMatrix matrix, bool is_head) {
  matrix.name = name;
  const bool keeps = kept_ != KeptCodes::None && !is_head && matrix.shape.rank() == 2;
  if (kept_ == KeptCodes::Embd && keeps && fits_int8_rows(matrix)) {
    return place_int8_rows(std::move(matrix), *decoded_, source_);
  }
  const std::string reason = std::move(matrix.why_decoded);
  AMBRY_RETURN_IF_ERROR(choose_type(kept_ == KeptCodes::Amb && keeps, matrix));
  if (is_head) matrix.why_decoded = "heads have floats";
  if (!reason.empty()) matrix.why_decoded = reason;
  return place_matrix(std::move(matrix), *decoded_, source_);
}

SourceModel WeightTensors::finish() {
  if (!decoded_->matrices.empty()) {
    source_.decoded = std::move(decoded_);
    add_int8_companions(source_);
    warn_of_decoded("weights", source_);
  }
  return std::move(source_);
}

}  // namespace ambry::convert::onnx
