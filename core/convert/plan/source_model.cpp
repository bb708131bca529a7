#include "convert/plan/source_model.h"

#include <algorithm>
#include <utility>

#include "convert/plan/shards.h"
#include "formats/pytorch/pytorch_parse.h"
#include "formats/registry.h"

namespace ambry::convert {

Input SourceModel::input(const model::TensorEntry& tensor) const {
  const auto position = static_cast<size_t>(&tensor - model.tensors.data());
  const auto found = strides.find(tensor.name);
  return {tensor, files.empty() ? 0 : files[position],
          found == strides.end() ? std::vector<uint64_t>() : found->second};
}

std::vector<Input> SourceModel::inputs(const model::TensorEntry& tensor) const {
  const auto parts = joined.find(tensor.name);
  return parts == joined.end() ? std::vector{input(tensor)} : parts->second;
}

void remove_tensors(SourceModel& source,
                    const std::function<bool(const model::TensorEntry&)>& left_out) {
  std::vector<model::TensorEntry> tensors;
  std::vector<uint32_t> files;
  for (size_t i = 0; i < source.model.tensors.size(); ++i) {
    model::TensorEntry& tensor = source.model.tensors[i];
    if (left_out(tensor)) continue;
    tensors.push_back(std::move(tensor));
    if (!source.files.empty()) files.push_back(source.files[i]);
  }
  source.model.tensors = std::move(tensors);
  source.files = std::move(files);
}

const model::TensorEntry* find_tensor(const model::Model& model, std::string_view name) {
  const auto found = std::ranges::find(model.tensors, name, &model::TensorEntry::name);
  return found == model.tensors.end() ? nullptr : &*found;
}

Failure in_source_file(Failure error, const SourceFiles& sources, uint32_t number) {
  const bool is_file = number < sources.files().size();  // not one that is made of others
  if (is_file) error->path = concat({sources.files()[number].name, ": ", error->path});
  if (error->code == ErrorCode::NeedBytes) error->need_file = number;
  return error;
}

Result<SourceModel> read_file(const io::Source& file, std::string_view format) {
  io::Diagnostics diagnostics;
  SourceModel source;
  if (format == "pytorch") {
    AMBRY_TRY(auto dict, formats::pytorch::parse_state_dict(file, diagnostics));
    source.model = std::move(dict.model);
    source.strides = std::move(dict.strides);
  } else {
    AMBRY_TRY(source.model, formats::find_format(format)->parse(file, diagnostics, {}));
  }
  if (!diagnostics.errors.empty()) return std::move(diagnostics.errors.front());
  source.warnings = std::move(diagnostics.warnings);
  return source;
}

Result<SourceModel> read_source(const SourceFiles& sources, std::string_view format) {
  if (is_sharded(sources, format)) return read_shards(sources, format);
  return read_file(sources.main(), format);
}

}  // namespace ambry::convert
