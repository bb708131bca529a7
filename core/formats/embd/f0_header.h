// The fixed parts of layout F0: the header of 64 bytes, the footer of 16, and the check that the
// sections between them fit.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "io/diagnostics.h"
#include "io/source.h"
#include "model/file/model.h"

namespace ambry::formats::embd {

struct F0Header {
  uint16_t version_minor = 0;
  uint32_t flags = 0;
  uint32_t metadata_offset = 0;
  uint32_t metadata_size = 0;
  uint32_t vocab_offset = 0;
  uint32_t vocab_size = 0;
  uint32_t index_offset = 0;
  uint32_t index_count = 0;
  uint32_t data_offset = 0;
  uint64_t data_size = 0;
  uint64_t total_size = 0;

  [[nodiscard]] bool has(uint32_t flag) const { return (flags & flag) != 0; }
};

// Checks version, flags and the header's own checksum, and that the sizes add up to the file's size
// if that is known.
[[nodiscard]] Result<F0Header> read_f0_header(const io::Source& source,
                                              io::Diagnostics& diagnostics);

// The checksums of the rest of the file in the footer; none when the flag is clear. In a sequential
// source, the footer is left to the code that streams the file.
[[nodiscard]] Result<void> read_f0_footer(const io::Source& source, const F0Header& header,
                                          io::Diagnostics& diagnostics, model::Model& model);

// Sections may come in any order, but must be inside the file and must not overlap.
[[nodiscard]] Result<void> check_f0_sections(const F0Header& header, uint64_t file_bytes,
                                             io::Diagnostics& diagnostics);

}  // namespace ambry::formats::embd
