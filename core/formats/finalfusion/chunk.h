// The header of every chunk, and what the readers of all chunks share.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "io/byte_reader.h"
#include "io/diagnostics.h"

namespace ambry::formats::finalfusion {

struct ChunkHead {
  uint32_t id = 0;
  uint64_t length = 0;  // as stated; other readers ignore it
  uint64_t offset = 0;  // of the chunk's header

  [[nodiscard]] uint64_t payload() const;
  [[nodiscard]] uint64_t stated_end() const;  // UINT64_MAX when it passes 64 bits
};

// The name of a chunk in messages: "NdArray (2)".
[[nodiscard]] std::string chunk_name(uint32_t id);

// Requests `size` bytes at once, or those that exist. Without it, each field would be a network
// request.
[[nodiscard]] Result<void> want(const io::Source& source, uint64_t offset, uint64_t size);

[[nodiscard]] Result<ChunkHead> read_chunk_head(io::ByteReader& reader);

// Compares the stated length with the end of the contents. A length past the end of the file is an
// error; other differences are tolerated.
void check_length(const io::ByteReader& reader, const ChunkHead& head, uint64_t end,
                  uint64_t file_size, io::Diagnostics& diagnostics);

// Reads a type field, which has only one valid value.
[[nodiscard]] Result<void> read_type(io::ByteReader& reader, uint32_t expected, const char* field);

// Reads one to four bytes of padding, which should be zero.
[[nodiscard]] Result<void> read_padding(io::ByteReader& reader, io::Diagnostics& diagnostics);

}  // namespace ambry::formats::finalfusion
