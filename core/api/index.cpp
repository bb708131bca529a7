#include "api/index.h"

#include <utility>

#include "io/json.h"

namespace ambry::api {

Result<Index> Index::create(uint32_t dim) {
  AMBRY_TRY(search::VectorIndex vectors, search::VectorIndex::create(dim));
  return Index(std::move(vectors));
}

Result<std::string> Index::search(std::span<const float> query, size_t k) const {
  AMBRY_TRY(const auto hits, vectors_.search(query, k));
  io::Json list = io::Json::array();
  for (const search::Hit& hit : hits) {
    io::Json entry = io::Json::object();
    entry.set("row", hit.row);
    entry.set("score", double{hit.score});
    list.append(std::move(entry));
  }
  return list.dump();
}

Result<Bytes> Index::save(std::string_view header) {
  AMBRY_TRY(file_, vectors_.save(header));
  return std::as_const(file_).bytes();
}

Result<IndexReader> IndexReader::begin(uint64_t size) {
  AMBRY_TRY(AlignedBuffer file, AlignedBuffer::allocate(size));
  return IndexReader(std::move(file));
}

Result<Index> IndexReader::finish() const {
  AMBRY_TRY(search::VectorIndex vectors, search::VectorIndex::load(file_.bytes()));
  return Index(std::move(vectors));
}

}  // namespace ambry::api
