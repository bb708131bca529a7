#include "convert/encoder/token_head_weights.h"

#include <string>
#include <string_view>

#include "convert/encoder/library_names.h"
#include "formats/huggingface/config/heads/token_head_names.h"
#include "model/encoder/token_head.h"

namespace ambry::convert {
namespace {

using formats::huggingface::Directory;
using formats::huggingface::TokenHeadNames;
using model::TensorEntry;

class TokenHeadTaker {
 public:
  TokenHeadTaker(const Directory& directory, SourceModel& source)
      : directory_(directory),
        source_(source),
        names_(formats::huggingface::token_head_names(*directory.config.architecture,
                                                      directory.config.head->task)) {}

  Result<void> take() {
    const auto has_dense = [this](const TokenHeadNames& names) {
      return find(concat({names.parts.dense, ".weight"})) != nullptr;
    };
    if (names_.newer != nullptr && !has_dense(names_) && has_dense(*names_.newer)) {
      names_ = *names_.newer;
    }
    AMBRY_RETURN_IF_ERROR(take_part(names_.parts.dense, model::kTokenHeadLayout.dense));
    AMBRY_RETURN_IF_ERROR(take_part(names_.parts.norm, model::kTokenHeadLayout.norm));
    take_bias();
    const std::string_view classifier = names_.parts.classifier;
    if (directory_.config.head->tied) {
      remove(concat({classifier, ".weight"}));
      return {};
    }
    AMBRY_RETURN_IF_ERROR(check_labels());
    return rename(classifier, model::kTokenHeadLayout.classifier, ".weight", true);
  }

 private:
  // A part with its bias; a model may have none.
  Result<void> take_part(std::string_view from, std::string_view to) {
    if (from.empty()) return {};
    AMBRY_RETURN_IF_ERROR(rename(from, to, ".weight", true));
    return rename(from, to, ".bias", false);
  }

  // Some classes have the bias of the classifier under two names.
  void take_bias() {
    const std::string own = concat({names_.parts.classifier, ".bias"});
    const std::string_view bias = names_.bias.empty() ? std::string_view(own) : names_.bias;
    const bool has_first = find(bias) != nullptr;
    if (TensorEntry* found = find(has_first ? bias : own)) {
      rename_tensor(source_, *found, concat({model::kTokenHeadLayout.classifier, ".bias"}));
    }
    if (has_first) remove(own);
  }

  Result<void> check_labels() {
    const auto& labels = directory_.config.head->labels;
    const TensorEntry* classifier = find(concat({names_.parts.classifier, ".weight"}));
    if (labels.empty() || classifier == nullptr) return {};
    const uint64_t rows = classifier->shape.rank() == 2 ? classifier->shape[0] : 0;
    if (rows == labels.size()) return {};
    return make_error(ErrorCode::Mismatch, {directory_.config_file, ".", model::kId2Label},
                      {labels.size(), labels.size() == 1 ? " label, but " : " labels, but ",
                       classifier->name, " has ", rows, rows == 1 ? " row" : " rows"});
  }

  Result<void> rename(std::string_view from, std::string_view to, std::string_view ending,
                      bool needed) {
    const std::string name = concat({from, ending});
    if (TensorEntry* found = find(name)) {
      rename_tensor(source_, *found, concat({to, ending}));
    } else if (needed) {
      return make_error(
          ErrorCode::NotFound, name,
          {directory_.config_file, " states a head, but its tensor ", name, " is missing"});
    }
    return {};
  }

  TensorEntry* find(std::string_view name) {
    for (TensorEntry& tensor : source_.model.tensors) {
      if (model::canonical_tensor_name(tensor.name) == name) return &tensor;
    }
    return nullptr;
  }

  void remove(std::string_view name) {
    remove_tensors(source_, [name](const TensorEntry& tensor) {
      return model::canonical_tensor_name(tensor.name) == name;
    });
  }

  const Directory& directory_;
  SourceModel& source_;
  TokenHeadNames names_;
};

}  // namespace

Result<void> take_token_head(const Directory& directory, SourceModel& source) {
  const model::HeadConfig* head = directory.config.token_head();
  // A head of this sort comes with its names (sparse_weights.h).
  if (head == nullptr || head->sparse.own_words) return {};
  return TokenHeadTaker(directory, source).take();
}

}  // namespace ambry::convert
