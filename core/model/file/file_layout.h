// The layout of a file before any tensor byte is written: literal pieces and tensors, one after
// another, and the checksums to fill in while the bytes stream by. The code that writes the file
// (convert) streams each tensor into its place, so no writer needs all tensors in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "io/range_crcs.h"
#include "model/file/model.h"

namespace ambry::model {

struct FilePiece {
  static constexpr size_t kLiteral = SIZE_MAX;

  std::vector<uint8_t> bytes;  // bytes of a literal piece
  size_t tensor = kLiteral;    // otherwise: index of a tensor of the model, all of its bytes
};

struct FileLayout {
  std::vector<FilePiece> pieces;        // in file order, without gaps
  std::vector<ByteRangeCrc> checksums;  // checksums to compute; `expected` is not used yet
  uint64_t total_bytes = 0;

  // Each of these appends to the file.
  void add_bytes(std::vector<uint8_t> bytes);
  void add_zeros(uint64_t n);
  void add_tensor(size_t index, uint64_t bytes);
};

// The error for bytes whose CRC is not the stated one.
[[nodiscard]] Failure crc_mismatch(const ByteRangeCrc& stated, uint32_t found);

// Computes the checksums of a file while its bytes are written in order.
class ChecksumWriter {
 public:
  struct Patch {
    uint64_t offset = 0;
    std::vector<uint8_t> bytes;
  };

  explicit ChecksumWriter(const FileLayout& layout);
  // Takes the next bytes of the file. Fills in the checksum fields among these bytes whose ranges
  // have already ended.
  void update(MutableBytes bytes);
  // Call after the last byte. Returns the checksum fields that come before the end of their range.
  [[nodiscard]] std::vector<Patch> finish();

 private:
  struct Running {
    ByteRangeCrc field;
    bool written = false;
  };

  std::vector<Running> running_;
  io::RangeCrcs crcs_;
  uint64_t position_ = 0;
};

}  // namespace ambry::model
