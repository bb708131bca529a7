// The file of an index with lists: reading it never crashes, and what reads can be searched. The
// checksum of the head is made right, for behind it are most of the checks.
#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "io/crc32.h"
#include "search/ivf/ivf_file.h"
#include "search/ivf/ivf_query.h"
#include "search/ivf/row_store.h"

namespace {

using ambry::Bytes;
using ambry::search::FileRange;

// More is not handed out by fuzzers, and copying it is no part of the test.
constexpr size_t kMostListBytes = size_t{1} << 22U;

// A range that a reader gives lies in the file.
Bytes part_of(const std::vector<uint8_t>& file, FileRange range) {
  if (range.offset > file.size() || range.size > file.size() - range.offset) std::abort();
  return Bytes(file).subspan(static_cast<size_t>(range.offset), static_cast<size_t>(range.size));
}

void search_lists(const std::vector<uint8_t>& bytes, const ambry::search::IvfFile& file) {
  const auto& lists = file.lists();
  const ambry::search::Rotation rotation(lists.dim);
  const std::vector<float> query(lists.dim, 0.5F);
  auto unit = ambry::search::unit_query(query, lists.dim);
  if (!unit) std::abort();
  ambry::search::IvfQuery run(lists, rotation, std::move(unit).value(), 10, 20);
  for (const uint32_t list : run.order()) {
    const Bytes codes = part_of(bytes, file.codes_of(list));
    static_cast<void>(file.check_ids(list, part_of(bytes, file.ids_of(list))));
    if (file.check_codes(list, codes)) run.scan(list, codes, {});
  }
  for (const uint32_t row : run.candidates()) {
    const Bytes record = part_of(bytes, file.record_of(row));
    if (file.check_row(row, record)) run.score(row, record.data());
  }
  if (run.hits().size() > 10) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > kMostListBytes) return 0;
  std::vector<uint8_t> bytes(data, data + size);
  const auto head_size = ambry::search::list_head_size(bytes, size);
  if (!head_size) return 0;
  const auto head = static_cast<size_t>(std::min<uint64_t>(*head_size, size));
  if (head >= sizeof(uint32_t)) {
    const size_t at = head - sizeof(uint32_t);
    ambry::store_le(bytes.data() + at, ambry::io::crc32(Bytes(bytes).first(at)));
  }
  const auto file = ambry::search::IvfFile::open(Bytes(bytes).first(head), size);
  if (file) search_lists(bytes, *file);
  return 0;
}
