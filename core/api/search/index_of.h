// What indexes of rows, of documents and of sparse vectors have in common.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "api/search/any_index.h"
#include "base/bytes.h"
#include "base/result.h"
#include "search/rows/hit.h"
#include "search/rows/index_file.h"
#include "search/rows/row_index.h"
#include "search/rows/rows.h"

namespace ambry::search {
struct SparseHit;
}

namespace ambry::api {

// The facts of an index as JSON, without the closing brace.
[[nodiscard]] std::string index_facts(uint32_t dim, uint32_t size, search::RowKind kind,
                                      const search::RowIndex::Origin& origin);
// JSON: [{row, score}].
[[nodiscard]] std::string hits_json(const std::vector<search::Hit>& hits);
// JSON: [{row, score, cosine}].
[[nodiscard]] std::string hits_json(const std::vector<search::SparseHit>& hits);

// search::RowIndex, search::MultiVectorIndex or search::SparseIndex.
template <class T>
class IndexOf : public AnyIndex {
 public:
  [[nodiscard]] Bytes header() const final { return index_.origin().header; }
  [[nodiscard]] Result<uint32_t> retain(Bytes marks) final {
    AMBRY_RETURN_IF_ERROR(index_.retain(marks));
    return index_.size();
  }
  [[nodiscard]] Result<std::string> search(std::span<const float> query,
                                           std::span<const float> bias, size_t k) final {
    AMBRY_TRY(const auto hits, index_.search(query, bias, k));
    return hits_json(hits);
  }
  [[nodiscard]] Result<const search::IndexPieces*> save(Bytes header) final {
    AMBRY_TRY(saved_, index_.save(header));
    return &saved_;
  }

 protected:
  explicit IndexOf(T index) : index_(std::move(index)) {}

  [[nodiscard]] static Result<T> make(uint32_t dim, bool as_bytes) {
    return T::create(dim, as_bytes ? search::RowKind::Int8 : search::RowKind::F32);
  }
  // The facts of both as JSON, without the closing brace.
  [[nodiscard]] std::string common_facts() const {
    return index_facts(index_.dim(), index_.size(), index_.kind(), index_.origin());
  }

  T index_;

 private:
  search::IndexPieces saved_{};
};

}  // namespace ambry::api
