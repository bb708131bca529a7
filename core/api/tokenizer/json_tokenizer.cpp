#include "api/tokenizer/json_tokenizer.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "formats/huggingface/tokenizer/bpe_json.h"
#include "formats/huggingface/tokenizer/special_names.h"
#include "formats/huggingface/tokenizer/tokenizer_files.h"
#include "io/json/json.h"
#include "model/metadata/metadata_value.h"
#include "model/tokenizer/end_switches.h"
#include "model/tokenizer/files/model_type.h"
#include "model/tokenizer/post_processor_json.h"
#include "model/tokenizer/tokenizer_metadata.h"
#include "model/tokenizer/tokenizer_options.h"

namespace ambry::api {
namespace {

using io::Json;
using model::TokenizerData;
using model::TokenizerKind;
namespace huggingface = formats::huggingface;

// What the model file says about the ends of texts overrides the payload's post-processor, if it
// can: without a post-processor of its own, the file can state one token for each end.
void override_ends(const TokenizerData& stated, const Json* options, TokenizerData& data) {
  if (stated.post_processor) return;
  constexpr const char* kKeys[] = {"bos_id", "eos_id", "add_bos", "add_eos"};
  const bool overrides = stated.bos_id || stated.eos_id || stated.add_bos || stated.add_eos ||
                         (options != nullptr && std::ranges::any_of(kKeys, [&](const char* key) {
                            return model::has_value(*options, key);
                          }));
  if (overrides && data.post_processor && model::text_ends(*data.post_processor)) {
    data.post_processor.reset();
  }
}

// WordPiece's tokens become text by the rules of its usual decoder.
Result<void> check_usual_decoder(const Json& root, const TokenizerData& data) {
  const Json* decoder = root.find("decoder");
  const Json* cleanup = decoder != nullptr ? decoder->find("cleanup") : nullptr;
  const bool cleans = cleanup == nullptr || !cleanup->is_bool() || cleanup->boolean();
  if (decoder != nullptr && model::metadata_text(*decoder, "type") == "WordPiece" && cleans &&
      model::metadata_text(*decoder, "prefix").value_or("##") == data.continuing_subword_prefix) {
    return {};
  }
  return error_at(ErrorCode::Unsupported, decoder != nullptr ? decoder->byte_offset() : 0,
                  "tokenizer.json.decoder",
                  "only a WordPiece decoder with cleanup and the model's prefix is supported");
}

// WordPiece has [CLS] and [SEP] where other kinds have bos and eos; so does AMB's kind 2.
void keep_stated(const TokenizerData& stated, TokenizerData& data) {
  const auto keep = [](std::optional<uint32_t> id, std::optional<uint32_t>& kept) {
    if (id) kept = id;
  };
  const bool words = data.kind == TokenizerKind::WordPiece;
  keep(stated.bos_id, words ? data.cls_id : data.bos_id);
  keep(stated.eos_id, words ? data.sep_id : data.eos_id);
  keep(stated.pad_id, data.pad_id);
  keep(stated.unk_id, data.unk_id);
  keep(stated.mask_id, data.mask_id);
  if (!stated.eos_ids.empty()) data.eos_ids = stated.eos_ids;
  if (stated.add_bos) data.add_bos = stated.add_bos;
  if (stated.add_eos) data.add_eos = stated.add_eos;
}

}  // namespace

Result<void> switch_ends(const EndSwitches& switches, const Json& root, TokenizerData& data) {
  if (!switches.add_bos && !switches.add_eos) return {};
  std::vector<model::AddedToken> added = data.added_tokens;
  const Json* list = root.find("added_tokens");
  if (data.kind == TokenizerKind::Custom && list != nullptr) {
    AMBRY_TRY(added, model::added_tokens_from_json(*list, "tokenizer.json.added_tokens"));
  }
  const auto bos = huggingface::find_token(data, added, switches.bos);
  const auto eos = huggingface::find_token(data, added, switches.eos);
  if (!data.post_processor) {
    AMBRY_TRY(data.post_processor, model::read_post_processor(root));
  }
  data.post_processor =
      model::with_ends(*data.post_processor, {switches.add_bos, switches.add_eos, bos, eos});
  if (data.post_processor) return {};
  return make_error(ErrorCode::NotFound, "tokenizer_config.json",
                    "add_bos_token or add_eos_token asks for a token that the tokenizer does not "
                    "have; name it with bos_token or eos_token");
}

Result<TokenizerData> parse_json_tokenizer(std::string_view text, bool streams) {
  AMBRY_TRY(const Json root, io::parse_json(text, 0, "tokenizer.json"));
  return parse_json_tokenizer(root, text, streams);
}

Result<TokenizerData> parse_json_tokenizer(const Json& root, std::string_view text, bool streams) {
  const std::string_view type = model::tokenizer_model_type(root);
  TokenizerData data;
  data.kind = TokenizerKind::Custom;
  if (type == "WordPiece") {
    AMBRY_TRY(data, huggingface::parse_tokenizer_json(text));
    if (streams) AMBRY_RETURN_IF_ERROR(check_usual_decoder(root, data));
  } else if (type == "BPE") {
    AMBRY_TRY(data, huggingface::parse_bpe_json(root, streams));
  }
  if (data.kind == TokenizerKind::Custom) data.payload = text;
  return data;
}

Result<void> resolve_custom_tokenizer(model::Model& model, bool streams) {
  if (!model.tokenizer) return {};
  const TokenizerData& stated = *model.tokenizer;
  if (stated.kind != TokenizerKind::Custom || !stated.payload.starts_with('{')) return {};
  AMBRY_TRY(TokenizerData data, parse_json_tokenizer(stated.payload, streams));
  if (data.kind == TokenizerKind::Custom) return {};
  keep_stated(stated, data);
  const Json* options = model.config.find("tokenizer");
  if (options != nullptr && !options->is_object()) options = nullptr;
  if (options != nullptr) {
    AMBRY_RETURN_IF_ERROR(model::read_tokenizer_options(*options, "config.tokenizer", data));
  }
  override_ends(stated, options, data);
  model.tokenizer = std::move(data);
  return {};
}

bool writes_text(const model::Model& model) {
  return model.config.is_object() && !model.config.members().empty() &&
         !model::has_value(model.config, "embedding");
}

}  // namespace ambry::api
