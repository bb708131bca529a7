#include "formats/gguf/parts.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "base/concat.h"
#include "formats/gguf/config.h"
#include "formats/gguf/gguf_parse.h"
#include "formats/gguf/metadata/gguf_layout.h"
#include "formats/gguf/metadata/metadata.h"
#include "io/byte_reader.h"
#include "io/limits.h"
#include "io/source_part.h"
#include "model/file/tensor_table.h"
#include "model/metadata/metadata_value.h"

namespace ambry::formats::gguf {
namespace {

using io::Json;
using model::Model;

constexpr auto kSplitKeys =
    std::to_array<std::string_view>({kSplitNumberKey, kSplitCountKey, kSplitTensorsKey});

std::optional<uint64_t> number_of(const Model& part, std::string_view key) {
  const Json* value = part.metadata.find(key);
  if (value == nullptr || !value->is_uint()) return std::nullopt;
  return value->uint();
}

bool is_split_key(std::string_view key) {
  return std::ranges::find(kSplitKeys, key) != kSplitKeys.end();
}

// The stored form of the metadata without the keys. An entry is the length of its key, the key, the
// type and the value.
std::string without_split_keys(const Model& model) {
  const std::string_view text = model.metadata_text;
  const io::MemorySource source(as_bytes(text));
  io::ByteReader reader(source);
  io::Diagnostics ignored;
  Model stored;
  // Entries that were too long to store are absent, so the end may come early.
  (void)read_metadata(source, reader, model.metadata.members().size(), 0, {}, ignored, stored);
  std::string kept;
  size_t begin = 0;
  const auto& members = stored.metadata.members();
  for (size_t i = 0; i < members.size(); ++i) {
    size_t end = text.size();
    if (i + 1 < members.size()) {
      const auto& [key, value] = members[i + 1];
      end = static_cast<size_t>(value.byte_offset()) - sizeof(ValueType) - key.size() -
            sizeof(uint64_t);
    }
    if (!is_split_key(members[i].first)) kept += text.substr(begin, end - begin);
    begin = end;
  }
  return kept;
}

// Together the parts are a model like any other.
void remove_split_keys(Model& model) {
  model.metadata_text = without_split_keys(model);
  Json metadata = Json::object();
  for (const auto& [key, value] : model.metadata.members()) {
    if (!is_split_key(key)) metadata.append_member(key, value);
  }
  model.metadata = std::move(metadata);
}

class PartsReader {
 public:
  PartsReader(const io::Source& source, io::Diagnostics& diagnostics,
              const model::ReadOptions& options)
      : source_(source), diagnostics_(diagnostics), options_(options) {}

  Result<Model> read();

 private:
  Result<Model> parse_part(size_t i);
  Result<void> check_head(size_t i, const Model& part) const;
  Result<void> add(size_t i, Model part);
  Result<void> finish();
  [[nodiscard]] uint64_t begin_of(size_t i) const {
    return i == 0 ? 0 : source_.part_ends()[i - 1];
  }
  // Parts count their offsets from their own beginning.
  [[nodiscard]] Failure shifted(size_t i, Failure error) const {
    if (error->byte_offset != kNoOffset) error->byte_offset += begin_of(i);
    return error;
  }
  [[nodiscard]] Failure fail(size_t i, const Model& part, std::string_view key,
                             const Text& message) const {
    return shifted(i, model::metadata_error(part.metadata, key, ErrorCode::Mismatch, message));
  }

  const io::Source& source_;
  io::Diagnostics& diagnostics_;
  const model::ReadOptions& options_;
  Model model_;
};

Result<Model> PartsReader::read() {
  for (size_t i = 0; i < source_.part_ends().size(); ++i) {
    AMBRY_TRY(Model part, parse_part(i));
    AMBRY_RETURN_IF_ERROR(check_head(i, part));
    AMBRY_RETURN_IF_ERROR(add(i, std::move(part)));
  }
  AMBRY_RETURN_IF_ERROR(finish());
  return std::move(model_);
}

Result<Model> PartsReader::parse_part(size_t i) {
  const io::SourcePart source(source_, begin_of(i), source_.part_ends()[i]);
  io::Diagnostics found;
  found.strictness = diagnostics_.strictness;
  found.validates = diagnostics_.validates;
  auto part = parse_file(source, found, i == 0 ? options_ : model::ReadOptions{false});
  if (!part) return shifted(i, part.take_error());
  for (Error& error : found.errors) {
    diagnostics_.errors.push_back(shifted(i, Failure(std::move(error))));
  }
  for (Error& warning : found.warnings) {
    diagnostics_.warnings.push_back(shifted(i, Failure(std::move(warning))));
  }
  diagnostics_.n_bearable += found.n_bearable;
  return part;
}

// Only the first part has all of the metadata. The others state which part they are.
Result<void> PartsReader::check_head(size_t i, const Model& part) const {
  const uint64_t n_parts = source_.part_ends().size();
  const auto count = number_of(part, kSplitCountKey);
  if (!count) return fail(i, part, kSplitCountKey, "the file is no part of a split model");
  if (*count != n_parts) {
    return fail(i, part, kSplitCountKey,
                {"a part of a model in ", *count, " files, but ", n_parts, " files are given"});
  }
  const auto number = number_of(part, kSplitNumberKey);
  if (number != uint64_t{i}) {
    return fail(i, part, kSplitNumberKey,
                {"this is part ", number.value_or(0) + 1, ", in the place of part ", i + 1});
  }
  if (i == 0) return {};
  constexpr auto kOfTheModel =
      std::to_array<std::string_view>({kSplitTensorsKey, kArchitectureKey, "general.name"});
  for (const std::string_view key : kOfTheModel) {
    const Json* stated = part.metadata.find(key);
    const Json* first = model_.metadata.find(key);
    if (stated == nullptr || first == nullptr || stated->dump() == first->dump()) continue;
    return fail(i, part, key,
                {stated->dump(), ", but the first part has ", first->dump(),
                 "; the files are of different models"});
  }
  return {};
}

Result<void> PartsReader::add(size_t i, Model part) {
  const uint64_t begin = begin_of(i);
  for (model::TensorEntry& tensor : part.tensors) {
    tensor.offset += begin;
    tensor.index_offset += begin;
  }
  for (model::Region& region : part.regions) {
    region.offset += begin;
    if (i > 0) region.name = concat({"part ", i + 1, ": ", region.name});
  }
  if (i == 0) {
    model_ = std::move(part);
    return {};
  }
  if (part.tensors.size() > io::kMaxTensors - model_.tensors.size()) {
    return error_at(ErrorCode::LimitExceeded, begin, "header.tensor_count",
                    {"at most ", io::kMaxTensors, " tensors in all parts"});
  }
  std::ranges::move(part.tensors, std::back_inserter(model_.tensors));
  std::ranges::move(part.regions, std::back_inserter(model_.regions));
  return {};
}

Result<void> PartsReader::finish() {
  const auto n_tensors = number_of(model_, kSplitTensorsKey);
  if (n_tensors && *n_tensors != model_.tensors.size()) {
    return fail(0, model_, kSplitTensorsKey,
                {*n_tensors, " tensors, but all parts together have ", model_.tensors.size(),
                 "; the files are of different models"});
  }
  model::check_names_unique(model_.tensors, diagnostics_);
  remove_split_keys(model_);
  model_.file_bytes = source_.size();
  model_.config = config_of(model_);
  return {};
}

}  // namespace

Result<Model> parse_parts(const io::Source& source, io::Diagnostics& diagnostics,
                          const model::ReadOptions& options) {
  return PartsReader(source, diagnostics, options).read();
}

}  // namespace ambry::formats::gguf
