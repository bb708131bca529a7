#include "formats/gguf/metadata/gguf_tokenizer.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/utf8.h"
#include "formats/gguf/metadata/gguf_layout.h"
#include "formats/gguf/metadata/pre_tokenizers.h"
#include "formats/gguf/metadata/space_rules.h"
#include "formats/gguf/metadata/tokenizer_keys.h"
#include "io/limits.h"
#include "model/metadata/metadata_value.h"
#include "model/tokenizer/end_tokens.h"

namespace ambry::formats::gguf {
namespace {

using model::TokenizerKind;

// Bytes that usually follow a token's text: score and type, and the merges of byte-level BPE. Large
// vocabularies have twice as many merges as tokens.
constexpr uint64_t kUsualFacts = 8;
constexpr uint64_t kUsualMerges = 40;

// The name that may stand for pieces with merges. Empty for tokenizers of other models.
std::string_view pieces_name(const model::Model& model) {
  const auto kind = model::metadata_text(model.metadata, kTokenizerModelKey).value_or("");
  if (kind == kGemma4) return kGemma4;
  return kind == "gpt2" ? model::metadata_text(model.metadata, kPreKey).value_or("") : "";
}

TokenizerKind kind_of(std::string_view name) {
  const auto* known =
      std::ranges::find(kTokenizerModels, name, [](const auto& row) { return row.first; });
  return known == kTokenizerModels.end() ? TokenizerKind::Custom : known->second;
}

}  // namespace

Result<bool> TokenizerReader::take(std::string_view key, ValueType type, uint64_t read_ahead) {
  if (key == kTokenizerJsonKey && type == ValueType::String) return take_text();
  if (key == kCharsmapKey) AMBRY_RETURN_IF_ERROR(read_charsmap(type));
  using Take = Result<void> (TokenizerReader::*)(const ValueReader::Array&);
  const Take reading = key == kTokensKey       ? &TokenizerReader::take_tokens
                       : key == kMergesKey     ? &TokenizerReader::take_merges
                       : key == kScoresKey     ? &TokenizerReader::take_scores
                       : key == kTokenTypesKey ? &TokenizerReader::take_types
                                               : nullptr;
  if (reading == nullptr || type != ValueType::Array) return false;
  const uint64_t start = reader_.position();
  AMBRY_TRY(const ValueReader::Array array, values_.read_array_head());
  const bool texts = key == kTokensKey || key == kMergesKey;
  const bool fits = texts ? array.type == ValueType::String
                    : key == kScoresKey
                        ? array.type == ValueType::F32
                        : array.type == ValueType::I32 || array.type == ValueType::U32;
  if (!fits) {
    diagnostics_.error(reader_.fail(ErrorCode::BadValue, start, "element_type",
                                    {"an array of ", facts_of(array.type).name}));
    reader_.seek(start);
    return false;
  }
  found_ = true;
  summary_ = ValueReader::summary_of(array);
  if (key == kTokensKey) {
    values_.set_read_ahead(read_ahead + array.length * (kUsualFacts + kUsualMerges));
  }
  AMBRY_RETURN_IF_ERROR((this->*reading)(array));
  values_.set_read_ahead(read_ahead);
  return true;
}

// The bytes of SentencePiece's normalization. They also stay in the metadata.
Result<void> TokenizerReader::read_charsmap(ValueType type) {
  if (type != ValueType::Array || !options_.vocabulary) return {};
  const uint64_t start = reader_.position();
  AMBRY_TRY(const ValueReader::Array array, values_.read_array_head());
  if (array.type == ValueType::U8 || array.type == ValueType::I8) {
    AMBRY_TRY(const Bytes bytes, reader_.read_bytes(array.length, "value"));
    data_.charsmap = as_text(bytes);
  }
  reader_.seek(start);
  return {};
}

// The tokenizer.json inside the file.
Result<bool> TokenizerReader::take_text() {
  AMBRY_TRY(const auto length, reader_.read<uint64_t>("value"));
  summary_ = io::Json::object();
  summary_.append_member("bytes", length);
  if (options_.vocabulary) {
    AMBRY_TRY(const Bytes bytes, reader_.read_bytes(length, "value"));
    data_.payload = as_text(bytes);
  } else {
    AMBRY_RETURN_IF_ERROR(reader_.skip(length, "value"));
  }
  found_ = true;
  return true;
}

Result<TokenizerReader::Texts> TokenizerReader::read_texts(const ValueReader::Array& array) {
  const uint64_t start = reader_.position();
  AMBRY_RETURN_IF_ERROR(values_.skip_elements(array));
  const uint64_t size = reader_.position() - start;
  if (size > io::kMaxVocabularyBytes) {
    return reader_.fail(ErrorCode::LimitExceeded, array.at, "value",
                        {size, " bytes, at most ", io::kMaxVocabularyBytes});
  }
  if (!options_.vocabulary) return Texts{};
  AMBRY_TRY(const Bytes bytes, source_.view(start, size, "metadata"));
  return Texts{bytes, start, array.length};
}

// Visits the texts of an array whose lengths were checked before.
template <class Each>
Result<void> each_text(Bytes bytes, Each each) {
  for (size_t at = 0; at < bytes.size();) {
    const auto length = static_cast<size_t>(load_le<uint64_t>(bytes.data() + at));
    at += sizeof(uint64_t);
    AMBRY_RETURN_IF_ERROR(each(as_text(bytes.subspan(at, length)), at));
    at += length;
  }
  return {};
}

Result<void> TokenizerReader::take_tokens(const ValueReader::Array& array) {
  data_.n_tokens = array.length;
  data_.vocabulary = {};
  AMBRY_TRY(const Texts texts, read_texts(array));
  data_.vocabulary.reserve(static_cast<size_t>(texts.count),
                           static_cast<size_t>(texts.text_bytes()));
  uint64_t n_bad = 0;
  uint64_t first_bad = 0;
  AMBRY_RETURN_IF_ERROR(
      each_text(texts.bytes, [&](std::string_view token, size_t at) -> Result<void> {
        if (find_invalid_utf8(token) && n_bad++ == 0) first_bad = texts.at + at;
        data_.vocabulary.push_back(token);
        return {};
      }));
  if (n_bad > 0) {
    diagnostics_.tolerate(reader_.fail(ErrorCode::BadValue, first_bad, "value",
                                       {n_bad, " tokens are not valid UTF-8; here is the first"}));
  }
  return {};
}

// "left right", as in merges.txt. A part may start with a space.
Result<void> TokenizerReader::take_merges(const ValueReader::Array& array) {
  data_.merges = {};
  AMBRY_TRY(const Texts texts, read_texts(array));
  data_.merges.reserve(2 * static_cast<size_t>(texts.count),
                       static_cast<size_t>(texts.text_bytes()));
  return each_text(texts.bytes, [&](std::string_view merge, size_t at) -> Result<void> {
    const size_t space = merge.find(' ', 1);
    if (space == std::string_view::npos || space + 1 == merge.size()) {
      return reader_.fail(ErrorCode::BadValue, texts.at + at - sizeof(uint64_t), "value",
                          {"the merge \"", merge, "\" has no two parts"});
    }
    data_.merges.push_back(merge.substr(0, space));
    data_.merges.push_back(merge.substr(space + 1));
    return {};
  });
}

Result<void> TokenizerReader::take_scores(const ValueReader::Array& array) {
  scores_ = array;
  data_.scores.clear();
  if (!options_.vocabulary) return values_.skip_elements(array);
  AMBRY_TRY(const Bytes bytes, reader_.read_bytes(array.length * sizeof(float), "value"));
  data_.scores.resize(static_cast<size_t>(array.length));
  if (!bytes.empty()) std::memcpy(data_.scores.data(), bytes.data(), bytes.size());
  return {};
}

Result<void> TokenizerReader::take_types(const ValueReader::Array& array) {
  types_ = array;
  data_.types.clear();
  if (!options_.vocabulary) return values_.skip_elements(array);
  const uint64_t start = reader_.position();
  AMBRY_TRY(const Bytes bytes, reader_.read_bytes(array.length * sizeof(uint32_t), "value"));
  data_.types.resize(static_cast<size_t>(array.length));
  for (size_t i = 0; i < data_.types.size(); ++i) {
    const auto type = load_le<uint32_t>(bytes.data() + i * sizeof(uint32_t));
    if (type > UINT8_MAX) {
      return reader_.fail(ErrorCode::BadValue, start + i * sizeof(uint32_t), "value",
                          {"token ", i, " has the type ", type});
    }
    data_.types[i] = static_cast<uint8_t>(type);
  }
  return {};
}

void TokenizerReader::check_lengths() {
  const auto check = [&](const ValueReader::Array& array, std::string_view key) {
    if (array.at == kNoOffset || array.length == data_.n_tokens) return;
    diagnostics_.error(error_at(ErrorCode::Mismatch, array.at, {"metadata.", key},
                                {array.length, " values for ", data_.n_tokens, " tokens"}));
  };
  check(scores_, kScoresKey);
  check(types_, kTokenTypesKey);
}

// Reads a number or a list. Values that are no ids of tokens are errors of the file's check.
void TokenizerReader::read_ids(const model::Model& model) {
  const auto ids_of = [&](std::string_view key) {
    std::vector<uint32_t> ids;
    const auto add = [&](const io::Json& value) {
      if (!value.is_uint() || value.uint() >= UINT32_MAX) return;
      ids.push_back(static_cast<uint32_t>(value.uint()));
    };
    const io::Json* value = model.metadata.find(key);
    if (value == nullptr) return ids;
    if (!value->is_array()) {
      add(*value);
    } else {
      for (const io::Json& item : value->items()) add(item);
    }
    return ids;
  };
  for (const auto& [key, id] : kTokenIds) {
    if (const auto found = ids_of(key); !found.empty()) data_.*id = found.front();
  }
  std::vector<uint32_t> ends;
  for (const std::string_view key : kEndIds) {
    const auto found = ids_of(key);
    ends.insert(ends.end(), found.begin(), found.end());
  }
  model::set_stated_ends(ends, data_);
}

// Merges go by the list, and no space comes before a text.
void TokenizerReader::set_piece_merges() {
  data_.kind = TokenizerKind::SentencePieceBpe;
  data_.legacy = true;
  data_.add_prefix_space = false;
  data_.add_bos = false;
}

void TokenizerReader::read_settings(const model::Model& model) {
  const std::string_view pre = pieces_name(model);
  const auto* pieces = std::ranges::find(kPieceMerges, pre, &PieceMerges::name);
  const bool merges_pieces = pieces != kPieceMerges.end();
  if (merges_pieces) set_piece_merges();
  if (data_.kind == TokenizerKind::Bpe) {
    const auto stated = model::metadata_text(model.metadata, kPreKey).value_or("");
    if (stated.empty()) {
      diagnostics_.warn(make_error(
          ErrorCode::NotFound, {"metadata.", kPreKey},
          "the file does not say how texts are cut into words; they are cut as llama.cpp cuts them "
          "then, which may not be as the model learned. Convert the model again with a newer "
          "converter"));
    }
    const std::string_view name = stated.empty() ? kDefaultPre : stated;
    const auto* known = std::ranges::find(kPreTokenizers, name, &PreTokenizer::name);
    if (known == kPreTokenizers.end()) {
      data_.pretokenizer = stated;  // is kept, so that what runs the tokenizer can report it
    } else {
      data_.pretokenizer = known->rule;
      data_.ignore_merges = known->ignore_merges;
      if (known->add_bos) data_.add_bos = true;
      if (known->as_is) data_.normalizer.emplace();
    }
  }
  for (const auto& [key, flag] : kTokenizerFlags) {
    const io::Json* value = model.metadata.find(key);
    if (value != nullptr && value->is_bool()) data_.*flag = value->boolean();
  }
  if (merges_pieces && pieces->add_bos) data_.add_bos = true;
}

// Unknown and control tokens and those of the user are cut out of texts. Converters forget the type
// of some tokens that end answers.
void TokenizerReader::read_added_tokens(const model::Model& model) {
  const bool words = data_.kind == TokenizerKind::WordPiece;
  const size_t n_known = std::min(data_.types.size(), data_.vocabulary.size());
  for (size_t id = 0; id < n_known; ++id) {
    const uint8_t type = data_.types[id];
    const bool typed = type == kUnknownToken || type == kControlToken || type == kUserDefinedToken;
    if (!typed && (words || !model::is_end_of_any_type(data_.vocabulary[id]))) continue;
    model::AddedToken token;
    token.id = static_cast<uint32_t>(id);
    token.content = data_.vocabulary[id];
    token.special = type != kUserDefinedToken;
    if (!typed) {
      diagnostics_.warn(error_at(
          ErrorCode::BadValue, types_.at, {"metadata.", kTokenTypesKey, "[", id, "]"},
          {"the token ", token.content, " has the type ", type, "; it counts as a control token"}));
    }
    data_.added_tokens.push_back(std::move(token));
  }
  set_space_rules(model.metadata, data_.added_tokens);
}

// Converters change "##ing" to "ing" and "word" to "\u2581word". This restores the model's own
// vocabulary.
void TokenizerReader::restore_word_pieces() {
  const model::Vocabulary& stored = data_.vocabulary;
  bool marked = false;
  size_t n_bytes = 0;
  for (size_t id = 0; id < stored.size(); ++id) {
    if (stored[id].starts_with(kContinuing)) return;
    marked |= stored[id].starts_with(kWordStart);
    n_bytes += stored[id].size() + kContinuing.size();
  }
  if (!marked) return;
  model::Vocabulary restored;
  restored.reserve(stored.size(), n_bytes);
  std::string piece;
  for (size_t id = 0; id < stored.size(); ++id) {
    const std::string_view token = stored[id];
    const bool control = id < data_.types.size() && data_.types[id] == kControlToken;
    if (token.starts_with(kWordStart)) {
      restored.push_back(token.substr(kWordStart.size()));
    } else if (control || in_brackets(token)) {
      restored.push_back(token);
    } else {
      piece.assign(kContinuing).append(token);
      restored.push_back(piece);
    }
  }
  data_.vocabulary = std::move(restored);
}

void TokenizerReader::finish(model::Model& model) {
  if (!found_) return;
  data_.kind = kind_of(model::metadata_text(model.metadata, kTokenizerModelKey).value_or(""));
  check_lengths();
  read_ids(model);
  read_settings(model);
  if (data_.kind == TokenizerKind::WordPiece) restore_word_pieces();
  read_added_tokens(model);
  model.tokenizer = std::move(data_);
}

Result<void> require_merges(const model::Model& file) {
  const bool bpe = file.tokenizer && (file.tokenizer->kind == TokenizerKind::Bpe ||
                                      file.tokenizer->legacy.value_or(false));
  // A file that is yet to be written states neither.
  const bool states_tokens = file.metadata.find(kTokensKey) != nullptr;
  if (!bpe || !states_tokens || file.metadata.find(kMergesKey) != nullptr) return {};
  return make_error(ErrorCode::NotFound, {"metadata.", kMergesKey},
                    "BPE needs its merges; convert the model again, with a tokenizer "
                    "that has them");
}

}  // namespace ambry::formats::gguf
