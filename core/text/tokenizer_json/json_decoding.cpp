#include "text/tokenizer_json/json_decoding.h"

#include <vector>

#include "model/metadata/metadata_value.h"
#include "text/sentencepiece/sentencepiece_normalizer.h"

namespace ambry::text {
namespace {

using io::Json;

// Metaspace: marks become spaces. With a prepended mark, the first token's mark is dropped.
class MetaspaceDecoder final : public TokenDecoder {
 public:
  MetaspaceDecoder(const Tokenizer& tokenizer, bool drops_first, bool skip_special)
      : tokenizer_(tokenizer), drops_first_(drops_first), skip_special_(skip_special) {}

  void push(uint32_t id, std::string& out) override {
    std::string_view token = tokenizer_.token(id);
    if (token.empty() || (skip_special_ && tokenizer_.is_special(id))) return;
    for (size_t at = 0; (at = token.find(kSpaceMark)) != std::string_view::npos;) {
      out += token.substr(0, at);
      if (!first_ || !drops_first_) out += ' ';
      token.remove_prefix(at + kSpaceMark.size());
    }
    out += token;
    first_ = false;
  }

  void finish(std::string& /*out*/) override { first_ = true; }

 private:
  const Tokenizer& tokenizer_;
  bool drops_first_;
  bool skip_special_;
  bool first_ = true;
};

std::string_view text_in(const Json& part, std::string_view key) {
  return model::metadata_text(part, key).value_or("");
}

bool is_of(const Json& part, std::string_view type) { return text_in(part, "type") == type; }

std::vector<const Json*> decoders_of(const Json* decoder) {
  if (decoder == nullptr || decoder->is_null()) return {};
  const Json* list = decoder->find("decoders");
  if (!is_of(*decoder, "Sequence") || list == nullptr || !list->is_array()) return {decoder};
  std::vector<const Json*> parts;
  for (const Json& part : list->items()) parts.push_back(&part);
  return parts;
}

bool replaces_marks(const Json& part) {
  const Json* pattern = part.find("pattern");
  return is_of(part, "Replace") && pattern != nullptr &&
         text_in(*pattern, "String") == kSpaceMark && text_in(part, "content") == " ";
}

bool has_number(const Json& part, std::string_view key, uint64_t number) {
  const Json* value = part.find(key);
  return value != nullptr && value->is_uint() && value->uint() == number;
}

bool drops_first_space(const Json& part) {
  return is_of(part, "Strip") && text_in(part, "content") == " " && has_number(part, "start", 1) &&
         has_number(part, "stop", 0);
}

}  // namespace

JsonDecoding::JsonDecoding(const Json& root) {
  settings_.space = kSpaceMark;
  const Json* decoder = root.find("decoder");
  const std::vector<const Json*> parts = decoders_of(decoder);
  if (parts.size() == 1 && is_of(*parts[0], "Metaspace") &&
      model::metadata_text(*parts[0], "replacement").value_or(kSpaceMark) == kSpaceMark) {
    const Json* prefix = parts[0]->find("add_prefix_space");
    const bool adds = prefix == nullptr || !prefix->is_bool() || prefix->boolean();
    const auto scheme = model::metadata_text(*parts[0], "prepend_scheme");
    settings_.drop_first_space = scheme.value_or(adds ? "always" : "never") != "never";
    return;
  }
  joins_bytes_ = parts.size() >= 3 && replaces_marks(*parts[0]) &&
                 is_of(*parts[1], "ByteFallback") && is_of(*parts[2], "Fuse");
  settings_.drop_first_space = parts.size() == 4 && drops_first_space(*parts[3]);
  if (joins_bytes_ && parts.size() == (settings_.drop_first_space ? 4 : 3)) return;
  refusal_ = *error_at(ErrorCode::Unsupported,
                       decoder == nullptr ? root.byte_offset() : decoder->byte_offset(),
                       "tokenizer.json.decoder",
                       "to make text of ids, Unigram needs a Metaspace decoder with U+2581, or "
                       "Llama's decoder; texts become ids without it");
}

std::unique_ptr<TokenDecoder> JsonDecoding::decoder(const Tokenizer& tokenizer,
                                                    const AddedTokens& added,
                                                    bool skip_special) const {
  if (joins_bytes_) return sentencepiece_decoder(tokenizer, settings_, added, skip_special);
  return std::make_unique<MetaspaceDecoder>(tokenizer, settings_.drop_first_space, skip_special);
}

std::string JsonDecoding::bytes_of(std::string_view token) const {
  if (joins_bytes_) return piece_bytes(token, settings_.space);
  std::string bytes(token);
  for (size_t at = 0; (at = bytes.find(kSpaceMark, at)) != std::string::npos; ++at) {
    bytes.replace(at, kSpaceMark.size(), " ");
  }
  return bytes;
}

}  // namespace ambry::text
