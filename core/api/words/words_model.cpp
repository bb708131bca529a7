#include "api/words/words_model.h"

#include <algorithm>
#include <array>
#include <utility>

#include "api/call/documents.h"
#include "api/words/file_ranges.h"
#include "api/words/word_parts.h"
#include "api/words/word_query.h"
#include "base/shortest.h"
#include "infer/words/nearest_words.h"
#include "io/json/json.h"
#include "tensor/word_norm.h"

namespace ambry::api {
namespace {

using infer::Found;
using infer::Lookup;
using io::Json;

Result<std::vector<std::string>> read_words(std::string_view text) {
  AMBRY_TRY(const Json json, io::parse_json(text, 0, "words"));
  if (!json.is_array())
    return make_error(ErrorCode::BadValue, "words", "must be a list of strings");
  std::vector<std::string> words;
  words.reserve(json.items().size());
  for (const Json& word : json.items()) {
    if (!word.is_string()) {
      return make_error(ErrorCode::BadValue, {"words[", words.size(), "]"}, "must be a string");
    }
    words.push_back(word.string());
  }
  return words;
}

// Why a word has no vector.
std::string reason(const infer::WordVectors& vectors, std::string_view word, size_t n_pieces) {
  const model::WordVocabulary& words = vectors.vocabulary();
  if (words.kind == model::WordVocabularyKind::Simple) {
    return concat({"the word is not among the ", words.n_words,
                   " words, and this file has no n-grams to build a vector from"});
  }
  if (n_pieces == 0) {
    const uint64_t length = model::count_scalar_values(word) +
                            model::count_scalar_values(words.bow) +
                            model::count_scalar_values(words.eow);
    return concat({"with its brackets the word has ", length,
                   " characters, but the shortest n-grams have ", words.min_n});
  }
  return concat({"none of the word's ", n_pieces, " n-grams is stored"});
}

Result<std::string> nearest(const infer::WordVectors& vectors, std::span<const float> vector,
                            const WordQuery& query) {
  AMBRY_TRY(const auto hits, infer::nearest_words(vectors, vector, query.k, query.excluded));
  Json list = Json::array();
  for (const infer::WordHit& hit : hits) {
    const float score = query.angular ? infer::angular_similarity(hit.score) : hit.score;
    Json& entry = list.append(Json::object());
    entry.set("word", vectors.shown(hit.row));
    entry.set("score", shortest_double(score));
  }
  return list.dump();
}

}  // namespace

WordsModel::WordsModel(model::Model model, infer::WordVectors vectors, bool ranged)
    : OpenedModel(kKind),
      model_(std::move(model)),
      vectors_(std::make_shared<infer::WordVectors>(std::move(vectors))),
      ranged_(ranged) {}

std::string WordsModel::info() const {
  Json words = Json::object();
  words.set("kind", model::word_vocabulary_kind_name(vectors_->vocabulary().kind));
  words.set("storage", vectors_->quantizer() ? "quantized" : "array");
  words.set("size", vectors_->n_words());
  words.set("rows", vectors_->rows().size());
  words.set("dim", uint64_t{vectors_->dim()});
  words.set("hasNorms", !vectors_->norms().empty());
  words.set("ranged", ranged_);
  Json document = file_info(model_, model_.config);
  document.set("words", std::move(words));
  return document.dump();
}

Result<WordBatch> WordsModel::vectors(std::string_view words, bool unnormalized) const {
  AMBRY_TRY(const auto texts, read_words(words));
  const size_t dim = vectors_->dim();
  WordBatch batch;
  batch.dim = static_cast<uint32_t>(dim);
  AMBRY_TRY(batch.vectors, AlignedBuffer::allocate(uint64_t{texts.size()} * dim * sizeof(float)));
  for (size_t i = 0; i < texts.size(); ++i) {
    const std::span<float> row = batch.vectors.as<float>().subspan(i * dim, dim);
    AMBRY_TRY(const Lookup found, vectors_->look_up(texts[i], row));
    batch.norms.push_back(found.norm);
    batch.found.push_back(static_cast<uint8_t>(found.found));
    if (!unnormalized) continue;
    for (float& x : row) x *= found.norm;
  }
  return batch;
}

Result<std::string> WordsModel::explain(std::string_view word) const {
  std::vector<float> vector(vectors_->dim());
  AMBRY_TRY(const Lookup found, vectors_->look_up(word, vector));
  const auto row = vectors_->find(word);
  Json ngrams = Json::array();
  if (!row) {
    vectors_->pieces().for_each(word, [&](std::string_view piece, std::span<const uint64_t> rows) {
      Json places = Json::array();
      for (const uint64_t place : rows) places.append(place);
      Json& ngram = ngrams.append(Json::object());
      ngram.set("text", piece);
      ngram.set("rows", std::move(places));
      ngram.set("known", !rows.empty());
    });
  }
  const bool has_norm =
      found.found == Found::Subwords || (found.found == Found::Known && !vectors_->norms().empty());
  Json document = Json::object();
  document.set("word", word);
  document.set("found", found_name(found.found));
  document.set("row", row ? Json(*row) : Json());
  document.set("norm", has_norm ? Json(shortest_double(found.norm)) : Json());
  document.set("reason", found.found == Found::None
                             ? Json(reason(*vectors_, word, ngrams.items().size()))
                             : Json());
  document.set("ngrams", std::move(ngrams));
  return document.dump();
}

Result<std::string> WordsModel::similar(std::string_view word, std::string_view options) const {
  AMBRY_TRY(WordQuery query, WordQuery::read(options, *vectors_));
  std::vector<float> vector(vectors_->dim());
  AMBRY_TRY(const Lookup found, vectors_->look_up(word, vector));
  if (found.found == Found::None) {
    return make_error(ErrorCode::NotFound, "word", {"there is no vector for \"", word, "\""});
  }
  query.exclude(*vectors_, word);
  return nearest(*vectors_, vector, query);
}

Result<std::string> WordsModel::similar_to(std::span<const float> vector,
                                           std::string_view options) const {
  AMBRY_TRY(const WordQuery query, WordQuery::read(options, *vectors_));
  std::vector<float> unit(vector.begin(), vector.end());
  tensor::normalize_word(unit);
  return nearest(*vectors_, unit, query);
}

Result<std::string> WordsModel::analogy(std::string_view a, std::string_view b, std::string_view c,
                                        std::string_view options) const {
  AMBRY_TRY(WordQuery query, WordQuery::read(options, *vectors_));
  const std::array words = {a, b, c};
  AMBRY_TRY(const auto vector, infer::analogy_vector(*vectors_, words));
  for (size_t i = 0; i < words.size(); ++i) {
    if (!query.include[i]) query.exclude(*vectors_, words[i]);
  }
  return nearest(*vectors_, vector, query);
}

std::string WordsModel::list(uint64_t offset, uint64_t limit) const {
  Json words = Json::array();
  const uint64_t first = std::min(offset, vectors_->n_words());
  const uint64_t count = std::min(limit, vectors_->n_words() - first);
  for (uint64_t row = first; row < first + count; ++row) {
    words.append(vectors_->shown(row));
  }
  return words.dump();
}

Result<std::string> WordsModel::missing(std::string_view words) const {
  AMBRY_TRY(const auto texts, read_words(words));
  std::vector<uint64_t> rows;
  for (const std::string& word : texts) AMBRY_RETURN_IF_ERROR(vectors_->collect_rows(word, rows));
  return ranges_text(vectors_->rows().missing(std::move(rows)));
}

Result<void> WordsModel::supply(uint64_t offset, Bytes bytes) const {
  infer::StoredRows& rows = vectors_->rows();
  const uint64_t end = rows.file_offset_of(rows.size());
  if (offset < rows.file_offset_of(0) || offset > end || bytes.size() > end - offset) {
    return make_error(ErrorCode::BadValue, "offset", "the bytes are not rows of this file");
  }
  if (vectors_->quantizer()) {
    AMBRY_RETURN_IF_ERROR(check_codes(bytes, offset, vectors_->quantizer()->shape.n_centroids));
  }
  rows.supply(offset, bytes);
  return {};
}

}  // namespace ambry::api
