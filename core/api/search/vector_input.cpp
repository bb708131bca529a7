#include "api/search/vector_input.h"

#include "search/rows/row_index.h"

namespace ambry::api {

Result<void> append_vectors(std::span<const float> vectors, size_t dim, std::vector<float>& rows) {
  const size_t before = rows.size() / dim;
  if (vectors.size() % dim != 0) {
    return make_error(ErrorCode::BadValue, {"vectors[", before + vectors.size() / dim, "]"},
                      {vectors.size() % dim, " values, but vectors have ", dim});
  }
  if (const size_t at = search::find_not_finite(vectors); at < vectors.size()) {
    return make_error(ErrorCode::BadValue, {"vectors[", before + at / dim, "]"},
                      "holds a value that is not finite");
  }
  rows.insert(rows.end(), vectors.begin(), vectors.end());
  return {};
}

}  // namespace ambry::api
