// What files open as by their first bytes: rows beside the registry, which core/opening reads and
// the tables export (api/files/tables.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/registry.h"

namespace ambry::formats {

// How many first bytes of a file the rows look at.
inline constexpr uint64_t kHeadBytes = 1024;

// Which code runs an encoder. Larger code runs what smaller code runs, too.
enum class Code : uint8_t { Usual, EncoderSmall, Encoder, StaticSmall, Static };

// The name of the code: `encoder-small`, `encoder`, `static-small` or `static`. Empty for Usual.
[[nodiscard]] std::string_view code_name(Code code);

// Something that the first bytes must have, or must not have.
struct Mark {
  std::vector<std::string> bytes;             // one of them
  std::optional<uint32_t> at = std::nullopt;  // nothing: anywhere in the head
  bool is_there = true;                       // false: none of them is there

  [[nodiscard]] bool fits(std::string_view head) const;
};

struct OpeningRow {
  std::vector<Mark> marks;
  Runs runs = Runs::Nothing;  // Nothing: only the conversion finds out
  bool converts = false;      // whether the file has to be converted first
  Runs also = Runs::Nothing;  // what it can be converted to besides, when that is asked for
  Code code = Code::Usual;
};

// A file without a row may still be a tinyRuntime network, which has no magic, or a kind of file
// that is only converted.
[[nodiscard]] std::span<const OpeningRow> opening_rows();
// The first of these rows: files that do not run as their format does (Format::runs). A program
// that knows the format of a file needs no others.
[[nodiscard]] std::span<const OpeningRow> other_kind_rows();
// The row that counts, the first whose marks all fit; nullptr when there is none.
[[nodiscard]] const OpeningRow* find_row(std::span<const OpeningRow> rows, std::string_view head);

}  // namespace ambry::formats
