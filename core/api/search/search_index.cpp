#include "api/search/search_index.h"

#include <utility>

#include "base/concat.h"
#include "io/json/json.h"

namespace ambry::api {

Result<Index> Index::create(uint32_t dim, bool as_bytes) {
  AMBRY_TRY(search::RowIndex vectors, make(dim, as_bytes));
  return Index(std::move(vectors));
}

std::string index_facts(uint32_t dim, uint32_t size, search::RowKind kind,
                        const search::RowIndex::Origin& origin) {
  const bool int8 = kind == search::RowKind::Int8;
  return concat({R"({"dim":)", dim, R"(,"size":)", size, R"(,"int8":)", int8 ? "true" : "false",
                 R"(,"version":)", origin.version, R"(,"headerOffset":)", origin.header_offset});
}

std::string hits_json(const std::vector<search::Hit>& hits) {
  io::Json list = io::Json::array();
  for (const search::Hit& hit : hits) {
    io::Json& entry = list.append(io::Json::object());
    entry.set("row", hit.row);
    entry.set("score", double{hit.score});
  }
  return list.dump();
}

std::string Index::facts() const { return common_facts() + "}"; }

Result<uint32_t> Index::append(std::span<const float> rows) {
  AMBRY_RETURN_IF_ERROR(index_.append(rows));
  return index_.size();
}

Result<IndexReader> IndexReader::begin(uint64_t size) {
  AMBRY_TRY(AlignedBuffer file, AlignedBuffer::allocate(size));
  return IndexReader(std::move(file));
}

Result<Index> IndexReader::finish() {
  AMBRY_TRY(search::RowIndex vectors, search::RowIndex::load(std::move(file_)));
  return Index(std::move(vectors));
}

}  // namespace ambry::api
