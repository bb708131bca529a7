#include "infer/words/word_vectors.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/utf8.h"
#include "tensor/word_norm.h"

namespace ambry::infer {

namespace {

// The row of a bucket that a pruned model has not kept
// (core/formats/finalfusion/README.md#made-to-run).
bool is_pruned(std::span<const float> row) {
  return std::ranges::all_of(row, [](float x) { return x == 0.0F && std::signbit(x); });
}

}  // namespace

std::string_view found_name(Found found) {
  static constexpr std::array<std::string_view, 3> kNames = {"none", "known", "subwords"};
  return kNames[static_cast<size_t>(found)];
}

WordVectors::WordVectors(WordParts parts)
    : words_(std::make_unique<const model::WordVocabulary>(std::move(parts.words))),
      index_(words_->words),
      pieces_(*words_),
      dim_(parts.dim),
      rows_(std::move(parts.rows)),
      quantizer_(std::move(parts.quantizer)),
      row_norms_(std::move(parts.row_norms)),
      norms_(std::move(parts.norms)) {
  assert(rows_.size() == words_->n_rows());
  if (!words_->any_bytes) return;
  for (size_t i = 0; i < words_->words.size(); ++i) {
    if (!find_invalid_utf8(words_->words[i])) continue;
    rows_by_shown_.emplace(shown(i), static_cast<uint32_t>(i));
  }
}

std::optional<uint32_t> WordVectors::find(std::string_view word) const {
  const auto row = index_.find(words_->words, word);
  if (row || rows_by_shown_.empty()) return row;
  const auto found = rows_by_shown_.find(std::string(word));
  return found == rows_by_shown_.end() ? std::nullopt : std::optional(found->second);
}

std::string WordVectors::shown(uint64_t row) const {
  return replace_invalid_utf8(words_->words[static_cast<size_t>(row)]);
}

uint64_t WordVectors::weight_bytes() const {
  uint64_t n_floats = row_norms_.size() + norms_.size();
  if (quantizer_) n_floats += quantizer_->centroids.size() + quantizer_->projection.size();
  return rows_.resident_bytes() + n_floats * sizeof(float);
}

Result<void> WordVectors::read_row(uint64_t row, std::span<float> out) const {
  assert(out.size() == dim_);
  AMBRY_TRY(const uint8_t* stored, rows_.find(row));
  if (!quantizer_) {
    std::memcpy(out.data(), stored, out.size_bytes());
    return {};
  }
  std::vector<float> scratch(dim_);
  quantizer_->reconstruct(stored, out, scratch);
  if (row_norms_.empty()) return {};
  for (float& x : out) x *= row_norms_[static_cast<size_t>(row)];
  return {};
}

Result<Lookup> WordVectors::look_up(std::string_view word, std::span<float> out) const {
  if (const auto row = find(word)) {
    AMBRY_RETURN_IF_ERROR(read_row(*row, out));
    return Lookup{Found::Known, norms_.empty() ? 1.0F : norms_[*row]};
  }
  AMBRY_RETURN_IF_ERROR(check_unknown(word));
  return sum_subwords(word, out);
}

Result<void> WordVectors::check_unknown(std::string_view word) const {
  if (find_invalid_utf8(word)) return make_error(ErrorCode::BadValue, "word", "not valid UTF-8");
  const uint64_t n_pieces = pieces_.count(word);
  if (n_pieces <= model::kMaxPiecesOfWord) return {};
  return make_error(ErrorCode::LimitExceeded, "word",
                    {n_pieces, " n-grams in one word, at most ", model::kMaxPiecesOfWord});
}

Result<Lookup> WordVectors::sum_subwords(std::string_view word, std::span<float> out) const {
  std::ranges::fill(out, 0.0F);
  std::vector<float> row(dim_);
  Lookup lookup;
  size_t n_rows = 0;  // that a pruned model has kept
  Result<void> read;
  pieces_.for_each(word, [&](std::string_view /*piece*/, std::span<const uint64_t> rows) {
    for (const uint64_t r : rows) {
      if (!read) return;
      read = read_row(r, row);
      if (!read) return;
      lookup.found = Found::Subwords;
      n_rows += is_pruned(row) ? 0 : 1;
      for (size_t i = 0; i < dim_; ++i) out[i] += row[i];
    }
  });
  AMBRY_RETURN_IF_ERROR(std::move(read));
  if (lookup.found != Found::Subwords) return lookup;
  lookup.norm = tensor::normalize_word(out);
  const bool mean = words_->rule == model::NgramRule::FastText;
  if (mean && n_rows > 1) lookup.norm /= static_cast<float>(n_rows);
  return lookup;
}

Result<void> WordVectors::collect_rows(std::string_view word, std::vector<uint64_t>& rows) const {
  if (const auto row = find(word)) {
    rows.push_back(*row);
    return {};
  }
  AMBRY_RETURN_IF_ERROR(check_unknown(word));
  pieces_.for_each(word, [&](std::string_view /*piece*/, std::span<const uint64_t> found) {
    rows.insert(rows.end(), found.begin(), found.end());
  });
  return {};
}

}  // namespace ambry::infer
