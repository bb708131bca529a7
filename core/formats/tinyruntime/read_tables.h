// Reads the header and tables of a file as a given variant, and finds their faults.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/tinyruntime/tinyruntime_tables.h"
#include "io/diagnostics.h"
#include "io/source.h"
#include "model/cnn/cnn_table.h"

namespace ambry::formats::tinyruntime {

struct FileTables {
  Header header{};
  TablePlaces places;
  uint64_t float_at = 0;  // start of the words; quantized bytes start at places.end
  Bytes bytes;            // of the file, up to places.end
  model::CnnTable table;
  bool sized = true;             // whether the sizes of all layers' parameters are known
  std::vector<uint64_t> faulty;  // offsets of faulty entries, ascending

  [[nodiscard]] uint64_t place_of(CnnKind kind, size_t index) const;
  [[nodiscard]] Entry entry(CnnKind kind, size_t index) const;
  [[nodiscard]] bool is_sound(CnnKind kind, size_t index) const;
};

// Checks the counts, the sizes and the values of the header and of the tables (README.md#rules).
// Stops only where a table or the quantized section does not lie in the file.
[[nodiscard]] Result<FileTables> read_tables(CnnVariant variant, const io::Source& source,
                                             io::Diagnostics& diagnostics);

// `conv[3].stride`, with the name in the page's table.
[[nodiscard]] std::string path_of(CnnKind kind, size_t index, std::string_view field);
// Makes an error about a field of the header.
[[nodiscard]] Failure header_error(ErrorCode code, HeaderField field, const Text& message);

}  // namespace ambry::formats::tinyruntime
