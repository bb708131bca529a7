#include "infer/words/nearest_words.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "base/best_of.h"
#include "base/concat.h"
#include "kernels/code_scores.h"
#include "kernels/word_scores.h"
#include "tensor/word_norm.h"

namespace ambry::infer {
namespace {

// Their scores are looked at while they are in the cache.
constexpr size_t kBlockRows = 512;

struct ComesBefore {
  const model::Vocabulary* words;

  bool operator()(const WordHit& a, const WordHit& b) const {
    if (a.score != b.score) return a.score > b.score;
    return (*words)[a.row] < (*words)[b.row];
  }
};

// The scores of all words, block by block.
class Scores {
 public:
  Scores(const WordVectors& vectors, std::span<const float> vector)
      : vectors_(vectors), vector_(vector) {
    if (vectors.quantizer()) tables_.emplace(*vectors.quantizer(), vector);
  }

  void of(size_t first, std::span<float> scores) const {
    const uint8_t* rows = vectors_.rows().data() + first * vectors_.rows().row_bytes();
    if (!tables_) {
      kernels::score_rows(reinterpret_cast<const float*>(rows), vector_, scores);
      return;
    }
    tables_->score(rows, scores);
    if (vectors_.row_norms().empty()) return;
    for (size_t i = 0; i < scores.size(); ++i) scores[i] *= vectors_.row_norms()[first + i];
  }

 private:
  const WordVectors& vectors_;
  std::span<const float> vector_;
  std::optional<kernels::CodeScores> tables_;
};

Result<void> check_query(const WordVectors& vectors, std::span<const float> vector) {
  if (vector.size() != vectors.dim()) {
    return make_error(ErrorCode::Mismatch, "query",
                      {vector.size(), " numbers, but the vectors have ", vectors.dim()});
  }
  if (!std::ranges::all_of(vector, [](float x) { return std::isfinite(x); })) {
    return make_error(ErrorCode::BadValue, "query", "holds a number that is not finite");
  }
  if (vectors.n_words() == 0) {
    return make_error(ErrorCode::Unsupported, "vocabulary",
                      "it lists no words, so that there are none to compare with");
  }
  if (vectors.rows().complete()) return {};
  return make_error(ErrorCode::Unsupported, "rows",
                    "nearest words need all rows, of which only some are held; open the file "
                    "whole, or quantize it and load its codes");
}

}  // namespace

Result<std::vector<WordHit>> nearest_words(const WordVectors& vectors,
                                           std::span<const float> vector, size_t k,
                                           std::span<const uint32_t> excluded) {
  AMBRY_CHECK(check_query(vectors, vector));
  const auto n_words = static_cast<size_t>(vectors.n_words());
  BestOf<WordHit, ComesBefore> best(std::min(k, n_words), {&vectors.vocabulary().words});
  const Scores all(vectors, vector);
  std::array<float, kBlockRows> block{};
  for (size_t first = 0; first < n_words; first += kBlockRows) {
    const auto scores = std::span(block).first(std::min(kBlockRows, n_words - first));
    all.of(first, scores);
    for (const uint32_t row : excluded) {
      if (row >= first && row - first < scores.size()) scores[row - first] = NAN;
    }
    for (size_t i = 0; i < scores.size(); ++i) {
      if (!std::isnan(scores[i])) best.offer({static_cast<uint32_t>(first + i), scores[i]});
    }
  }
  return best.take();
}

Result<std::vector<float>> analogy_vector(const WordVectors& vectors,
                                          const std::array<std::string_view, 3>& words) {
  static constexpr std::array<const char*, 3> kNames = {"a", "b", "c"};
  std::array<std::vector<float>, 3> parts;
  std::string missing;
  const char* first_missing = nullptr;
  for (size_t i = 0; i < words.size(); ++i) {
    parts[i].resize(vectors.dim());
    AMBRY_TRY(const Lookup found, vectors.look_up(words[i], parts[i]));
    if (found.found != Found::None) continue;
    if (first_missing == nullptr) first_missing = kNames[i];
    missing += concat({missing.empty() ? "" : ", ", kNames[i], " \"", words[i], "\""});
  }
  if (first_missing != nullptr) {
    return make_error(ErrorCode::NotFound, Text(first_missing), {"no vector for ", missing});
  }
  auto& [a, b, c] = parts;
  for (size_t i = 0; i < c.size(); ++i) c[i] = (b[i] - a[i]) + c[i];
  tensor::normalize_word(c);
  return std::move(c);
}

float angular_similarity(float cosine) {
  return 1.0F - std::acos(std::clamp(cosine, -1.0F, 1.0F)) / std::numbers::pi_v<float>;
}

}  // namespace ambry::infer
