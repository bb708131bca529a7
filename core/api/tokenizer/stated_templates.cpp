#include "api/tokenizer/stated_templates.h"

#include <utility>

#include "api/call/documents.h"
#include "formats/gguf/metadata/gguf_templates.h"
#include "formats/huggingface/tokenizer/stated_settings.h"

namespace ambry::api {

using io::Json;
using model::ChatTemplates;

Result<ChatTemplates> stated_templates(const model::Model& model, std::vector<Error>& warnings) {
  if (model.format == "gguf") return formats::gguf::read_template_keys(model.metadata, warnings);
  return model::chat_templates_of(model.config);
}

void put_templates(const ChatTemplates& templates, Json& info) {
  info.set("chatTemplate", Json());
  Json named = Json::object();
  for (const auto& [name, text] : templates) {
    if (name == model::kDefaultTemplate) {
      info.set("chatTemplate", std::string_view(text));
    } else {
      named.set(name, std::string_view(text));
    }
  }
  info.set("named", std::move(named));
}

Result<std::string> tokenizer_settings(std::string_view sizes, std::string_view bytes) {
  AMBRY_TRY(const Json list, io::parse_json(sizes, 0, "files"));
  formats::huggingface::SideFiles files;
  for (const Json& row : list.items()) {
    const auto size = static_cast<size_t>(row.items()[1].uint());
    files.add(row.items()[0].string(), std::string(bytes.substr(0, size)));
    bytes.remove_prefix(size);
  }
  std::vector<Error> warnings;
  AMBRY_TRY(auto settings, formats::huggingface::read_stated_settings(files, warnings));
  Json info = Json::object();
  put_templates(settings.templates, info);
  info.set("specialTokens", std::move(settings.special));
  if (settings.lowercase) info.set("lowercase", *settings.lowercase);
  if (settings.add_bos) info.set("addBos", *settings.add_bos);
  if (settings.add_eos) info.set("addEos", *settings.add_eos);
  if (!warnings.empty()) info.set("warnings", problems(warnings));
  return info.dump();
}

}  // namespace ambry::api
