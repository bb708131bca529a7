// The file of an index of sparse vectors: loading never crashes, and what loads can be searched and
// is saved as it was. The checksum is made right, for behind it are most of the checks.
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "io/crc32.h"
#include "search/sparse/sparse_index.h"

namespace {

// More is not handed out by fuzzers, and copying it is no part of the test.
constexpr size_t kMostSparseBytes = size_t{1} << 24U;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > kMostSparseBytes) return 0;
  auto memory = ambry::AlignedBuffer::allocate(size);
  if (!memory) return 0;
  std::copy_n(data, size, memory->data());
  if (size >= sizeof(uint32_t)) {
    const size_t at = size - sizeof(uint32_t);
    ambry::store_le(memory->data() + at, ambry::io::crc32(memory->bytes().first(at)));
  }
  auto index = ambry::search::SparseIndex::load(std::move(memory).value());
  if (!index) return 0;
  const std::vector<float> query = {0, 0.5F, static_cast<float>(index->dim() - 1), 2};
  const auto hits = index->search(query, {}, 10);
  if (!hits || hits->size() > std::min<size_t>(10, index->size())) std::abort();
  const auto saved = index->save(index->origin().header);
  if (!saved) return 0;
  const bool same = saved->head_size + saved->rows.size() + saved->tail().size() == size &&
                    std::equal(saved->head().begin(), saved->head().end(), data) &&
                    std::equal(saved->rows.begin(), saved->rows.end(), data + saved->head_size);
  if (!same) std::abort();
  return 0;
}
