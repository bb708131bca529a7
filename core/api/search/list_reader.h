// The file of an index with lists for JavaScript, which reads parts of it when a query wants them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/bytes.h"
#include "base/result.h"
#include "search/ivf/ivf_file.h"
#include "search/ivf/ivf_query.h"

namespace ambry::api {

class ListReader {
 public:
  // How many bytes the head has, by the first search::kListFileStart bytes.
  [[nodiscard]] static Result<uint64_t> head_size(Bytes start, uint64_t file_size) {
    return search::list_head_size(start, file_size);
  }
  [[nodiscard]] static Result<ListReader> open(Bytes head, uint64_t file_size);

  // JSON: {dim, size, int8, lists, rowsOffset, recordSize}. Without codes, `lists` is 0.
  [[nodiscard]] std::string facts() const;
  [[nodiscard]] Bytes header() const { return shared_->file.header(); }

  // Checks the bytes of a list before they are used. See search::IvfFile.
  [[nodiscard]] Result<void> check_codes(uint32_t list, Bytes codes) const;
  [[nodiscard]] Result<void> check_ids(uint32_t list, Bytes ids) const;

 private:
  friend class ListLookup;

  struct Shared {
    search::IvfFile file;
    search::Rotation rotation;
  };

  explicit ListReader(std::shared_ptr<const Shared> shared) : shared_(std::move(shared)) {}
  [[nodiscard]] Result<void> check_list(uint32_t list) const;

  std::shared_ptr<const Shared> shared_;
};

// A query over such a file.
class ListLookup {
 public:
  [[nodiscard]] static Result<ListLookup> begin(const ListReader& reader,
                                                std::span<const float> query, size_t k,
                                                uint32_t candidates);

  // JSON: [{list, rows, codes: [offset, size], ids: [offset, size]}] of the lists from `first` on,
  // in the order in which they should be read.
  [[nodiscard]] std::string lists(size_t first, size_t count) const;
  // Compares the rows of a list by their codes, which were checked.
  [[nodiscard]] Result<void> scan(uint32_t list, Bytes codes, Bytes marks);
  // JSON: the numbers of the rows whose records are wanted.
  [[nodiscard]] std::string candidates();
  // Checks and scores rows that follow one another in the file, from `row` on.
  [[nodiscard]] Result<void> score(uint32_t row, Bytes records);
  // JSON: [{position, score, list, at}]. `at` is the place in the list.
  [[nodiscard]] std::string hits();

 private:
  ListLookup(std::shared_ptr<const ListReader::Shared> shared, search::IvfQuery query);

  std::shared_ptr<const ListReader::Shared> shared_;
  search::IvfQuery query_;
  std::vector<uint32_t> order_;
};

}  // namespace ambry::api
