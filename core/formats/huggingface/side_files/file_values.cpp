#include "formats/huggingface/side_files/file_values.h"

#include "io/lfs_pointer.h"

namespace ambry::formats::huggingface {
namespace {

using io::Json;

Failure in_file(std::string_view file, Failure error) {
  constexpr std::string_view kGeneric = "metadata.";
  std::string_view path = error->path;
  if (path.starts_with(kGeneric)) path.remove_prefix(kGeneric.size());
  error->path = concat({file, ".", path});
  return error;
}

// The text with null for the word Infinity, which Python writes and JSON lacks. All offsets stay.
std::string without_infinity(std::string_view text) {
  constexpr std::string_view kInfinity = "Infinity";
  std::string changed(text);
  bool in_string = false;
  for (size_t i = 0; i < changed.size(); ++i) {
    if (changed[i] == '\\' && in_string) {
      ++i;
    } else if (changed[i] == '"') {
      in_string = !in_string;
    } else if (!in_string && text.substr(i).starts_with(kInfinity)) {
      changed.replace(i, kInfinity.size(), "null    ");
    }
  }
  return changed;
}

}  // namespace

Result<void> FileValues::read(std::initializer_list<model::ValueTarget> targets) const {
  auto read = model::read_values(json_, targets);
  if (!read) return in_file(file_, read.take_error());
  return {};
}

Failure FileValues::fail(std::string_view key, ErrorCode code, const Text& message) const {
  return in_file(file_, model::metadata_error(json_, key, code, message));
}

std::string FileValues::text(std::string_view key) const {
  return std::string(model::metadata_text(json_, key).value_or(""));
}

Result<std::optional<Json>> read_json_file(const SideFiles& files, std::string_view name) {
  const std::string* text = files.find(name);
  if (text == nullptr) return std::optional<Json>();
  AMBRY_RETURN_IF_ERROR(refuse_pointer(files, name));
  const bool has_infinity = text->find("Infinity") != std::string::npos;
  AMBRY_TRY(Json json, io::parse_json(has_infinity ? without_infinity(*text) : *text, 0, name));
  return std::optional<Json>(std::move(json));
}

Result<void> refuse_pointer(const SideFiles& files, std::string_view name) {
  const std::string* text = files.find(name);
  if (text == nullptr || !text->starts_with(io::kLfsPointer)) return {};
  return io::lfs_pointer_error(name);
}

Result<Json> require_json_file(const SideFiles& files, const std::string& name) {
  AMBRY_TRY(auto json, read_json_file(files, name));
  if (json) return std::move(*json);
  return make_error(ErrorCode::NotFound, name, "this file of the model's directory is missing");
}

}  // namespace ambry::formats::huggingface
