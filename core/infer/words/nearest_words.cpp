#include "infer/words/nearest_words.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <utility>

#include "base/concat.h"
#include "base/top_k.h"
#include "kernels/product_quantization/lookup_tables.h"
#include "kernels/similarity/dot_rows.h"
#include "tensor/word_norm.h"

namespace ambry::infer {
namespace {

// Rows that stay in the L2 cache while all queries go over them.
constexpr size_t kBlockRows = 128;

struct RanksHigher {
  const model::Vocabulary* words;

  bool operator()(const WordHit& a, const WordHit& b) const {
    if (a.score != b.score) return a.score > b.score;
    return (*words)[a.row] < (*words)[b.row];
  }
};

// Keeps the best words so far of one query.
class Scan {
 public:
  Scan(const WordVectors& vectors, const NearestQuery& query, size_t k)
      : vectors_(vectors), query_(query), best_(k, {&vectors.vocabulary().words}) {
    if (vectors.quantizer()) tables_.emplace(*vectors.quantizer(), query.vector);
  }

  void scan(size_t first, size_t n_rows) {
    std::array<float, kBlockRows> block{};
    const auto scores = std::span(block).first(n_rows);
    score(first, scores);
    for (const uint32_t row : query_.excluded) {
      if (row >= first && row - first < n_rows) scores[row - first] = NAN;
    }
    for (size_t i = 0; i < n_rows; ++i) {
      if (!std::isnan(scores[i])) best_.offer({static_cast<uint32_t>(first + i), scores[i]});
    }
  }

  [[nodiscard]] std::vector<WordHit> take() { return best_.take(); }

 private:
  void score(size_t first, std::span<float> scores) const {
    const uint8_t* rows = vectors_.rows().data() + first * vectors_.rows().row_bytes();
    if (!tables_) {
      kernels::dot_rows(reinterpret_cast<const float*>(rows), query_.vector, scores);
      return;
    }
    tables_->score(rows, scores);
    if (vectors_.row_norms().empty()) return;
    for (size_t i = 0; i < scores.size(); ++i) scores[i] *= vectors_.row_norms()[first + i];
  }

  const WordVectors& vectors_;
  NearestQuery query_;
  TopK<WordHit, RanksHigher> best_;
  std::optional<kernels::PqLookupTables> tables_;
};

Result<void> check_query(const WordVectors& vectors, std::span<const float> vector) {
  if (vector.size() != vectors.dim()) {
    return make_error(ErrorCode::Mismatch, "query",
                      {vector.size(), " values, but the vectors have ", vectors.dim()});
  }
  if (!std::ranges::all_of(vector, [](float x) { return std::isfinite(x); })) {
    return make_error(ErrorCode::BadValue, "query", "holds a value that is not finite");
  }
  if (vectors.n_words() == 0) {
    return make_error(ErrorCode::Unsupported, "vocabulary", "it lists no words to compare with");
  }
  if (vectors.rows().complete()) return {};
  return make_error(ErrorCode::Unsupported, "rows",
                    "nearest words need all rows, but only some are in memory; open the whole "
                    "file, or quantize it and load its codes");
}

}  // namespace

Result<std::vector<std::vector<WordHit>>> nearest_words(const WordVectors& vectors,
                                                        std::span<const NearestQuery> queries,
                                                        size_t k) {
  const auto n_words = static_cast<size_t>(vectors.n_words());
  std::vector<Scan> scans;
  scans.reserve(queries.size());
  for (const NearestQuery& query : queries) {
    AMBRY_RETURN_IF_ERROR(check_query(vectors, query.vector));
    scans.emplace_back(vectors, query, std::min(k, n_words));
  }
  for (size_t first = 0; first < n_words; first += kBlockRows) {
    const size_t n_rows = std::min(kBlockRows, n_words - first);
    for (Scan& scan : scans) scan.scan(first, n_rows);
  }
  std::vector<std::vector<WordHit>> found;
  found.reserve(scans.size());
  for (Scan& scan : scans) found.push_back(scan.take());
  return found;
}

Result<std::vector<WordHit>> nearest_words(const WordVectors& vectors,
                                           std::span<const float> vector, size_t k,
                                           std::span<const uint32_t> excluded) {
  const NearestQuery query{vector, excluded};
  AMBRY_TRY(auto found, nearest_words(vectors, {&query, 1}, k));
  return std::move(found.front());
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
  // In double, because not every library's float acos gives π for -1.
  const double angle = std::acos(static_cast<double>(std::clamp(cosine, -1.0F, 1.0F)));
  return 1.0F - static_cast<float>(angle) / std::numbers::pi_v<float>;
}

}  // namespace ambry::infer
