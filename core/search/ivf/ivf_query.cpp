#include "search/ivf/ivf_query.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/order.h"
#include "kernels/similarity/dot.h"
#include "search/ivf/row_store.h"
#include "simd/isa.h"

namespace ambry::search {

Result<std::vector<float>> unit_query(std::span<const float> query, uint32_t dim) {
  if (query.size() != dim) {
    return make_error(ErrorCode::Mismatch, "query",
                      {query.size(), " values, but the index has ", dim, " a row"});
  }
  double squares = 0;
  for (const float x : query) squares += double{x} * x;
  if (!std::isfinite(squares)) {
    return make_error(ErrorCode::BadValue, "query", "holds a value that is not finite");
  }
  if (!(squares > 0)) {
    return make_error(ErrorCode::BadValue, "query",
                      "has the length 0, so it is similar to nothing");
  }
  const double scale = 1.0 / std::sqrt(squares);
  std::vector<float> unit(dim);
  for (size_t i = 0; i < dim; ++i) unit[i] = static_cast<float>(query[i] * scale);
  return unit;
}

IvfQuery::IvfQuery(const ListSet& lists, const Rotation& rotation, std::vector<float> unit,
                   size_t k, size_t most_candidates)
    : lists_(lists),
      unit_(std::move(unit)),
      rest_(lists.dim),
      signs_(rotation),
      int8_(unit_),
      nearest_(std::min<size_t>(std::max(k, most_candidates), lists.n_rows()), {}),
      best_(std::min<size_t>(k, lists.n_rows()), {}) {}

void IvfQuery::scan(uint32_t list, Bytes codes, Bytes marks) {
  const uint32_t first = lists_.begins[list];
  const uint32_t n = lists_.list_size(list);
  const auto is_out = [&](uint32_t i) { return !marks.empty() && marks[i] == 0; };
  if (!lists_.has_codes()) {
    for (uint32_t i = 0; i < n; ++i) {
      if (!is_out(i)) all_.push_back(first + i);
    }
    return;
  }
  const auto centroid = lists_.centroid(list);
  for (size_t i = 0; i < rest_.size(); ++i) rest_[i] = unit_[i] - centroid[i];
  signs_.aim(rest_, kernels::dot<simd::Best>(unit_, centroid));
  const uint8_t* code = codes.data();
  for (uint32_t i = 0; i < n; ++i, code += lists_.code_size()) {
    if (!is_out(i)) nearest_.offer({signs_.estimate(code), first + i});
  }
}

std::vector<uint32_t> IvfQuery::candidates() {
  if (!lists_.has_codes()) return std::move(all_);
  std::vector<uint32_t> rows;
  for (const Candidate& found : nearest_.take()) rows.push_back(found.row);
  sort_items(rows, [](uint32_t a, uint32_t b) { return a < b; });
  return rows;
}

void IvfQuery::score(uint32_t row, const uint8_t* record) {
  const uint8_t* const values = record + kRecordRow;
  if (lists_.kind == RowKind::Int8) {
    // Products of integers show quickly that most rows are not among the best.
    if (best_.is_full() && int8_.upper_bound(values) < double{best_.worst().score}) return;
    best_.offer({position_in(record), int8_.score(values), row});
    return;
  }
  // The record may begin at any byte of a file.
  read_row(lists_.kind, values, rest_);
  best_.offer({position_in(record), kernels::dot<simd::Best>(rest_, unit_), row});
}

}  // namespace ambry::search
