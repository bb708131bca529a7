#include "search/multi_vector_index.h"

#include <algorithm>
#include <limits>

#include "kernels/similarity/max_sim.h"
#include "search/rows/best_hits.h"
#include "simd/isa.h"

namespace ambry::search {
namespace {

// The score of the document with these bytes of rows.
float score_of(kernels::MaxSim& query, RowKind kind, Bytes rows) {
  if (kind == RowKind::Int8) return query.score_int8<simd::Best>(rows);
  const auto* values = reinterpret_cast<const float*>(rows.data());
  return query.score<simd::Best>({values, rows.size() / sizeof(float)});
}

}  // namespace

Result<MultiVectorIndex> MultiVectorIndex::create(uint32_t dim, RowKind kind) {
  AMBRY_TRY(RowIndex rows, RowIndex::create(dim, kind));
  return MultiVectorIndex(std::move(rows), {});
}

Result<void> MultiVectorIndex::append(std::span<const float> rows,
                                      std::span<const uint32_t> lengths) {
  uint64_t total = 0;
  for (size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] == 0) {
      return make_error(ErrorCode::BadValue, {"lengths[", i, "]"}, "a document without rows");
    }
    total += lengths[i];
  }
  if (const size_t given = rows.size() / dim(); total != given) {
    return make_error(ErrorCode::Mismatch, "lengths",
                      {"the documents have ", total, " rows, but ", given, " are given"});
  }
  AMBRY_RETURN_IF_ERROR(rows_.append(rows));
  lengths_.insert(lengths_.end(), lengths.begin(), lengths.end());
  return {};
}

Result<void> MultiVectorIndex::retain(Bytes marks) {
  if (marks.size() != size()) {
    return make_error(ErrorCode::Mismatch, "marks",
                      {marks.size(), " marks, but the index has ", size(), " documents"});
  }
  AMBRY_TRY(AlignedBuffer of_rows, AlignedBuffer::allocate(n_rows()));
  uint8_t* to = of_rows.data();
  size_t kept = 0;
  for (size_t i = 0; i < marks.size(); ++i) {
    to = std::fill_n(to, lengths_[i], marks[i]);
    if (marks[i] != 0) lengths_[kept++] = lengths_[i];
  }
  AMBRY_RETURN_IF_ERROR(rows_.retain(of_rows.bytes()));
  lengths_.resize(kept);
  return {};
}

Result<std::vector<Hit>> MultiVectorIndex::search(std::span<const float> query,
                                                  std::span<const float> bias, size_t k) const {
  if (query.empty() || query.size() % dim() != 0) {
    return make_error(ErrorCode::Mismatch, "query",
                      {query.size(), " values, but a vector of the index has ", dim()});
  }
  if (find_not_finite(query) < query.size()) {
    return make_error(ErrorCode::BadValue, "query", "holds a value that is not finite");
  }
  AMBRY_RETURN_IF_ERROR(check_bias(bias, size(), "documents"));
  AMBRY_TRY(kernels::MaxSim max_sim, kernels::MaxSim::create(query, dim()));
  BestHits best(std::min<size_t>(k, size()));
  const Rows rows = rows_.rows();
  size_t at = 0;
  for (size_t i = 0; i < size() && k > 0; ++i) {
    const size_t n_bytes = lengths_[i] * rows.stride();
    const float lift = bias.empty() ? 0.0F : bias[i];
    if (lift != -std::numeric_limits<float>::infinity()) {
      best.offer(i, score_of(max_sim, rows.kind, rows.bytes.subspan(at, n_bytes)), lift);
    }
    at += n_bytes;
  }
  return best.take();
}

Result<MultiVectorIndex> MultiVectorIndex::load(AlignedBuffer file) {
  AMBRY_TRY(const IndexLayout layout, read_index(file.bytes(), IndexContent::Documents));
  std::vector<uint32_t> lengths(static_cast<size_t>(layout.n_documents));
  const uint8_t* from = std::as_const(file).bytes().data() + layout.lengths_offset;
  for (uint32_t& length : lengths) {
    length = load_le<uint32_t>(from);
    from += sizeof(uint32_t);
  }
  return MultiVectorIndex(RowIndex::adopt(std::move(file), layout), std::move(lengths));
}

}  // namespace ambry::search
