#include "formats/huggingface/side_files/own_code.h"

#include <string_view>
#include <utility>

namespace ambry::formats::huggingface {
namespace {

using io::Json;

constexpr const char* kAutoMap = "auto_map";

// A name, or the names of a slow and a fast class, of which one may be null.
std::string class_in(const Json& code) {
  if (code.is_string()) return code.string();
  if (!code.is_array()) return {};
  for (const Json& name : code.items()) {
    if (name.is_string()) return name.string();
  }
  return {};
}

// The first class whose use begins with `prefix`.
OwnCode class_for(const FileValues& values, std::string_view prefix) {
  const Json* map = values.json().find(kAutoMap);
  if (map == nullptr || !map->is_object()) return {};
  for (const auto& [use, code] : map->members()) {
    if (!use.starts_with(prefix)) continue;
    std::string name = class_in(code);
    if (name.empty()) continue;
    return {std::move(name), concat({values.file(), ".", kAutoMap}), map->byte_offset()};
  }
  return {};
}

}  // namespace

OwnCode own_code(const FileValues& values) { return class_for(values, "AutoModel"); }

Result<OwnCode> own_tokenizer_code(const SideFiles& files, const std::string& folder) {
  const std::string name = folder + "tokenizer_config.json";
  AMBRY_TRY(const auto json, read_json_file(files, name));
  return json ? class_for(FileValues(name, *json), "AutoTokenizer") : OwnCode();
}

std::optional<Error> own_code_warning(const OwnCode& code, const Text& instead) {
  if (code.name.empty()) return std::nullopt;
  return error_at(ErrorCode::Unsupported, code.byte_offset, code.path,
                  {"code of the model's own, ", code.name, ", is not run; ", instead.str()});
}

Failure of_own_code(const OwnCode& code, const char* what, Failure error) {
  const bool unfit = error->code == ErrorCode::NotFound || error->code == ErrorCode::Mismatch ||
                     error->code == ErrorCode::Unsupported;
  if (code.name.empty() || !unfit || error->path.starts_with("options.")) return error;
  return error_at(ErrorCode::Unsupported, code.byte_offset, code.path,
                  {"the ", what, " runs code of its own, ", code.name,
                   ", and does not fit here: ", error->path, ": ", error->message});
}

}  // namespace ambry::formats::huggingface
