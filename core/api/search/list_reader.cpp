#include "api/search/list_reader.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/concat.h"
#include "io/json/json.h"
#include "search/ivf/row_store.h"

namespace ambry::api {
namespace {

io::Json range_json(const search::FileRange& range) {
  io::Json pair = io::Json::array();
  pair.append(range.offset);
  pair.append(range.size);
  return pair;
}

}  // namespace

Result<ListReader> ListReader::open(Bytes head, uint64_t file_size) {
  AMBRY_TRY(search::IvfFile file, search::IvfFile::open(head, file_size));
  const uint32_t dim = file.lists().dim;
  return ListReader(std::make_shared<const Shared>(Shared{std::move(file), search::Rotation(dim)}));
}

std::string ListReader::facts() const {
  const search::ListSet& lists = shared_->file.lists();
  io::Json facts = io::Json::object();
  facts.set("dim", lists.dim);
  facts.set("size", lists.n_rows());
  facts.set("int8", lists.kind == search::RowKind::Int8);
  facts.set("lists", lists.has_codes() ? lists.n_lists() : 0U);
  facts.set("rowsOffset", shared_->file.record_of(0).offset);
  facts.set("recordSize", shared_->file.record_of(0).size);
  return facts.dump();
}

Result<void> ListReader::check_list(uint32_t list) const {
  if (list < shared_->file.lists().n_lists()) return {};
  return make_error(ErrorCode::NotFound, "list", "there is no such list");
}

Result<void> ListReader::check_codes(uint32_t list, Bytes codes) const {
  AMBRY_RETURN_IF_ERROR(check_list(list));
  return shared_->file.check_codes(list, codes);
}

Result<void> ListReader::check_ids(uint32_t list, Bytes ids) const {
  AMBRY_RETURN_IF_ERROR(check_list(list));
  return shared_->file.check_ids(list, ids);
}

ListLookup::ListLookup(std::shared_ptr<const ListReader::Shared> shared, search::IvfQuery query)
    : shared_(std::move(shared)), query_(std::move(query)), order_(query_.order()) {}

Result<ListLookup> ListLookup::begin(const ListReader& reader, std::span<const float> query,
                                     size_t k, uint32_t candidates) {
  const auto& shared = reader.shared_;
  const search::ListSet& lists = shared->file.lists();
  AMBRY_TRY(std::vector<float> unit, search::unit_query(query, lists.dim));
  search::IvfQuery run(lists, shared->rotation, std::move(unit), k,
                       search::candidates_for({.candidates = candidates}, k));
  return ListLookup(shared, std::move(run));
}

std::string ListLookup::lists(size_t first, size_t count) const {
  io::Json result = io::Json::array();
  const size_t end = std::min(order_.size(), first + count);
  for (size_t i = first; i < end; ++i) {
    const uint32_t list = order_[i];
    io::Json& entry = result.append(io::Json::object());
    entry.set("list", list);
    entry.set("rows", shared_->file.lists().list_size(list));
    entry.set("codes", range_json(shared_->file.codes_of(list)));
    entry.set("ids", range_json(shared_->file.ids_of(list)));
  }
  return result.dump();
}

Result<void> ListLookup::scan(uint32_t list, Bytes codes, Bytes marks) {
  const search::ListSet& lists = shared_->file.lists();
  const bool fits = list < lists.n_lists() && codes.size() == shared_->file.codes_of(list).size &&
                    (marks.empty() || marks.size() == lists.list_size(list));
  if (!fits) return make_error(ErrorCode::Mismatch, "list", "these are not the codes of a list");
  query_.scan(list, codes, marks);
  return {};
}

std::string ListLookup::candidates() {
  io::Json rows = io::Json::array();
  for (const uint32_t row : query_.candidates()) rows.append(row);
  return rows.dump();
}

Result<void> ListLookup::score(uint32_t row, Bytes records) {
  const auto size = static_cast<size_t>(shared_->file.record_of(0).size);
  for (size_t at = 0; at < records.size(); at += size, ++row) {
    if (row >= shared_->file.lists().n_rows()) {
      return make_error(ErrorCode::NotFound, "row", "there is no such row");
    }
    const Bytes record = records.subspan(at, std::min(size, records.size() - at));
    AMBRY_RETURN_IF_ERROR(shared_->file.check_row(row, record));
    query_.score(row, record.data());
  }
  return {};
}

std::string ListLookup::hits() {
  const auto& begins = shared_->file.lists().begins;
  io::Json result = io::Json::array();
  for (const search::IvfHit& hit : query_.hits()) {
    const auto after = std::ranges::upper_bound(begins, hit.row);
    const auto list = static_cast<uint32_t>(after - begins.begin() - 1);
    io::Json& entry = result.append(io::Json::object());
    entry.set("position", hit.position);
    entry.set("score", double{hit.score});
    entry.set("list", list);
    entry.set("at", hit.row - begins[list]);
  }
  return result.dump();
}

}  // namespace ambry::api
