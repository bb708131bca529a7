#include "api/search/sparse_documents.h"

#include <utility>

#include "base/concat.h"
#include "io/json/json.h"

namespace ambry::api {

Result<SparseDocuments> SparseDocuments::create(uint32_t dim) {
  AMBRY_TRY(search::SparseIndex index, search::SparseIndex::create(dim));
  return SparseDocuments(std::move(index));
}

Result<SparseDocuments> SparseDocuments::load(IndexReader& reader) {
  AMBRY_TRY(search::SparseIndex index, search::SparseIndex::load(reader.take()));
  return SparseDocuments(std::move(index));
}

std::string SparseDocuments::facts() const {
  return concat({index_facts(index_.dim(), index_.size(), search::RowKind::F32, index_.origin()),
                 R"(,"weights":)", index_.n_weights(), "}"});
}

Result<uint32_t> SparseDocuments::append(std::span<const float> pairs,
                                         std::span<const uint32_t> lengths) {
  AMBRY_RETURN_IF_ERROR(index_.append(pairs, lengths));
  return index_.size();
}

Result<std::span<const double>> SparseDocuments::scores(std::span<const float> query) {
  AMBRY_TRY(scores_, index_.scores(query));
  return std::as_const(scores_).as<double>();
}

std::string hits_json(const std::vector<search::SparseHit>& hits) {
  io::Json list = io::Json::array();
  for (const search::SparseHit& hit : hits) {
    io::Json& entry = list.append(io::Json::object());
    entry.set("row", hit.row);
    entry.set("score", double{hit.score});
    entry.set("cosine", double{hit.cosine});
  }
  return list.dump();
}

}  // namespace ambry::api
