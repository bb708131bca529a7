// Vectors to search in, and the file that keeps them (README.md has the layout). What the rows
// stand for is the caller's: the file carries a text beside them, which this room does not
// interpret.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/bytes.h"
#include "base/result.h"
#include "search/top_k.h"

namespace ambry::search {

class VectorIndex {
 public:
  static constexpr uint32_t kMaxDim = 65536;

  // An empty index of `dim` numbers a row; 1 <= dim <= kMaxDim, else BadValue.
  [[nodiscard]] static Result<VectorIndex> create(uint32_t dim);

  [[nodiscard]] uint32_t dim() const { return dim_; }
  [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(n_floats_ / dim_); }
  // The caller's text as last loaded; empty for a new index.
  [[nodiscard]] const std::string& header() const { return header_; }

  // Whole rows. BadValue when a number is not finite or the size is no multiple of dim();
  // LimitExceeded when the heap cannot hold them.
  [[nodiscard]] Result<void> append(std::span<const float> rows);

  // BadValue unless the query has dim() finite numbers.
  [[nodiscard]] Result<std::vector<Hit>> search(std::span<const float> query, size_t k) const;

  // The whole file. `header` must be UTF-8.
  [[nodiscard]] Result<AlignedBuffer> save(std::string_view header) const;
  [[nodiscard]] static Result<VectorIndex> load(Bytes file);

 private:
  explicit VectorIndex(uint32_t dim) : dim_(dim) {}

  [[nodiscard]] std::span<const float> rows() const { return rows_.as<float>().first(n_floats_); }
  // Makes room for this many numbers in all.
  [[nodiscard]] Result<void> reserve(uint64_t n_floats);

  uint32_t dim_;
  std::string header_;
  AlignedBuffer rows_;  // with room behind the last one
  size_t n_floats_ = 0;
};

}  // namespace ambry::search
