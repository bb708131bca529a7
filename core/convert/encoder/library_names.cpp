#include "convert/encoder/library_names.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "model/file/tensor_index.h"

namespace ambry::convert {
namespace {

using model::TensorEntry;

struct OldEnding {
  std::string_view old;
  std::string_view now;
};
constexpr std::array kOldEndings = {OldEnding{"LayerNorm.gamma", "LayerNorm.weight"},
                                    OldEnding{"LayerNorm.beta", "LayerNorm.bias"}};

void use_new_endings(SourceModel& source) {
  std::vector<TensorEntry>& tensors = source.model.tensors;
  for (const auto& [old, now] : kOldEndings) {
    const auto is_old = [end = old](const TensorEntry& tensor) {
      return tensor.name.ends_with(end);
    };
    if (std::ranges::none_of(tensors, is_old)) continue;
    const model::TensorIndex index(tensors, [](std::string_view name) { return name; });
    std::vector<std::pair<TensorEntry*, std::string>> renamed;
    for (TensorEntry& tensor : tensors) {
      if (!is_old(tensor)) continue;
      std::string name = tensor.name.substr(0, tensor.name.size() - old.size());
      name += now;
      if (index.find(name) == nullptr) renamed.emplace_back(&tensor, std::move(name));
    }
    for (const auto& [tensor, name] : renamed) rename_tensor(source, *tensor, name);
  }
}

void remove_prefix(std::string_view prefix, SourceModel& source) {
  for (TensorEntry& tensor : source.model.tensors) {
    const std::string_view name = model::canonical_tensor_name(tensor.name);
    if (name.starts_with(prefix)) {
      rename_tensor(source, tensor, std::string(name.substr(prefix.size())));
    }
  }
}

}  // namespace

void rename_tensor(SourceModel& source, TensorEntry& tensor, const std::string& name) {
  auto strides = source.strides.extract(tensor.name);
  tensor.name = name;
  if (strides.empty()) return;
  strides.key() = name;
  source.strides.insert(std::move(strides));
}

void use_library_names(const formats::huggingface::EncoderSource& of, SourceModel& source) {
  use_new_endings(source);
  if (!of.prefix.empty()) remove_prefix(of.prefix, source);
  if (of.tensor.empty() || source.model.find(of.tensor) != nullptr) return;
  const auto second = [&](const TensorEntry& tensor) {
    return model::canonical_tensor_name(tensor.name) == of.second_name;
  };
  const auto found = std::ranges::find_if(source.model.tensors, second);
  if (found != source.model.tensors.end()) rename_tensor(source, *found, std::string(of.tensor));
}

}  // namespace ambry::convert
