#include "convert/gguf/gguf_tokenizer_options.h"

#include <algorithm>
#include <array>
#include <utility>

#include "convert/decoder/sentencepiece_file.h"
#include "convert/tensor/target_dtype.h"
#include "formats/gguf/metadata/gguf_templates.h"
#include "formats/gguf/metadata/gguf_tokenizer.h"
#include "formats/gguf/metadata/pre_tokenizers.h"
#include "formats/gguf/metadata/space_rules.h"
#include "formats/gguf/metadata/tokenizer_keys.h"
#include "model/metadata/metadata_value.h"
#include "model/tokenizer/chat_templates.h"
#include "model/tokenizer/end_tokens.h"
#include "model/tokenizer/files/sentencepiece_model.h"
#include "model/tokenizer/tokenizer_metadata.h"
#include "model/tokenizer/tokenizer_options.h"

namespace ambry::convert {
namespace {

using io::Json;
using model::TokenizerData;
using model::TokenizerKind;

using formats::gguf::kPreKey;
using formats::gguf::kPreTokenizers;
using formats::gguf::PreTokenizer;

// The types of tokens in SentencePiece's numbering.
constexpr uint8_t kNormal = 1;
constexpr uint8_t kControl = 3;
constexpr uint8_t kUserDefined = 4;
constexpr uint8_t kUnused = 5;
constexpr uint8_t kByte = 6;

// The score that converters give to tokens added to a SentencePiece model.
constexpr float kAddedScore = -1000.0F;

// Settings that both formats have.
struct SharedKey {
  std::string_view gguf;
  std::string_view amb;
};
constexpr std::string_view kAddBosKey = "tokenizer.ggml.add_bos_token";
constexpr std::string_view kAddEosKey = "tokenizer.ggml.add_eos_token";
constexpr std::array<SharedKey, 3> kSharedKeys = {
    {{kAddBosKey, "add_bos"},
     {kAddEosKey, "add_eos"},
     {"tokenizer.ggml.add_space_prefix", "add_prefix_space"}}};

constexpr std::string_view kSpacePrefixKey = "tokenizer.ggml.add_space_prefix";
constexpr std::string_view kExtraSpacesKey = "tokenizer.ggml.remove_extra_whitespaces";

bool is_sentencepiece(TokenizerKind kind) {
  return kind == TokenizerKind::SentencePieceBpe || kind == TokenizerKind::SentencePieceUnigram;
}

std::string model_file(const TokenizerData& tokenizer) {
  model::SentencePieceModel file;
  file.pieces = tokenizer.vocabulary;
  file.scores = tokenizer.scores;
  file.types = tokenizer.types;
  file.scores.resize(file.pieces.size());
  file.types.resize(file.pieces.size(), kNormal);
  const bool bpe = tokenizer.kind == TokenizerKind::SentencePieceBpe;
  file.type = bpe ? model::SentencePieceModel::Type::Bpe : model::SentencePieceModel::Type::Unigram;
  file.byte_fallback = std::ranges::find(file.types, kByte) != file.types.end();
  file.unk_id = tokenizer.unk_id;
  file.bos_id = tokenizer.bos_id;
  file.eos_id = tokenizer.eos_id;
  file.pad_id = tokenizer.pad_id;
  file.normalizer = tokenizer.charsmap.empty() ? "identity" : "user_defined";
  file.charsmap = tokenizer.charsmap;
  file.add_dummy_prefix = tokenizer.add_prefix_space.value_or(true);
  file.remove_extra_whitespaces = tokenizer.remove_extra_whitespaces.value_or(false);
  return model::write_sentencepiece_model(file);
}

// AMB's name of the pre-tokenizer.
Result<std::string_view> pre_tokenizer(const model::Model& gguf, const Options& options,
                                       std::vector<Error>& warnings) {
  const std::string& stated = gguf.tokenizer->pretokenizer;
  const auto* known =
      std::ranges::find(kPreTokenizers, std::string_view(stated), &PreTokenizer::rule);
  if (known != kPreTokenizers.end()) return known->rule;
  AMBRY_RETURN_IF_ERROR(
      lose(options, warnings,
           model::metadata_error(gguf.metadata, kPreKey, ErrorCode::Unsupported,
                                 {"the pre-tokenizer \"", stated, "\" is not supported"})));
  return kPreTokenizers.front().rule;
}

// The path of a setting that GGUF's byte-level BPE does not have; empty when there is none. The
// name of the pre-tokenizer decides what its readers do.
std::string_view setting_without_key(const TokenizerData& tokenizer, const PreTokenizer& pre) {
  TokenizerData read;
  read.pretokenizer = pre.rule;
  if (pre.as_is) read.normalizer.emplace();
  if (model::text_changes_of(tokenizer) != model::text_changes_of(read))
    return "tokenizer.normalizer";
  // Where merges make every token, as in vocabularies that state nothing, this changes no ids.
  if (tokenizer.ignore_merges && !pre.ignore_merges) return "tokenizer.ignore_merges";
  if (!tokenizer.end_of_word_suffix.empty()) return "tokenizer.end_of_word_suffix";
  if (tokenizer.byte_fallback.value_or(false)) return "tokenizer.byte_fallback";
  return {};
}

Result<void> put_pre_tokenizer(std::string_view stated, const TokenizerData& tokenizer,
                               const Options& options, Json& metadata,
                               std::vector<Error>& warnings) {
  const auto* known = std::ranges::find_if(kPreTokenizers, [&](const PreTokenizer& row) {
    return row.rule == stated && setting_without_key(tokenizer, row).empty();
  });
  // The first name of the rule loses the setting.
  if (known == kPreTokenizers.end()) {
    known = std::ranges::find(kPreTokenizers, std::string_view(stated), &PreTokenizer::rule);
  }
  if (known == kPreTokenizers.end()) {
    return lose(options, warnings,
                make_error(ErrorCode::Unsupported, "tokenizer.pretokenizer",
                           {"GGUF has no name for the pre-tokenizer \"", stated, "\""}));
  }
  metadata.set(kPreKey, known->name);
  if (known->add_bos && !tokenizer.add_bos) metadata.set("tokenizer.ggml.add_bos_token", false);
  const std::string_view lost = setting_without_key(tokenizer, *known);
  if (lost.empty()) return {};
  return lose(
      options, warnings,
      make_error(ErrorCode::Unsupported, lost,
                 {"GGUF has no key for this; its tokenizer would do as the pre-tokenizer \"",
                  known->name, "\" does"}));
}

}  // namespace

bool is_tokenizer_key(std::string_view key) {
  constexpr std::array<std::string_view, 11> kOthers = {kPreKey,
                                                        formats::gguf::kCharsmapKey,
                                                        kExtraSpacesKey,
                                                        "tokenizer.ggml.model",
                                                        "tokenizer.ggml.tokens",
                                                        "tokenizer.ggml.scores",
                                                        "tokenizer.ggml.token_type",
                                                        "tokenizer.ggml.merges",
                                                        "tokenizer.huggingface.json",
                                                        "tokenizer.ggml.token_type_count",
                                                        "tokenizer.ggml.add_sep_token"};
  return std::ranges::find(kOthers, key) != kOthers.end() ||
         std::ranges::find(kSharedKeys, key, &SharedKey::gguf) != kSharedKeys.end() ||
         formats::gguf::is_token_id_key(key) || formats::gguf::is_template_key(key);
}

Result<GgufTokenizer> tokenizer_from_gguf(const model::Model& gguf, const Options& options,
                                          std::vector<Error>& warnings) {
  AMBRY_RETURN_IF_ERROR(formats::gguf::require_merges(gguf));
  GgufTokenizer made;
  made.tokenizer = *gguf.tokenizer;
  made.options = Json::object();
  TokenizerData& tokenizer = made.tokenizer;
  for (const SharedKey& key : kSharedKeys) {
    if (const Json* value = gguf.metadata.find(key.gguf)) made.options.set(key.amb, *value);
  }
  AMBRY_TRY(const auto templates, formats::gguf::read_template_keys(gguf.metadata, warnings));
  model::put_chat_templates(templates, made.options);
  if (tokenizer.kind == TokenizerKind::Bpe) {
    AMBRY_TRY(const std::string_view pre, pre_tokenizer(gguf, options, warnings));
    made.options.set("pretokenizer", pre);
    if (tokenizer.normalizer) made.options.set("normalizer", "none");
    if (tokenizer.ignore_merges) made.options.set("ignore_merges", true);
    if (tokenizer.add_bos) made.options.set("add_bos", *tokenizer.add_bos);
  }
  model::put_end_ids(tokenizer, made.options);
  // A tokenizer.json next to the tokens repeats the same data.
  tokenizer.payload.clear();
  if (is_sentencepiece(tokenizer.kind)) tokenizer.payload = model_file(tokenizer);
  if (tokenizer.kind != TokenizerKind::WordPiece && !tokenizer.added_tokens.empty()) {
    made.options.set("added_tokens", model::added_tokens_to_json(tokenizer.added_tokens));
  }
  return made;
}

namespace {

// The tokens in the order of their ids, with types. Missing ids are filled in as converters do.
Result<TokenizerData> in_order(const TokenizerData& from, uint64_t n_vocab) {
  const size_t n_added = from.added_tokens.size();
  uint64_t count = std::max<uint64_t>(n_vocab, from.vocabulary.size());
  for (const model::AddedToken& token : from.added_tokens) {
    count = std::max<uint64_t>(count, uint64_t{token.id} + 1);
  }
  for (const uint32_t id : from.ids) count = std::max<uint64_t>(count, uint64_t{id} + 1);
  if (count > from.vocabulary.size() + n_added + (uint64_t{1} << 20)) {
    return make_error(ErrorCode::LimitExceeded, "tokenizer",
                      {count, " ids are too many for the number of tokens"});
  }
  constexpr uint32_t kNone = UINT32_MAX;
  std::vector<uint32_t> position(static_cast<size_t>(count), kNone);
  std::vector<const model::AddedToken*> added(position.size(), nullptr);
  for (size_t i = 0; i < from.vocabulary.size(); ++i) {
    position[from.ids.empty() ? i : from.ids[i]] = static_cast<uint32_t>(i);
  }
  for (const model::AddedToken& token : from.added_tokens) added[token.id] = &token;

  TokenizerData to = from;
  to.ids.clear();
  to.vocabulary = {};
  to.scores.clear();
  to.types.clear();
  to.payload.clear();
  to.added_tokens.clear();
  const bool scored = !from.scores.empty();
  for (size_t id = 0; id < position.size(); ++id) {
    const uint32_t at = position[id];
    uint8_t type = at == kNone || from.types.empty() ? kNormal : from.types[at];
    if (added[id] != nullptr && (at == kNone || type == kNormal)) {
      type = added[id]->special ? kControl : kUserDefined;
    }
    if (at != kNone) {
      to.vocabulary.push_back(from.vocabulary[at]);
    } else if (added[id] != nullptr) {
      to.vocabulary.push_back(added[id]->content);
    } else {
      to.vocabulary.push_back(concat({"[PAD", id, "]"}));
      type = kUnused;
    }
    // Readers of GGUF take these for control tokens, and warn of another type.
    const bool is_end =
        from.kind != TokenizerKind::WordPiece && model::is_end_of_any_type(to.vocabulary[id]);
    if (type == kNormal && is_end) type = kControl;
    if (scored) to.scores.push_back(at == kNone ? kAddedScore : from.scores[at]);
    to.types.push_back(type);
  }
  to.n_tokens = to.vocabulary.size();
  return to;
}

// The tokens around a text.
Result<model::TextEnds> ends_of(const TokenizerData& tokenizer, const Options& options,
                                std::vector<Error>& warnings) {
  const bool words = tokenizer.kind == TokenizerKind::WordPiece;
  model::TextEnds usual;
  if (words || tokenizer.add_bos.value_or(tokenizer.kind == TokenizerKind::SentencePieceBpe)) {
    usual.before = words ? tokenizer.cls_id : tokenizer.bos_id;
  }
  if (words || tokenizer.add_eos.value_or(false)) {
    usual.after = words ? tokenizer.sep_id : tokenizer.eos_id;
  }
  if (!tokenizer.post_processor) return usual;
  const auto ends = model::text_ends(*tokenizer.post_processor);
  if (ends && (!words || (ends->before == usual.before && ends->after == usual.after))) {
    return *ends;
  }
  AMBRY_RETURN_IF_ERROR(lose(
      options, warnings,
      make_error(ErrorCode::Unsupported, "tokenizer.post_processor",
                 words
                     ? "GGUF's WordPiece puts [CLS] before each text and [SEP] after it, and "
                       "nothing else"
                     : "GGUF's tokenizers add at most one token before a text and one after it")));
  return usual;
}

// What is added before and after a text. llama.cpp adds one token at most on each side, which are
// BOS and EOS. As in its converter, another token that ends texts becomes EOS.
Result<void> put_text_ends(const TokenizerData& tokenizer, const Options& options,
                           model::Model& target, std::vector<Error>& warnings) {
  AMBRY_TRY(const model::TextEnds ends, ends_of(tokenizer, options, warnings));
  TokenizerData& made = *target.tokenizer;
  made.post_processor.reset();
  if (ends.before) made.bos_id = ends.before;
  if (ends.after) made.eos_id = ends.after;
  if (tokenizer.kind == TokenizerKind::WordPiece) return {};
  target.metadata.set(kAddBosKey, ends.before.has_value());
  target.metadata.set(kAddEosKey, ends.after.has_value());
  return {};
}

// Warns of settings of added tokens that llama.cpp does not apply to them.
void warn_of_lost_rules(const TokenizerData& tokenizer, const model::Model& target,
                        std::vector<Error>& warnings) {
  const bool changes =
      tokenizer.kind == TokenizerKind::Bpe && !model::text_changes_of(tokenizer).empty();
  const model::AddedToken* first = nullptr;
  size_t n_lost = 0;
  for (const model::AddedToken& token : tokenizer.added_tokens) {
    std::vector<model::AddedToken> read(1);
    read[0].content = token.content;
    formats::gguf::set_space_rules(target.metadata, read);
    const bool kept = token.lstrip == read[0].lstrip && token.rstrip == read[0].rstrip &&
                      !token.single_word && !(token.normalized && changes);
    if (!kept && n_lost++ == 0) first = &token;
  }
  if (first == nullptr) return;
  warnings.push_back(make_error(
      ErrorCode::Unsupported, "tokenizer.added_tokens",
      {"GGUF cannot say which spaces belong to ", first->content,
       n_lost > 1 ? concat({" and ", n_lost - 1, " other added tokens"}) : "",
       ", and whether they are words by themselves, so some texts with them get other ids"}));
}

// llama.cpp puts the space of `add_space_prefix` before the text after each special token.
void warn_of_lost_prefix(const TokenizerData& tokenizer, bool prefix,
                         std::vector<Error>& warnings) {
  if (!prefix || tokenizer.legacy.value_or(true)) return;
  warnings.push_back(make_error(
      ErrorCode::Unsupported, "tokenizer.legacy",
      "GGUF's tokenizer adds a space after each special token, and this one only at the start, so "
      "texts with special tokens inside get other ids"));
}

Result<void> put_model_file_facts(const TokenizerData& tokenizer, const Options& options,
                                  Json& metadata, std::vector<Error>& warnings) {
  if (tokenizer.payload.empty()) return {};
  AMBRY_TRY(const auto file,
            model::parse_sentencepiece_model(as_bytes(tokenizer.payload), 0, "tokenizer"));
  metadata.set(kSpacePrefixKey, file.add_dummy_prefix);
  metadata.set(kExtraSpacesKey, file.remove_extra_whitespaces);
  warn_of_lost_prefix(tokenizer, tokenizer.add_prefix_space.value_or(file.add_dummy_prefix),
                      warnings);
  if (file.charsmap.empty()) return {};
  return lose(options, warnings,
              make_error(ErrorCode::Unsupported, "tokenizer",
                         {"GGUF cannot store the normalization \"", file.normalizer, "\""}));
}

// GGUF has keys for the ends of a text, a turn and a message. Ends known by their text need no key,
// so the others come first.
Result<void> put_answer_ends(const std::vector<uint32_t>& stated, const Options& options,
                             model::Model& target, std::vector<Error>& warnings) {
  const TokenizerData& tokenizer = *target.tokenizer;
  const std::vector<uint32_t> known = model::ends_by_text(tokenizer, {});
  std::vector<uint32_t> ends;
  std::vector<uint32_t> known_ends;
  for (const uint32_t id : stated) {
    if (id == tokenizer.eos_id) continue;
    (std::ranges::count(known, id) == 0 ? ends : known_ends).push_back(id);
  }
  const size_t n_unknown = ends.size();
  ends.insert(ends.end(), known_ends.begin(), known_ends.end());
  constexpr std::array<std::string_view, 2> kKeys = {"tokenizer.ggml.eot_token_id",
                                                     "tokenizer.ggml.eom_token_id"};
  for (size_t i = 0; i < std::min(kKeys.size(), ends.size()); ++i)
    target.metadata.set(kKeys[i], ends[i]);
  if (n_unknown <= kKeys.size()) return {};
  return lose(options, warnings,
              make_error(ErrorCode::Unsupported, "tokenizer.eos_id",
                         {"GGUF has keys for 3 ends of an answer, but there are ", n_unknown + 1}));
}

}  // namespace

Result<void> tokenizer_to_gguf(const TokenizerData& tokenizer, const Json& facts, uint64_t n_vocab,
                               const Options& options, model::Model& target,
                               std::vector<Error>& warnings) {
  Json& metadata = target.metadata;
  if (tokenizer.kind == TokenizerKind::Custom || tokenizer.kind == TokenizerKind::Words ||
      tokenizer.kind == TokenizerKind::Unigram) {
    return lose(
        options, warnings,
        make_error(ErrorCode::Unsupported, "tokenizer",
                   {"GGUF has no tokenizer of the kind ", tokenizer_kind_name(tokenizer.kind)}));
  }
  TokenizerData scored = tokenizer;
  if (tokenizer.kind == TokenizerKind::SentencePieceBpe && tokenizer.scores.empty()) {
    AMBRY_RETURN_IF_ERROR(add_sentencepiece_file(scored));
  }
  AMBRY_TRY(target.tokenizer, in_order(scored, n_vocab));
  if (tokenizer.kind == TokenizerKind::WordPiece) {
    metadata.set("tokenizer.ggml.token_type_count", 2);
    if (!tokenizer.lowercase) {
      AMBRY_RETURN_IF_ERROR(lose(options, warnings,
                                 make_error(ErrorCode::Unsupported, "tokenizer.lowercase",
                                            "GGUF's WordPiece always lower-cases the text")));
    }
  }
  if (tokenizer.kind == TokenizerKind::Bpe) {
    const auto stated = model::metadata_text(facts, "pretokenizer").value_or("gpt2");
    AMBRY_RETURN_IF_ERROR(put_pre_tokenizer(stated, tokenizer, options, metadata, warnings));
  }
  if (is_sentencepiece(tokenizer.kind)) {
    AMBRY_RETURN_IF_ERROR(put_model_file_facts(scored, options, metadata, warnings));
  }
  for (const SharedKey& key : kSharedKeys) {
    if (model::has_value(facts, key.amb)) metadata.set(key.gguf, *facts.find(key.amb));
  }
  warn_of_lost_rules(tokenizer, target, warnings);
  AMBRY_RETURN_IF_ERROR(put_text_ends(tokenizer, options, target, warnings));
  AMBRY_RETURN_IF_ERROR(put_answer_ends(model::stated_ends(tokenizer), options, target, warnings));
  AMBRY_TRY(const auto templates, model::read_chat_templates(facts, "config.tokenizer"));
  formats::gguf::put_template_keys(templates, metadata);
  return {};
}

}  // namespace ambry::convert
