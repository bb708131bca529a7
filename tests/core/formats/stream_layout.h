// Writes a laid-out file as a caller does: literal pieces as they are, tensors from their source,
// checksums as the bytes go by.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/file/file_layout.h"

namespace ambry::formats::testing {

// `from` is the model as it was read, before lay_out() gave its tensors new places; `source` the
// file it was read from.
inline std::vector<uint8_t> stream(const model::FileLayout& layout, const model::Model& from,
                                   const std::vector<uint8_t>& source) {
  model::ChecksumWriter writer(layout);
  std::vector<uint8_t> file;
  for (const model::FilePiece& piece : layout.pieces) {
    std::vector<uint8_t> bytes = piece.bytes;
    if (piece.tensor != model::FilePiece::kLiteral) {
      const model::TensorEntry& tensor = from.tensors[piece.tensor];
      const auto begin = source.begin() + static_cast<std::ptrdiff_t>(tensor.offset);
      bytes.assign(begin, begin + static_cast<std::ptrdiff_t>(tensor.bytes));
    }
    writer.update(bytes);
    file.insert(file.end(), bytes.begin(), bytes.end());
  }
  for (const model::ChecksumWriter::Patch& patch : writer.finish()) {
    std::copy(patch.bytes.begin(), patch.bytes.end(),
              file.begin() + static_cast<std::ptrdiff_t>(patch.offset));
  }
  return file;
}

}  // namespace ambry::formats::testing
