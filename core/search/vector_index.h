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
  [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(rows_.size() / dim_); }
  // The caller's text as last loaded; empty for a new index.
  [[nodiscard]] const std::string& header() const { return header_; }

  // Whole rows. BadValue when a number is not finite or the size is no multiple of dim().
  [[nodiscard]] Result<void> append(std::span<const float> rows);

  // BadValue unless the query has dim() finite numbers.
  [[nodiscard]] Result<std::vector<Hit>> search(std::span<const float> query, size_t k) const;

  // The whole file. `header` must be UTF-8.
  [[nodiscard]] Result<AlignedBuffer> save(std::string_view header) const;
  [[nodiscard]] static Result<VectorIndex> load(Bytes file);

 private:
  explicit VectorIndex(uint32_t dim) : dim_(dim) {}

  uint32_t dim_;
  std::string header_;
  std::vector<float> rows_;
};

}  // namespace ambry::search
