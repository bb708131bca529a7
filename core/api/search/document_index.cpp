#include "api/search/document_index.h"

#include "base/concat.h"

namespace ambry::api {

Result<Documents> Documents::create(uint32_t dim, bool as_bytes) {
  const auto kind = as_bytes ? search::RowKind::Int8 : search::RowKind::F32;
  AMBRY_TRY(search::DocumentIndex documents, search::DocumentIndex::create(dim, kind));
  return Documents(std::move(documents));
}

Result<Documents> Documents::load(IndexReader& reader) {
  AMBRY_TRY(search::DocumentIndex documents, search::DocumentIndex::load(reader.take()));
  return Documents(std::move(documents));
}

std::string Documents::facts() const {
  return concat(
      {index_facts(documents_.dim(), documents_.size(), documents_.kind(), documents_.origin()),
       R"(,"rows":)", documents_.n_rows(), "}"});
}

Result<uint32_t> Documents::append(std::span<const float> rows, std::span<const uint32_t> lengths) {
  AMBRY_RETURN_IF_ERROR(documents_.append(rows, lengths));
  return documents_.size();
}

Result<uint32_t> Documents::retain(Bytes marks) {
  AMBRY_RETURN_IF_ERROR(documents_.retain(marks));
  return documents_.size();
}

Result<std::string> Documents::search(std::span<const float> query, std::span<const float> bias,
                                      size_t k) const {
  AMBRY_TRY(const auto hits, documents_.search(query, bias, k));
  return hits_json(hits);
}

Result<const search::IndexPieces*> Documents::save(Bytes header) {
  AMBRY_TRY(saved_, documents_.save(header));
  return &saved_;
}

}  // namespace ambry::api
