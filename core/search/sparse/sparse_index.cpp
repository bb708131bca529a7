#include "search/sparse/sparse_index.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "search/rows/best_hits.h"
#include "search/sparse/sparse_file.h"

namespace ambry::search {
namespace {

// What a pair of floats says.
struct WeighedWord {
  uint32_t id;
  float weight;
};

// The pairs as words. BadValue at `path` for what is none.
Result<std::vector<WeighedWord>> words_in(std::span<const float> pairs, uint32_t dim,
                                          const char* path) {
  if (pairs.size() % 2 != 0) return make_error(ErrorCode::BadValue, path, "an id without a weight");
  std::vector<WeighedWord> words;
  words.reserve(pairs.size() / 2);
  for (size_t i = 0; i < pairs.size(); i += 2) {
    const float id = pairs[i];
    const float weight = pairs[i + 1];
    const bool is_word = id >= 0 && id < static_cast<float>(dim) && id == std::floor(id);
    if (!is_word || weight == 0 || !std::isfinite(weight)) {
      return make_error(ErrorCode::BadValue, {path, "[", i / 2, "]"},
                        {"an id that is not below ", dim, ", or a weight that is 0 or not finite"});
    }
    words.push_back({static_cast<uint32_t>(id), weight});
  }
  return words;
}

double norm_of(std::span<const WeighedWord> words) {
  double squares = 0;
  for (const WeighedWord& word : words) squares += double{word.weight} * double{word.weight};
  return std::sqrt(squares);
}

}  // namespace

Result<SparseIndex> SparseIndex::create(uint32_t dim) {
  AMBRY_RETURN_IF_ERROR(check_vocabulary(dim, kNoOffset));
  return SparseIndex(dim);
}

Result<void> SparseIndex::append(std::span<const float> pairs, std::span<const uint32_t> lengths) {
  AMBRY_TRY(const std::vector<WeighedWord> words, words_in(pairs, dim(), "rows"));
  uint64_t total = 0;
  for (const uint32_t length : lengths) total += length;
  if (total != words.size()) {
    return make_error(ErrorCode::Mismatch, "lengths",
                      {"the documents have ", total, " words, but ", words.size(), " are given"});
  }
  constexpr uint64_t kMost = UINT32_MAX - 1;
  if (n_weights() + total > kMost || uint64_t{size()} + lengths.size() > kMost) {
    return make_error(ErrorCode::LimitExceeded, "rows", "an index holds at most 2^32 - 2 weights");
  }
  const size_t before = added_.size();
  // The last document that has each word, counted from 1.
  std::vector<uint32_t> last(dim());
  size_t at = 0;
  for (size_t i = 0; i < lengths.size(); ++i) {
    const uint32_t row = size() + static_cast<uint32_t>(i);
    for (const size_t end = at + lengths[i]; at < end; ++at) {
      const auto [id, weight] = words[at];
      if (std::exchange(last[id], row + 1) == row + 1) {
        added_.resize(before);
        return make_error(ErrorCode::BadValue, {"rows[", at, "]"}, {"has word ", id, " twice"});
      }
      added_.push_back({id, {row, weight}});
    }
  }
  origin_ = {};
  const std::span<const WeighedWord> given(words);
  at = 0;
  for (const uint32_t length : lengths) {
    const double norm = norm_of(given.subspan(at, length));
    norms_.push_back(static_cast<float>(std::min(norm, double{std::numeric_limits<float>::max()})));
    at += length;
  }
  return {};
}

Result<void> SparseIndex::settle() {
  if (added_.empty()) return {};
  AMBRY_RETURN_IF_ERROR(lists_.merge(added_));
  added_ = {};
  return {};
}

Result<void> SparseIndex::retain(Bytes marks) {
  if (marks.size() != size()) {
    return make_error(ErrorCode::Mismatch, "marks",
                      {marks.size(), " marks, but the index has ", size(), " documents"});
  }
  AMBRY_RETURN_IF_ERROR(settle());
  origin_ = {};
  std::vector<uint32_t> numbers(marks.size(), PostingLists::kDropped);
  uint32_t kept = 0;
  for (size_t i = 0; i < marks.size(); ++i) {
    if (marks[i] == 0) continue;
    norms_[kept] = norms_[i];
    numbers[i] = kept++;
  }
  norms_.resize(kept);
  lists_.renumber(numbers);
  return {};
}

Result<AlignedBuffer> SparseIndex::scores(std::span<const float> query) {
  AMBRY_TRY(const std::vector<WeighedWord> words, words_in(query, dim(), "query"));
  AMBRY_RETURN_IF_ERROR(settle());
  AMBRY_TRY(AlignedBuffer sums, AlignedBuffer::allocate(uint64_t{size()} * sizeof(double)));
  auto* const scores = sums.as<double>().data();
  std::fill_n(scores, size(), 0.0);
  for (const auto& [id, weight] : words) {
    for (const Posting& posting : lists_.of(id)) {
      scores[posting.row] += double{weight} * double{posting.weight};
    }
  }
  return sums;
}

Result<std::vector<SparseHit>> SparseIndex::search(std::span<const float> query,
                                                   std::span<const float> bias, size_t k) {
  AMBRY_RETURN_IF_ERROR(check_bias(bias, size(), "documents"));
  AMBRY_TRY(const AlignedBuffer sums, scores(query));
  const std::span<const double> all = sums.as<double>();
  BestHits best(std::min<size_t>(k, size()));
  for (size_t i = 0; i < size() && k > 0; ++i) {
    const float lift = bias.empty() ? 0.0F : bias[i];
    const bool matches = all[i] != 0 && lift != -std::numeric_limits<float>::infinity();
    if (matches || lift > 0) best.offer(i, static_cast<float>(all[i]), lift);
  }
  double squares = 0;
  for (size_t i = 1; i < query.size(); i += 2) squares += double{query[i]} * double{query[i]};
  const double length = std::sqrt(squares);
  std::vector<SparseHit> hits;
  for (const Hit& hit : best.take()) {
    const double both = length * double{norms_[hit.row]};
    hits.push_back({hit, both > 0 ? static_cast<float>(all[hit.row] / both) : 0.0F});
  }
  return hits;
}

Result<IndexPieces> SparseIndex::save(Bytes header) {
  AMBRY_RETURN_IF_ERROR(settle());
  return write_sparse_file(lists_, norms_, header);
}

Result<SparseIndex> SparseIndex::load(AlignedBuffer file) {
  AMBRY_TRY(SparseLayout layout, read_sparse_file(file.bytes()));
  SparseIndex index(layout.dim);
  const Bytes whole = std::as_const(file).bytes();
  const auto* const norms = reinterpret_cast<const float*>(whole.data() + layout.norms_offset);
  index.norms_.assign(norms, norms + layout.n_rows);
  const auto postings = static_cast<size_t>(layout.postings_offset);
  index.lists_.adopt(std::move(file), postings, std::move(layout.begins));
  const auto size = static_cast<size_t>(layout.header_size);
  index.origin_ = {kSparseVersion, kSparseHeaderOffset,
                   index.lists_.memory().subspan(kSparseHeaderOffset, size)};
  return index;
}

}  // namespace ambry::search
