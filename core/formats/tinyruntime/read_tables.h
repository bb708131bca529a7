// Header and tables of a file taken for one of a given variant, with what is wrong in them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/tinyruntime/tables.h"
#include "io/diagnostics.h"
#include "io/source.h"
#include "model/cnn/cnn_table.h"

namespace ambry::formats::tinyruntime {

struct FileTables {
  Header header{};
  TablePlaces places;
  uint64_t float_at = 0;  // the section of words; that of quantised bytes starts at places.end
  Bytes bytes;            // of the file, up to places.end
  model::CnnTable table;
  bool sized = true;             // every layer's parameters are known
  std::vector<uint64_t> faulty;  // places of entries that make no sense, ascending

  [[nodiscard]] uint64_t place_of(CnnKind kind, size_t index) const;
  [[nodiscard]] Entry entry(CnnKind kind, size_t index) const;
  [[nodiscard]] bool is_sound(CnnKind kind, size_t index) const;
};

// Rules 1, 2, 4, 6, 8 and 9 (README.md#rules); only the first two can be fatal.
[[nodiscard]] Result<FileTables> read_tables(CnnVariant variant, const io::Source& source,
                                             io::Diagnostics& diagnostics);

// `conv[3].stride`, under the name of the page's table.
[[nodiscard]] std::string path_of(CnnKind kind, size_t index, std::string_view field);
// An error about a field of the header.
[[nodiscard]] Failure header_error(ErrorCode code, HeaderField field, const Text& message);

}  // namespace ambry::formats::tinyruntime
