#include "formats/huggingface/tokenizer/tokenizer_files.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "formats/huggingface/tokenizer/special_names.h"
#include "io/json/json.h"
#include "io/limits.h"
#include "model/metadata/metadata_value.h"
#include "model/tokenizer/files/model_type.h"
#include "model/tokenizer/post_processor_json.h"
#include "model/tokenizer/tokenizer_metadata.h"

namespace ambry::formats::huggingface {
namespace {

using io::Json;
using model::TokenizerData;

Failure value_error(const Json& value, const Text& path, ErrorCode code, const Text& message) {
  return error_at(code, value.byte_offset(), path, message);
}

// The `type` of a component must be one of `known`.
Result<void> require_type(const Json& root, std::string_view component,
                          std::initializer_list<std::string_view> known) {
  const std::string path = concat({"tokenizer.json.", component});
  const Json* value = root.find(component);
  if (value == nullptr || value->is_null()) {
    return error_at(ErrorCode::Unsupported, root.byte_offset(), path,
                    {"a tokenizer without ", component, " is not supported"});
  }
  const auto type = model::metadata_text(*value, "type");
  if (type && std::ranges::find(known, *type) != known.end()) return {};
  return value_error(
      *value, path, ErrorCode::Unsupported,
      {type ? "the type " : "a component without a type", type.value_or(""), " is not supported"});
}

Result<void> require_wordpiece(const Json& root) {
  const std::string_view type = model::tokenizer_model_type(root);
  if (type == "WordPiece") return {};
  if (type.empty()) return require_type(root, "model", {});
  return value_error(*root.find("model"), "tokenizer.json.model", ErrorCode::Unsupported,
                     {"the type ", type, " is not supported"});
}

Result<void> read_normalizer(const Json& root, TokenizerData& tokenizer) {
  AMBRY_RETURN_IF_ERROR(require_type(root, "normalizer", {"BertNormalizer"}));
  const Json& normalizer = *root.find("normalizer");
  return model::read_values(normalizer, {{"clean_text", tokenizer.clean_text},
                                         {"handle_chinese_chars", tokenizer.handle_chinese_chars},
                                         {"strip_accents", tokenizer.strip_accents},
                                         {"lowercase", tokenizer.lowercase}});
}

// Stores the texts of `model.vocab` and of added tokens by id. Each id below the largest must
// exist, because the embedding has a row for it.
class IdTable {
 public:
  Result<void> add(const std::string& text, uint64_t id, const Json& place, const Text& path) {
    // Each id takes at least four bytes in the file, so an id that is too large is an error at
    // once.
    if (id > limit_) {
      return value_error(place, path, ErrorCode::BadValue,
                         {"the id ", id, " leaves holes below it"});
    }
    const auto at = static_cast<size_t>(id);
    if (at >= texts_.size()) texts_.resize(at + 1);
    if (texts_[at] != nullptr) {
      if (*texts_[at] == text) return {};
      return value_error(place, path, ErrorCode::BadValue,
                         {"the id ", id, " belongs to another token already"});
    }
    texts_[at] = &text;
    return {};
  }
  void set_limit(uint64_t limit) { limit_ = limit; }

  Result<model::Vocabulary> build() const {
    model::Vocabulary vocabulary;
    for (size_t id = 0; id < texts_.size(); ++id) {
      if (texts_[id] == nullptr) {
        return make_error(ErrorCode::BadValue, "tokenizer.json.model.vocab",
                          {"no token has the id ", id});
      }
      vocabulary.push_back(*texts_[id]);
    }
    return vocabulary;
  }

 private:
  std::vector<const std::string*> texts_;
  uint64_t limit_ = 0;
};

Result<void> read_vocabulary(const Json& root, TokenizerData& tokenizer) {
  const Json& wordpiece = *root.find("model");
  const Json* vocab = wordpiece.find("vocab");
  if (vocab == nullptr || !vocab->is_object()) {
    return value_error(wordpiece, "tokenizer.json.model.vocab", ErrorCode::BadValue,
                       "an object of tokens and ids is missing");
  }
  if (const Json* added = root.find("added_tokens"); added != nullptr) {
    AMBRY_TRY(tokenizer.added_tokens,
              model::added_tokens_from_json(*added, "tokenizer.json.added_tokens"));
  }
  IdTable table;
  table.set_limit(vocab->members().size() + tokenizer.added_tokens.size());
  for (const auto& [text, id] : vocab->members()) {
    if (!id.is_uint()) {
      return value_error(id, {"tokenizer.json.model.vocab.", text}, ErrorCode::BadValue,
                         "not an id");
    }
    AMBRY_RETURN_IF_ERROR(table.add(text, id.uint(), id, {"tokenizer.json.model.vocab.", text}));
  }
  for (const model::AddedToken& token : tokenizer.added_tokens) {
    AMBRY_RETURN_IF_ERROR(table.add(token.content, token.id, root, "tokenizer.json.added_tokens"));
  }
  AMBRY_TRY(tokenizer.vocabulary, table.build());
  return {};
}

Result<void> read_wordpiece(const Json& root, TokenizerData& tokenizer) {
  const Json& wordpiece = *root.find("model");
  AMBRY_RETURN_IF_ERROR(read_vocabulary(root, tokenizer));
  tokenizer.lists_added_tokens = true;
  return model::read_values(wordpiece,
                            {{"continuing_subword_prefix", tokenizer.continuing_subword_prefix},
                             {"max_input_chars_per_word", tokenizer.max_input_chars_per_word}});
}

// The ids of a template like BERT's become [CLS] and [SEP]. The tokenizer keeps any other one.
Result<void> read_ends(const Json& root, TokenizerData& tokenizer) {
  AMBRY_TRY(model::PostProcessor post, model::read_post_processor(root));
  const auto ends = model::text_ends(post);
  const bool both = ends && ends->before && ends->after;
  const auto bert = both ? model::bert_post_processor(*ends->before, *ends->after) : post;
  if (both && (post.pair.empty() || post == bert)) {
    tokenizer.cls_id = ends->before;
    tokenizer.sep_id = ends->after;
    return {};
  }
  if (post.pair.empty()) {
    return value_error(*root.find("post_processor"), "tokenizer.json.post_processor.pair",
                       ErrorCode::BadValue, "the template for pairs is missing");
  }
  tokenizer.post_processor = std::move(post);
  return {};
}

}  // namespace

Result<TokenizerData> read_wordpiece_json(const Json& root) {
  if (!root.is_object()) {
    return error_at(ErrorCode::BadValue, root.byte_offset(), "tokenizer.json", "not an object");
  }
  TokenizerData tokenizer;
  AMBRY_RETURN_IF_ERROR(require_wordpiece(root));
  AMBRY_RETURN_IF_ERROR(read_normalizer(root, tokenizer));
  AMBRY_RETURN_IF_ERROR(require_type(root, "pre_tokenizer", {"BertPreTokenizer"}));
  AMBRY_RETURN_IF_ERROR(read_wordpiece(root, tokenizer));
  if (const auto unk = model::metadata_text(*root.find("model"), "unk_token")) {
    tokenizer.unk_id = find_token(tokenizer, {}, *unk);
  }
  model::find_special_tokens(tokenizer);
  return tokenizer;
}

Result<TokenizerData> parse_vocab_txt(std::string_view text) {
  if (text.size() > io::kMaxVocabularyBytes) {
    return error_at(ErrorCode::LimitExceeded, 0, "vocab.txt", "larger than 64 MiB");
  }
  if (const auto bad = find_invalid_utf8(text)) {
    return error_at(ErrorCode::BadValue, *bad, "vocab.txt", "not valid UTF-8");
  }
  if (text.empty()) return error_at(ErrorCode::Truncated, 0, "vocab.txt", "the file is empty");
  TokenizerData tokenizer;
  tokenizer.lowercase_assumed = true;
  const auto n_lines = static_cast<size_t>(std::ranges::count(text, '\n')) + 1;
  tokenizer.vocabulary.reserve(n_lines, text.size());
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    line = line.substr(0, line.find_last_not_of(" \t\r\v\f") + 1);
    tokenizer.vocabulary.push_back(line);
    at = end + 1;
  }
  model::find_special_tokens(tokenizer);
  tokenizer.added_tokens = model::special_added_tokens(tokenizer);
  return tokenizer;
}

Result<TokenizerData> parse_tokenizer_json(std::string_view text) {
  AMBRY_TRY(const Json root, io::parse_json(text, 0, "tokenizer.json"));
  AMBRY_TRY(TokenizerData tokenizer, read_wordpiece_json(root));
  AMBRY_RETURN_IF_ERROR(read_ends(root, tokenizer));
  return tokenizer;
}

}  // namespace ambry::formats::huggingface
