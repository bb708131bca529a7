#include "api/tokenizer/tokenizer_model.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "api/call/documents.h"
#include "api/call/options.h"
#include "api/tokenizer/stated_templates.h"
#include "text/make_tokenizer.h"
#include "text/tokenizer_json/stepped_tokenizer.h"

namespace ambry::api {
namespace {

using io::Json;

// The texts of the special tokens by role, as templates for conversations want them.
Json special_texts(const Json& roles, const text::Tokenizer& tokenizer) {
  Json texts = Json::object();
  for (const auto& [role, id] : roles.members()) {
    const auto number = static_cast<uint32_t>(id.uint());
    if (number < tokenizer.size()) texts.set(role, tokenizer.token(number));
  }
  return texts;
}

// {addBos?, addEos?, bos?, eos?}, as tokenizer_settings() found them.
EndSwitches read_switches(const Json& stated) {
  const auto flag = [&](std::string_view name) -> std::optional<bool> {
    const Json* value = stated.find(name);
    return value != nullptr && value->is_bool() ? std::optional(value->boolean()) : std::nullopt;
  };
  const auto text = [&](std::string_view name) -> std::string {
    const Json* value = stated.find(name);
    return value != nullptr && value->is_string() ? std::string(value->string()) : std::string();
  };
  return {flag("addBos"), flag("addEos"), text("bos"), text("eos")};
}

}  // namespace

Result<TokenizerModel> TokenizerModel::open(const io::Source& source,
                                            const TokenizerSettings& settings) {
  AMBRY_TRY(ParsedTokenizer parsed, parse_any_tokenizer(source, settings));
  Json info = tokenizer_info(parsed.data);
  const Json special = *info.find("special");
  if (!parsed.encoding.empty()) info.set("encoding", parsed.encoding);
  if (!parsed.warnings.empty()) info.set("warnings", problems(parsed.warnings));
  AMBRY_TRY(auto tokenizer, text::make_tokenizer(std::move(parsed.data)));
  if (!parsed.decoder.empty()) {
    tokenizer = text::with_decoder(std::move(tokenizer), parsed.decoder);
  }
  put_templates(parsed.templates, info);
  info.set("specialTokens", special_texts(special, *tokenizer));
  return TokenizerModel(info.dump(), std::move(tokenizer));
}

Result<std::unique_ptr<Loader>> TokenizerModel::load(const io::Source& source,
                                                     std::string_view options) {
  AMBRY_TRY(const Json json, io::parse_json(options, 0, "options"));
  TokenizerSettings settings;
  const Json* lowercase = json.find("lowercase");
  if (lowercase != nullptr && !lowercase->is_null()) {
    AMBRY_TRY(settings.lowercase, read_bool(json, "lowercase", false));
  }
  if (const Json* encoding = json.find("encoding")) settings.encoding = *encoding;
  if (const Json* ends = json.find("ends")) settings.ends = read_switches(*ends);
  AMBRY_TRY(TokenizerModel opened, open(source, settings));
  return std::unique_ptr<Loader>(
      new FinishedLoader(std::make_unique<TokenizerModel>(std::move(opened))));
}

}  // namespace ambry::api
