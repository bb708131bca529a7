// A file as a writer lays it out before it has seen one tensor byte: literal pieces and tensors,
// one after another, and the checksums to be filled in while the bytes go by. Whoever writes the
// file (convert) streams the tensors into their places; no writer holds them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "io/range_crcs.h"
#include "model/model.h"

namespace ambry::model {

struct FilePiece {
  static constexpr size_t kLiteral = SIZE_MAX;

  std::vector<uint8_t> bytes;  // of a literal piece
  size_t tensor = kLiteral;    // else: all bytes of this tensor of the model
};

struct FileLayout {
  std::vector<FilePiece> pieces;        // in file order, without gaps
  std::vector<ByteRangeCrc> checksums;  // to be made; `expected` has no meaning yet
  uint64_t total_bytes = 0;

  // At the end of the file.
  void add_bytes(std::vector<uint8_t> bytes);
  void add_zeros(uint64_t n);
  void add_tensor(size_t index, uint64_t bytes);
};

// Takes the bytes of a laid-out file in order and makes its checksums.
class ChecksumWriter {
 public:
  struct Patch {
    uint64_t offset = 0;
    std::vector<uint8_t> bytes;
  };

  explicit ChecksumWriter(const FileLayout& layout);
  // The next bytes of the file. Fills in the checksum fields that lie in them and whose range has
  // passed already.
  void update(MutableBytes bytes);
  // After the last byte: the fields that came before the end of their range.
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
