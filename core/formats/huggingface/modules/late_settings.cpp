#include "formats/huggingface/modules/late_settings.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/huggingface/tokenizer/special_names.h"
#include "model/metadata/metadata_value.h"

namespace ambry::formats::huggingface {
namespace {

using io::Json;
using model::LateInteraction;
using model::TokenizerData;

constexpr const char* kArtifact = "artifact.metadata";
constexpr std::string_view kPunctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

std::optional<uint32_t> token_id(const TokenizerData& tokenizer, std::string_view token) {
  return find_token(tokenizer, tokenizer.added_tokens, token);
}

// The token of the text that `key` states, or `fallback`. Nothing for an empty text.
Result<std::optional<uint32_t>> read_marker(const FileValues& values, const char* key,
                                            const char* fallback, const TokenizerData& tokenizer) {
  const std::string text = model::has_value(values.json(), key) ? values.text(key) : fallback;
  std::optional<uint32_t> id;
  if (text.empty()) return id;
  id = token_id(tokenizer, text);
  if (id) return id;
  return values.fail(key, ErrorCode::NotFound,
                     {"\"", text, "\" marks texts, but it is no token of the tokenizer"});
}

// The id of the token that fills queries.
Result<std::optional<uint32_t>> expansion_of(const FileValues& values, const char* key,
                                             const TokenizerData& tokenizer) {
  if (tokenizer.mask_id) return tokenizer.mask_id;
  return values.fail(key, ErrorCode::NotFound,
                     "queries are filled with [MASK], but the tokenizer has no such token");
}

// Texts that no token has count as the unknown token, as in the model's library.
void add_skipped(std::string_view word, const TokenizerData& tokenizer, LateInteraction& late) {
  const auto known = token_id(tokenizer, word);
  const auto id = known ? known : tokenizer.unk_id;
  if (!id || std::ranges::find(late.skipped, *id) != late.skipped.end()) return;
  late.skipped.push_back(*id);
}

void add_punctuation(const TokenizerData& tokenizer, LateInteraction& late) {
  for (size_t i = 0; i < kPunctuation.size(); ++i) {
    add_skipped(kPunctuation.substr(i, 1), tokenizer, late);
  }
}

// A text that must be absent or this one.
Result<void> check_text(const FileValues& values, const char* key, std::string_view usual) {
  if (!model::has_value(values.json(), key) || values.text(key) == usual) return {};
  return values.fail(
      key, ErrorCode::Unsupported,
      {values.json().find(key)->dump(), " is not supported; only \"", usual, "\" is"});
}

Result<void> read_skipped(const FileValues& values, const char* key, const TokenizerData& tokenizer,
                          LateInteraction& late) {
  const Json* words = values.json().find(key);
  if (words == nullptr || words->is_null()) {
    add_punctuation(tokenizer, late);
    return {};
  }
  const auto is_text = [](const Json& word) { return word.is_string(); };
  if (!words->is_array() || !std::ranges::all_of(words->items(), is_text)) {
    return values.fail(key, ErrorCode::BadValue, "expected a list of texts");
  }
  for (const Json& word : words->items()) add_skipped(word.string(), tokenizer, late);
  return {};
}

}  // namespace

bool is_colbert(const FileValues& values) {
  const Json* names = values.json().find("architectures");
  return names != nullptr && names->is_array() && !names->items().empty() &&
         names->items()[0].is_string() && names->items()[0].string() == "HF_ColBERT";
}

Result<void> read_colbert(const SideFiles& files, const TokenizerData& tokenizer,
                          model::EncoderConfig& config) {
  AMBRY_TRY(const Json json, require_json_file(files, kArtifact));
  const FileValues values(kArtifact, json);
  AMBRY_RETURN_IF_ERROR(check_text(values, "similarity", "cosine"));
  AMBRY_RETURN_IF_ERROR(check_text(values, "interaction", "colbert"));
  LateInteraction late;
  late.document_length = 220;
  uint32_t dim = 128;
  bool skips_punctuation = true;
  AMBRY_RETURN_IF_ERROR(values.read({{"dim", dim},
                                     {"query_maxlen", late.query_length},
                                     {"doc_maxlen", late.document_length},
                                     {"attend_to_mask_tokens", late.attend_to_expansion},
                                     {"mask_punctuation", skips_punctuation}}));
  if (dim == 0) return values.fail("dim", ErrorCode::BadValue, "must be at least 1");
  AMBRY_TRY(late.query_marker, read_marker(values, "query_token_id", "[unused0]", tokenizer));
  AMBRY_TRY(late.document_marker, read_marker(values, "doc_token_id", "[unused1]", tokenizer));
  AMBRY_TRY(late.expansion, expansion_of(values, "query_maxlen", tokenizer));
  if (skips_punctuation) {
    // With a tokenizer of another kind, ColBERT takes the first token of each character, which may
    // be a mark of a word's start.
    if (tokenizer.kind != model::TokenizerKind::WordPiece) {
      return values.fail("mask_punctuation", ErrorCode::Unsupported,
                         "punctuation can be left out only with a WordPiece tokenizer");
    }
    add_punctuation(tokenizer, late);
  }
  // Padding that a document spells out counts as padding.
  if (tokenizer.pad_id) late.skipped.push_back(*tokenizer.pad_id);
  config.dense = {{config.hidden_size, dim, false, model::DenseActivation::Identity}};
  config.late = std::move(late);
  return {};
}

Result<void> read_pylate(const SideFiles& files, const TokenizerData& tokenizer,
                         model::EncoderConfig& config) {
  const std::string name = "config_sentence_transformers.json";
  AMBRY_TRY(const auto stated, read_json_file(files, name));
  const Json json = stated ? *stated : Json::object();
  const FileValues values(name, json);
  AMBRY_RETURN_IF_ERROR(check_text(values, "model_type", "ColBERT"));
  AMBRY_RETURN_IF_ERROR(check_text(values, "similarity_fn_name", "MaxSim"));
  LateInteraction late;
  bool expands = true;
  AMBRY_RETURN_IF_ERROR(values.read({{"query_length", late.query_length},
                                     {"document_length", late.document_length},
                                     {"attend_to_expansion_tokens", late.attend_to_expansion},
                                     {"do_query_expansion", expands}}));
  AMBRY_TRY(late.query_marker, read_marker(values, "query_prefix", "[Q] ", tokenizer));
  AMBRY_TRY(late.document_marker, read_marker(values, "document_prefix", "[D] ", tokenizer));
  if (expands) {
    AMBRY_TRY(late.expansion, expansion_of(values, "do_query_expansion", tokenizer));
  } else {
    late.attend_to_expansion = false;
  }
  AMBRY_RETURN_IF_ERROR(read_skipped(values, "skiplist_words", tokenizer, late));
  config.late = std::move(late);
  return {};
}

}  // namespace ambry::formats::huggingface
