#include "convert/plan/shards.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>
#include <utility>

#include "base/order.h"
#include "formats/huggingface/side_files/file_values.h"

namespace ambry::convert {
namespace {

using io::Json;

struct Names {
  std::string_view format;
  std::string_view whole;  // the file that has all tensors
  std::string_view index;
};
constexpr std::array kNames = {
    Names{"safetensors", "model.safetensors", "model.safetensors.index.json"},
    Names{"pytorch", "pytorch_model.bin", "pytorch_model.bin.index.json"}};

const Names* names_of(std::string_view format) {
  const auto* const found = std::ranges::find(kNames, format, &Names::format);
  return found == kNames.end() ? nullptr : found;
}

Failure in_index(const Names& names, const Json& place, std::string_view field, ErrorCode code,
                 const Text& message) {
  return error_at(code, place.byte_offset(), {names.index, ".", field}, message);
}

// Whether a name is that of a file in the directory, and no path.
bool is_plain_name(std::string_view name) {
  return name.find_first_not_of('.') != std::string_view::npos &&
         name.find_first_of("/\\") == std::string_view::npos;
}

// Reads the index: the file of each tensor.
Result<Json> read_weight_map(const SourceFiles& sources, const Names& names) {
  AMBRY_TRY(const auto index, formats::huggingface::read_json_file(sources.side(), names.index));
  assert(index);
  const Json* map = index->find("weight_map");
  if (map == nullptr || !map->is_object()) {
    return in_index(names, *index, "weight_map", ErrorCode::NotFound,
                    "expected an object of tensor names and files");
  }
  for (const auto& [tensor, file] : map->members()) {
    if (file.is_string() && is_plain_name(file.string())) continue;
    return in_index(names, file, concat({"weight_map.", tensor}), ErrorCode::BadValue,
                    "expected the name of a file in the same directory");
  }
  if (map->members().empty()) {
    return in_index(names, *map, "weight_map", ErrorCode::BadValue, "it names no file");
  }
  return *map;
}

class Merger {
 public:
  Merger(const SourceFiles& sources, const Names& names) : sources_(sources), names_(names) {}

  Result<SourceModel> merge();

 private:
  Result<void> check_files(const Json& map) const;
  Result<void> read_shard(uint32_t number);
  void sort();
  Result<void> check_unique() const;
  Result<void> check_map(const Json& map) const;
  [[nodiscard]] const std::string& name_of(uint32_t file) const {
    return sources_.files()[file].name;
  }
  [[nodiscard]] const model::TensorEntry& at(size_t position) const {
    return merged_.model.tensors[order_[position]];
  }
  [[nodiscard]] const std::string& file_at(size_t position) const {
    return name_of(merged_.files[order_[position]]);
  }
  [[nodiscard]] std::optional<size_t> find(std::string_view name) const;

  const SourceFiles& sources_;
  const Names& names_;
  SourceModel merged_;
  std::vector<uint32_t> order_;  // of the tensors, sorted by name
};

Result<SourceModel> Merger::merge() {
  AMBRY_TRY(const Json map, read_weight_map(sources_, names_));
  AMBRY_RETURN_IF_ERROR(check_files(map));
  for (uint32_t file = 0; file < sources_.files().size(); ++file) {
    // Files in folders are those of other modules.
    if (name_of(file).find('/') == std::string::npos) AMBRY_RETURN_IF_ERROR(read_shard(file));
  }
  sort();
  AMBRY_RETURN_IF_ERROR(check_unique());
  AMBRY_RETURN_IF_ERROR(check_map(map));
  return std::move(merged_);
}

Result<void> Merger::check_files(const Json& map) const {
  for (const auto& [tensor, file] : map.members()) {
    const auto given = std::ranges::find(sources_.files(), file.string(), &SourceFiles::File::name);
    if (given != sources_.files().end()) continue;
    return error_at(ErrorCode::NotFound, file.byte_offset(), file.string(),
                    {"this weight file is missing; ", names_.index, " names it"});
  }
  return {};
}

Result<void> Merger::read_shard(uint32_t number) {
  auto read = read_file(*sources_.files()[number].source, names_.format);
  if (!read) return in_source_file(read.take_error(), sources_, number);
  for (Error& warning : read->warnings) {
    merged_.warnings.push_back(in_source_file(Failure(std::move(warning)), sources_, number));
  }
  model::Model& shard = read->model;
  merged_.files.insert(merged_.files.end(), shard.tensors.size(), number);
  merged_.strides.merge(read->strides);
  if (number == 0) {
    merged_.model = std::move(shard);
    return {};
  }
  for (model::TensorEntry& tensor : shard.tensors) {
    merged_.model.tensors.push_back(std::move(tensor));
  }
  return {};
}

void Merger::sort() {
  const auto& tensors = merged_.model.tensors;
  order_ = sorted_order(tensors.size(),
                        [&](uint32_t a, uint32_t b) { return tensors[a].name < tensors[b].name; });
}

Result<void> Merger::check_unique() const {
  for (size_t i = 1; i < order_.size(); ++i) {
    if (at(i).name != at(i - 1).name) continue;
    return error_at(ErrorCode::BadValue, at(i).index_offset, {file_at(i), ": ", at(i).name},
                    {"the tensor is also in ", file_at(i - 1)});
  }
  return {};
}

std::optional<size_t> Merger::find(std::string_view name) const {
  const auto found = std::lower_bound(
      order_.begin(), order_.end(), name,
      [&](uint32_t a, std::string_view wanted) { return merged_.model.tensors[a].name < wanted; });
  if (found == order_.end() || merged_.model.tensors[*found].name != name) return std::nullopt;
  return static_cast<size_t>(found - order_.begin());
}

Result<void> Merger::check_map(const Json& map) const {
  std::vector<uint8_t> named(order_.size());
  for (const auto& [name, file] : map.members()) {
    const auto position = find(name);
    const auto fail = [&](ErrorCode code, const Text& message) {
      return in_index(names_, file, concat({"weight_map.", name}), code, message);
    };
    if (!position) return fail(ErrorCode::NotFound, "none of the files has this tensor");
    if (file_at(*position) != file.string()) {
      return fail(ErrorCode::Mismatch,
                  {"the tensor is in ", file_at(*position), ", not in ", file.string()});
    }
    named[*position] = 1;
  }
  const auto unnamed = std::ranges::find(named, uint8_t{0});
  if (unnamed == named.end()) return {};
  const auto position = static_cast<size_t>(unnamed - named.begin());
  return error_at(ErrorCode::Mismatch, at(position).index_offset,
                  {file_at(position), ": ", at(position).name},
                  {names_.index, " does not name this tensor"});
}

}  // namespace

bool is_sharded(const SourceFiles& sources, std::string_view format) {
  const Names* const names = names_of(format);
  return names != nullptr && sources.side().find(names->index) != nullptr &&
         sources.files().front().name != names->whole;
}

Result<SourceModel> read_shards(const SourceFiles& sources, std::string_view format) {
  const Names* const names = names_of(format);
  assert(names != nullptr);
  return Merger(sources, *names).merge();
}

}  // namespace ambry::convert
