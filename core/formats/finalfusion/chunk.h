// The head that every chunk has, and what the readers of all chunks do with it.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "io/byte_reader.h"
#include "io/diagnostics.h"

namespace ambry::formats::finalfusion {

struct ChunkHead {
  uint32_t id = 0;
  uint64_t length = 0;  // as stated; other readers go by the contents
  uint64_t offset = 0;  // of the chunk, its head included

  [[nodiscard]] uint64_t payload() const;
  [[nodiscard]] uint64_t stated_end() const;  // UINT64_MAX when it passes 64 bits
};

// What one is called in messages: "NdArray (2)".
[[nodiscard]] std::string chunk_name(uint32_t id);

// Asks for `size` bytes at once, or for those that there are: without it every field would be a
// request over the network.
[[nodiscard]] Result<void> want(const io::Source& source, uint64_t offset, uint64_t size);

[[nodiscard]] Result<ChunkHead> read_chunk_head(io::ByteReader& reader);

// Compares the stated length with the place where the contents end. Past the end of the file is an
// error; otherwise tolerated.
void check_length(const io::ByteReader& reader, const ChunkHead& head, uint64_t end,
                  uint64_t file_size, io::Diagnostics& diagnostics);

// A type field, which knows one value only.
[[nodiscard]] Result<void> read_type(io::ByteReader& reader, uint32_t expected, const char* field);

// Passes over one to four bytes, which should be zero.
[[nodiscard]] Result<void> read_padding(io::ByteReader& reader, io::Diagnostics& diagnostics);

}  // namespace ambry::formats::finalfusion
