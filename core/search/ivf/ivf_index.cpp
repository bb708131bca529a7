#include "search/ivf/ivf_index.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "kernels/similarity/dot.h"
#include "search/rows/index_file.h"
#include "simd/isa.h"

namespace ambry::search {

IvfIndex::IvfIndex(uint32_t dim, RowKind kind)
    : rows_(kind, dim),
      lists_{.kind = kind, .dim = dim},
      rotation_(std::make_unique<const Rotation>(dim)) {}

Result<IvfIndex> IvfIndex::create(uint32_t dim, RowKind kind) {
  AMBRY_RETURN_IF_ERROR(check_dim(dim, kNoOffset));
  return IvfIndex(dim, kind);
}

Result<void> IvfIndex::append(std::span<const float> vectors) {
  assert(!lists_.has_codes());
  AMBRY_RETURN_IF_ERROR(rows_.append(vectors));
  lists_.begins.back() = rows_.size();
  return {};
}

Result<void> IvfIndex::arrange(std::span<const uint32_t> list_of) {
  assert(list_of.size() == size());
  const size_t n_lists = lists_.centroids.size() / lists_.dim;
  AMBRY_TRY(codes_, AlignedBuffer::allocate(uint64_t{size()} * sign_code_size(lists_.dim)));
  std::vector<uint32_t> begins(n_lists + 1);
  for (const uint32_t list : list_of) ++begins[list + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::vector<uint32_t> next(begins.begin(), begins.end() - 1);
  std::vector<uint32_t> from(size());
  for (uint32_t row = 0; row < size(); ++row) from[next[list_of[row]]++] = row;
  rows_.permute(from);
  lists_.begins = std::move(begins);
  lists_.spreads.assign(n_lists, 0.0F);
  return {};
}

void IvfIndex::encode(uint32_t begin, uint32_t end) {
  std::vector<float> rest(lists_.dim);
  std::vector<float> rotated(rotation_->size());
  const auto after = std::ranges::upper_bound(lists_.begins, begin);
  auto list = static_cast<uint32_t>(after - lists_.begins.begin() - 1);
  for (uint32_t row = begin; row < end; ++row) {
    while (row >= lists_.begins[list + 1]) ++list;
    const auto centroid = lists_.centroid(list);
    rows_.read(row, rest);
    for (size_t i = 0; i < rest.size(); ++i) rest[i] -= centroid[i];
    rotation_->apply(rest, rotated);
    encode_signs(rotated, kernels::dot<simd::Best>(centroid, rest),
                 codes_.data() + size_t{row} * lists_.code_size());
    // The sum of the squares, until the last row of the list is there.
    float& spread = lists_.spreads[list];
    spread += kernels::dot<simd::Best>(rest, rest);
    if (row + 1 < lists_.begins[list + 1]) continue;
    spread = std::sqrt(spread / static_cast<float>(lists_.list_size(list)));
  }
}

Bytes IvfIndex::marks_of(uint32_t list, const IvfSearch& settings,
                         std::vector<uint8_t>& marks) const {
  if (settings.marks.empty() && !settings.without) return {};
  marks.resize(lists_.list_size(list));
  for (uint32_t i = 0; i < marks.size(); ++i) {
    const uint32_t position = position_in(rows_.record(lists_.begins[list] + i));
    const bool is_in = settings.marks.empty() || settings.marks[position] != 0;
    marks[i] = is_in && position != settings.without ? 1 : 0;
  }
  return marks;
}

Result<std::vector<IvfHit>> IvfIndex::search(std::span<const float> query,
                                             const IvfSearch& settings, uint64_t* n_read) const {
  AMBRY_TRY(std::vector<float> unit, unit_query(query, lists_.dim));
  if (!settings.marks.empty() && settings.marks.size() != size()) {
    return make_error(ErrorCode::Mismatch, "marks",
                      {settings.marks.size(), " marks, but the index has ", size(), " rows"});
  }
  IvfQuery run(lists_, *rotation_, std::move(unit), settings.k,
               candidates_for(settings.reach, settings.k));
  std::vector<uint8_t> marks;
  uint64_t wanted = 0;  // rows to compare
  uint64_t compared = 0;
  uint64_t read = 0;
  uint32_t n_lists = 0;
  for (const uint32_t list : run.order()) {
    if (n_lists >= settings.reach.probes && compared >= wanted) break;
    if (n_lists++ < settings.reach.probes) wanted += lists_.list_size(list);
    const Bytes own = marks_of(list, settings, marks);
    run.scan(list, codes_.bytes().subspan(size_t{lists_.begins[list]} * lists_.code_size()), own);
    read += lists_.list_size(list);
    compared += own.empty() ? lists_.list_size(list)
                            : static_cast<uint64_t>(std::ranges::count(own, uint8_t{1}));
    // The vector itself, which a test leaves out, is no reason to read another list.
    if (settings.without && settings.marks.empty()) compared = read;
  }
  for (const uint32_t row : run.candidates()) run.score(row, rows_.record(row));
  if (n_read != nullptr) *n_read = read;
  return run.hits();
}

Result<std::vector<IvfHit>> IvfIndex::search_all(std::span<const float> query,
                                                 const IvfSearch& settings) const {
  AMBRY_TRY(std::vector<float> unit, unit_query(query, lists_.dim));
  IvfQuery run(lists_, *rotation_, std::move(unit), settings.k, 0);
  for (uint32_t row = 0; row < size(); ++row) {
    const uint32_t position = position_in(rows_.record(row));
    const bool is_in = settings.marks.empty() || settings.marks[position] != 0;
    if (is_in && position != settings.without) run.score(row, rows_.record(row));
  }
  return run.hits();
}

}  // namespace ambry::search
