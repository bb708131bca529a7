#include "api/search/document_index.h"

#include "base/concat.h"

namespace ambry::api {

Result<Documents> Documents::create(uint32_t dim, bool as_bytes) {
  AMBRY_TRY(search::MultiVectorIndex documents, make(dim, as_bytes));
  return Documents(std::move(documents));
}

Result<Documents> Documents::load(IndexReader& reader) {
  AMBRY_TRY(search::MultiVectorIndex documents, search::MultiVectorIndex::load(reader.take()));
  return Documents(std::move(documents));
}

std::string Documents::facts() const {
  return concat({common_facts(), R"(,"rows":)", index_.n_rows(), "}"});
}

Result<uint32_t> Documents::append(std::span<const float> rows, std::span<const uint32_t> lengths) {
  AMBRY_RETURN_IF_ERROR(index_.append(rows, lengths));
  return index_.size();
}

}  // namespace ambry::api
