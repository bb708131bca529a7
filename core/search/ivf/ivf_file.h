// The file of an index with lists (core/search/README.md): a head with all that a search needs
// before it reads rows, then the codes, the rows and the ids, each list by list. Parts are read and
// checked by range, so that a file may be larger than the memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/bytes.h"
#include "base/result.h"
#include "search/ivf/ivf_index.h"
#include "search/ivf/list_set.h"

namespace ambry::search {

inline constexpr uint32_t kListsVersion = 4;
// So many bytes say how large the head is.
inline constexpr uint32_t kListFileStart = 64;
inline constexpr uint32_t kMostListsOfFile = 65536;
// The values of all centroids together: half a gigabyte as floats.
inline constexpr uint64_t kMostCentroidValues = uint64_t{1} << 27;

struct FileRange {
  uint64_t offset = 0;
  uint64_t size = 0;
};

// The caller's bytes for the rows of a list, one list after another.
struct IvfIds {
  std::vector<uint32_t> sizes;  // of each list
  std::vector<uint32_t> crcs;
};

// Checks the first bytes of a file and says how long the head is.
[[nodiscard]] Result<uint64_t> list_head_size(Bytes start, uint64_t file_size);

class IvfFile {
 public:
  // Checks a whole head. BadMagic, UnsupportedVersion, Truncated, BadValue, Mismatch,
  // LimitExceeded.
  [[nodiscard]] static Result<IvfFile> open(Bytes head, uint64_t file_size);

  [[nodiscard]] const ListSet& lists() const { return lists_; }
  [[nodiscard]] uint64_t file_size() const { return file_size_; }
  // The bytes of the caller in the head.
  [[nodiscard]] Bytes header() const { return header_; }
  [[nodiscard]] uint64_t header_offset() const { return kListFileStart; }

  [[nodiscard]] FileRange codes_of(uint32_t list) const;
  [[nodiscard]] FileRange ids_of(uint32_t list) const;
  [[nodiscard]] FileRange record_of(uint32_t row) const;

  // Mismatch for a wrong checksum or size, BadValue for values that no writer makes.
  [[nodiscard]] Result<void> check_codes(uint32_t list, Bytes codes) const;
  [[nodiscard]] Result<void> check_ids(uint32_t list, Bytes ids) const;
  [[nodiscard]] Result<void> check_row(uint32_t row, Bytes record) const;

 private:
  [[nodiscard]] Result<void> read_centroids(Bytes head, uint64_t offset);
  [[nodiscard]] Result<void> read_table(Bytes head, uint64_t offset, uint64_t n_rows);

  ListSet lists_;
  std::vector<uint8_t> header_;
  std::vector<uint32_t> code_crcs_;
  std::vector<uint32_t> id_crcs_;
  std::vector<uint64_t> id_begins_;  // of each list from the first id on, and the end of the last
  uint64_t data_offset_ = 0;
  uint64_t rows_offset_ = 0;
  uint64_t ids_offset_ = 0;
  uint64_t file_size_ = 0;
};

// The head of the file of an index. Its codes, its rows and the ids follow. LimitExceeded when the
// heap is full, Mismatch when there are ids for another number of lists.
[[nodiscard]] Result<AlignedBuffer> write_list_head(const IvfIndex& index, Bytes header,
                                                    const IvfIds& ids);

}  // namespace ambry::search
