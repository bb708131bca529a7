#include "convert/encoder/head_check.h"

#include <string>

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

}  // namespace

Result<void> check_head(const formats::huggingface::Directory& directory,
                        const model::Model& weights) {
  const model::HeadLayout& layout = directory.config.architecture->head;
  if (!directory.config.head) return refuse_head(layout, weights);
  for (const std::string_view part : {layout.dense, layout.norm}) {
    if (!part.empty()) AMBRY_RETURN_IF_ERROR(require(directory, weights, part));
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
