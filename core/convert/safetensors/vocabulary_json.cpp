#include "convert/safetensors/vocabulary_json.h"

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "base/concat.h"
#include "base/shortest.h"
#include "io/json/json.h"
#include "model/tokenizer/tokenizer_metadata.h"

namespace ambry::convert {
namespace {

using io::Json;

// Writes an object member by member.
class ObjectText {
 public:
  void add(std::string_view key, std::string_view value) {
    text_ += text_.empty() ? "{" : ",";
    text_ += concat({Json(key).dump(), ":", value});
  }
  // Adds a list of `n` items, each given by `item(i)`. Adds nothing when there are none.
  template <class Item>
  void add_list(std::string_view key, size_t n, const Item& item) {
    if (n == 0) return;
    std::string list = "[";
    for (size_t i = 0; i < n; ++i) {
      if (i > 0) list += ',';
      list += item(i);
    }
    list += ']';
    add(key, list);
  }
  [[nodiscard]] std::string take() {
    text_ += text_.empty() ? "{}" : "}";
    return std::exchange(text_, {});
  }

 private:
  std::string text_;
};

std::string quoted(std::string_view text) { return Json(text).dump(); }

template <class T>
void add_integers(ObjectText& object, std::string_view key, const std::vector<T>& values) {
  object.add_list(key, values.size(), [&](size_t i) { return std::to_string(values[i]); });
}

void add_texts(ObjectText& object, std::string_view key, const model::Vocabulary& texts) {
  object.add_list(key, texts.size(), [&](size_t i) { return quoted(texts[i]); });
}

}  // namespace

std::string tokenizer_text(const model::TokenizerData& tokenizer) {
  using Data = model::TokenizerData;
  constexpr std::array<std::pair<std::string_view, std::optional<uint32_t> Data::*>, 7> kIds = {
      {{"bos_id", &Data::bos_id},
       {"eos_id", &Data::eos_id},
       {"pad_id", &Data::pad_id},
       {"unk_id", &Data::unk_id},
       {"cls_id", &Data::cls_id},
       {"sep_id", &Data::sep_id},
       {"mask_id", &Data::mask_id}}};
  ObjectText object;
  object.add("kind", quoted(tokenizer_kind_name(tokenizer.kind)));
  for (const auto& [key, id] : kIds) {
    if (tokenizer.*id) object.add(key, std::to_string(*(tokenizer.*id)));
  }
  if (tokenizer.kind == model::TokenizerKind::WordPiece) {
    object.add("lowercase", tokenizer.lowercase ? "true" : "false");
  }
  if (!tokenizer.added_tokens.empty()) {
    object.add("added_tokens", model::added_tokens_to_json(tokenizer.added_tokens).dump());
  }
  add_texts(object, "tokens", tokenizer.vocabulary);
  add_integers(object, "ids", tokenizer.ids);
  object.add_list("scores", tokenizer.scores.size(),
                  [&](size_t i) { return Json(shortest_double(tokenizer.scores[i])).dump(); });
  object.add_list("scores", tokenizer.wide_scores.size(),
                  [&](size_t i) { return Json(tokenizer.wide_scores[i]).dump(); });
  add_integers(object, "types", tokenizer.types);
  object.add_list("merges", tokenizer.merges.size() / 2, [&](size_t i) {
    const model::Vocabulary& merges = tokenizer.merges;
    return concat({"[", quoted(merges[2 * i]), ",", quoted(merges[2 * i + 1]), "]"});
  });
  return object.take();
}

std::string words_text(const model::WordVocabulary& words) {
  using model::WordVocabularyKind;
  ObjectText object;
  object.add("kind", quoted(word_vocabulary_kind_name(words.kind)));
  if (words.kind != WordVocabularyKind::Simple) {
    object.add("min_n", std::to_string(words.min_n));
    object.add("max_n", std::to_string(words.max_n));
    object.add("n_buckets", std::to_string(words.n_buckets));
  }
  if (words.kind == WordVocabularyKind::Floret) {
    object.add("n_hashes", std::to_string(words.n_hashes));
    object.add("seed", std::to_string(words.seed));
    object.add("bow", quoted(words.bow));
    object.add("eow", quoted(words.eow));
  }
  add_texts(object, "words", words.words);
  add_texts(object, "ngrams", words.ngrams);
  add_integers(object, "ngram_rows", words.ngram_rows);
  return object.take();
}

std::string base64(Bytes bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t at = 0; at < bytes.size(); at += 3) {
    const size_t n = std::min<size_t>(3, bytes.size() - at);
    uint32_t bits = 0;
    for (size_t k = 0; k < 3; ++k) bits = bits << 8 | (k < n ? bytes[at + k] : 0U);
    for (size_t k = 0; k < 4; ++k) {
      text += k <= n ? kDigits[bits >> (18 - 6 * k) & 63U] : '=';
    }
  }
  return text;
}

}  // namespace ambry::convert
