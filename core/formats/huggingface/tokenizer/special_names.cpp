#include "formats/huggingface/tokenizer/special_names.h"

#include <array>
#include <utility>

namespace ambry::formats::huggingface {

using io::Json;
using model::TokenizerData;
using model::TokenizerKind;

std::string special_name(const Json& options, std::string_view key) {
  const Json* value = options.find(key);
  if (value != nullptr && value->is_object()) value = value->find("content");
  return value != nullptr && value->is_string() ? value->string() : std::string();
}

std::optional<uint32_t> find_token(const TokenizerData& tokenizer,
                                   const std::vector<model::AddedToken>& added,
                                   std::string_view text) {
  for (const model::AddedToken& token : added) {
    if (token.content == text) return token.id;
  }
  for (size_t i = tokenizer.vocabulary.size(); i-- > 0;) {
    if (tokenizer.vocabulary[i] != text) continue;
    return tokenizer.ids.empty() ? static_cast<uint32_t>(i) : tokenizer.ids[i];
  }
  return std::nullopt;
}

void read_special_names(const Json& options, const std::vector<model::AddedToken>& added,
                        TokenizerData& tokenizer) {
  using Id = std::optional<uint32_t> TokenizerData::*;
  static constexpr std::array<std::pair<std::string_view, Id>, 7> kNames = {
      {{"pad_token", &TokenizerData::pad_id},
       {"unk_token", &TokenizerData::unk_id},
       {"cls_token", &TokenizerData::cls_id},
       {"sep_token", &TokenizerData::sep_id},
       {"mask_token", &TokenizerData::mask_id},
       {"bos_token", &TokenizerData::bos_id},
       {"eos_token", &TokenizerData::eos_id}}};
  const bool words = tokenizer.kind == TokenizerKind::WordPiece;
  for (const auto& [key, id] : kNames) {
    // WordPiece has [CLS] and [SEP] in their place.
    if (words && (id == &TokenizerData::bos_id || id == &TokenizerData::eos_id)) continue;
    if (!words && tokenizer.kind != TokenizerKind::Unigram && id == &TokenizerData::unk_id)
      continue;
    const std::string text = special_name(options, key);
    if (text.empty()) continue;
    if (const auto found = find_token(tokenizer, added, text)) tokenizer.*id = found;
  }
}

}  // namespace ambry::formats::huggingface
