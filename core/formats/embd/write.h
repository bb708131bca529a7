// Writes layout F0 as a stream: everything but the tensors is known from their names, types and
// shapes, and the footer's checksums are taken while the bytes go by.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "io/crc32.h"
#include "io/json.h"
#include "model/model.h"

namespace ambry::formats::embd {

struct Layout {
  std::vector<uint8_t> head;  // the file up to the tensor data, padding included
  uint64_t data_end = 0;      // where the footer starts
  uint64_t total_bytes = 0;
};

// Lays out a file of model.metadata (values must be strings), model.tokenizer and model.tensors,
// and sets the tensors' offsets and sizes. Tensors go in the order of the table, each at a multiple
// of 64 with zeros between. BadValue or LimitExceeded for what the format cannot hold.
[[nodiscard]] Result<Layout> lay_out(model::Model& model);

// Takes the bytes of the file in order, from the head to the end of the data.
class Footer {
 public:
  explicit Footer(const Layout& layout) : data_begin_(layout.head.size()) {}
  void update(Bytes bytes);
  [[nodiscard]] std::array<uint8_t, 16> finish() const;

 private:
  uint64_t data_begin_;
  uint64_t position_ = 0;
  io::Crc32 file_;
  io::Crc32 data_;
};

}  // namespace ambry::formats::embd
