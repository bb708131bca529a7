#include "convert/encoder/text_tower_weights.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "convert/encoder/library_names.h"
#include "formats/huggingface/config/encoders/text_towers.h"

namespace ambry::convert {
namespace {

using model::TensorEntry;

// How the names begin that texts do not need: the half for pictures, and what compares both.
constexpr std::array<std::string_view, 4> kLeftOut = {"vision_model.", "visual_projection.",
                                                      "logit_scale", "logit_bias"};

bool is_of_pictures(const TensorEntry& tensor) {
  const std::string_view name = model::canonical_tensor_name(tensor.name);
  return std::ranges::any_of(kLeftOut,
                             [name](std::string_view start) { return name.starts_with(start); });
}

void leave_pictures_out(SourceModel& source) {
  const auto& tensors = source.model.tensors;
  const auto count = std::ranges::count_if(tensors, is_of_pictures);
  if (count == 0) return;
  const auto first = std::ranges::find_if(tensors, is_of_pictures);
  source.warnings.push_back(
      error_at(ErrorCode::Unsupported, first->index_offset, first->name,
               {"left out with ", static_cast<uint64_t>(count - 1),
                " tensors more: the half of the model for pictures, which texts do not need"}));
  remove_tensors(source, is_of_pictures);
}

Result<void> rename_part(std::string_view layer, std::string_view part, const tensor::Shape& shape,
                         SourceModel& source) {
  const std::string name = concat({layer, ".", part});
  for (TensorEntry& tensor : source.model.tensors) {
    if (model::canonical_tensor_name(tensor.name) != name) continue;
    if (tensor.shape == shape) {
      rename_tensor(source, tensor, model::dense_tensor_name(0, part));
      return {};
    }
    return error_at(
        ErrorCode::Mismatch, tensor.index_offset, tensor.name,
        {"shape is ", to_string(tensor.shape), ", but config.json says ", to_string(shape)});
  }
  return make_error(ErrorCode::NotFound, name,
                    {"the tensor ", name, " ", to_string(shape), " is missing"});
}

}  // namespace

Result<void> take_text_tower(const formats::huggingface::Directory& directory,
                             SourceModel& source) {
  const model::EncoderConfig& config = directory.config;
  const bool clip = config.architecture == &model::kClipText;
  if (!clip && config.architecture != &model::kSiglipText) return {};
  leave_pictures_out(source);
  if (config.dense.empty()) return {};
  const model::DenseConfig& dense = config.dense.front();
  const std::string_view layer =
      clip ? formats::huggingface::kClipProjection : formats::huggingface::kSiglipProjection;
  AMBRY_RETURN_IF_ERROR(
      rename_part(layer, "weight", {dense.out_features, dense.in_features}, source));
  return dense.bias ? rename_part(layer, "bias", {dense.out_features}, source) : Result<void>();
}

}  // namespace ambry::convert
