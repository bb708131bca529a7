#include "formats/huggingface/tokenizer/stated_settings.h"

#include <string>
#include <string_view>
#include <utility>

#include "base/concat.h"
#include "formats/huggingface/side_files/file_values.h"
#include "formats/huggingface/tokenizer/special_names.h"
#include "formats/huggingface/tokenizer/template_files.h"

namespace ambry::formats::huggingface {
namespace {

using io::Json;

constexpr std::string_view kConfig = "tokenizer_config.json";
constexpr std::string_view kSpecialMap = "special_tokens_map.json";

// An object, which is empty without the file.
Result<Json> read_object(const SideFiles& files, std::string_view name) {
  AMBRY_TRY(auto json, read_json_file(files, name));
  if (!json) return Json::object();
  if (json->is_object()) return std::move(*json);
  return error_at(ErrorCode::BadValue, json->byte_offset(), name, "must be an object");
}

void read_special(const Json& json, Json& special) {
  for (const std::string_view role : {"bos", "eos", "pad", "unk", "cls", "sep", "mask"}) {
    const std::string text = special_name(json, concat({role, "_token"}));
    if (!text.empty()) special.set(role, text);
  }
}

}  // namespace

Result<StatedSettings> read_stated_settings(const SideFiles& files, std::vector<Error>& warnings) {
  StatedSettings settings;
  AMBRY_TRY(const Json config, read_object(files, kConfig));
  AMBRY_TRY(const Json map, read_object(files, kSpecialMap));
  read_special(map, settings.special);
  read_special(config, settings.special);
  AMBRY_RETURN_IF_ERROR(FileValues(std::string(kConfig), config)
                            .read({{"do_lower_case", settings.lowercase},
                                   {"add_bos_token", settings.add_bos},
                                   {"add_eos_token", settings.add_eos}}));
  AMBRY_TRY(settings.templates, read_chat_template_files(files, config, warnings));
  return settings;
}

}  // namespace ambry::formats::huggingface
