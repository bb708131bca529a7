#include "convert/encoder/head_check.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace ambry::convert {
namespace {

using model::TensorEntry;

Result<const TensorEntry*> require(const formats::huggingface::Directory& directory,
                                   const model::Model& weights, std::string_view part) {
  const std::string name = concat({part, ".weight"});
  const TensorEntry* found = weights.find(name);
  if (found != nullptr) return found;
  return make_error(ErrorCode::NotFound, name,
                    {directory.config_file, " states a classification head, but its tensor ", name,
                     " is missing"});
}

// Without it the labels are not known.
Result<void> refuse_head(const model::HeadLayout& layout, const model::Model& weights) {
  if (layout.classifier.empty()) return {};
  const TensorEntry* found = weights.find(concat({layout.classifier, ".weight"}));
  if (found == nullptr) return {};
  return error_at(ErrorCode::Unsupported, found->index_offset, found->name,
                  "a classification head must be stated in config.json, by architectures and "
                  "id2label");
}

void remove_part(std::string_view part, SourceModel& source) {
  remove_tensors(source, [&](const TensorEntry& tensor) {
    const std::string_view name = model::canonical_tensor_name(tensor.name);
    return name.starts_with(part) && name.substr(part.size()).starts_with('.');
  });
}

// How the names of the tensors of heads begin in transformers. A pooler before the classifier
// belongs to the encoder and stays.
constexpr std::array kHeads = {std::string_view("classifier."), std::string_view("pre_classifier."),
                               std::string_view("qa_outputs.")};

void leave_head_out(SourceModel& source) {
  const auto is_of_head = [](const TensorEntry& tensor) {
    const std::string_view name = model::canonical_tensor_name(tensor.name);
    return std::ranges::any_of(kHeads,
                               [&](std::string_view start) { return name.starts_with(start); });
  };
  for (const TensorEntry& tensor : source.model.tensors) {
    if (!is_of_head(tensor)) continue;
    source.warnings.push_back(error_at(ErrorCode::Unsupported, tensor.index_offset, tensor.name,
                                       "left out: a head, which sentence vectors do not need"));
  }
  remove_tensors(source, is_of_head);
}

}  // namespace

Result<void> check_head(const formats::huggingface::Directory& directory, SourceModel& source) {
  const model::HeadLayout& layout = directory.config.architecture->head;
  const model::Model& weights = source.model;
  if (directory.leaves_head_out) {
    leave_head_out(source);
    return {};
  }
  if (directory.config.token_head()) return {};
  if (!directory.config.head) return refuse_head(layout, weights);
  for (const std::string_view part : {layout.dense, layout.norm}) {
    if (part.empty()) continue;
    if (part == layout.dense && directory.head_without_dense) {
      remove_part(part, source);
      continue;
    }
    AMBRY_RETURN_IF_ERROR(require(directory, weights, part));
  }
  AMBRY_TRY(const TensorEntry* classifier, require(directory, weights, layout.classifier));
  const size_t n_labels = directory.config.head->labels.size();
  const uint64_t rows = classifier->shape.rank() == 2 ? classifier->shape[0] : 0;
  if (rows == n_labels) return {};
  return make_error(ErrorCode::Mismatch, {directory.config_file, ".", model::kId2Label},
                    {n_labels, n_labels == 1 ? " label, but " : " labels, but ", classifier->name,
                     " has ", rows, rows == 1 ? " row" : " rows"});
}

bool is_head_tensor(std::string_view canonical_name, const model::HeadLayout& layout) {
  const auto belongs = [&](std::string_view part) {
    return !part.empty() && canonical_name.starts_with(part) &&
           canonical_name.substr(part.size()).starts_with('.');
  };
  return belongs(layout.dense) || belongs(layout.norm) || belongs(layout.classifier);
}

}  // namespace ambry::convert
