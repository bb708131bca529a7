#include "text/grammar/schema/string_formats.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <string>

#include "base/concat.h"
#include "text/grammar/form/code_point_set.h"
#include "text/grammar/form/regex.h"

namespace ambry::text {
namespace {

struct StringFormat {
  std::string_view name;
  std::string_view pattern;
};

// Months by their lengths. February has a 29th in years that 4 divides, but of the full centuries
// only in those that 400 divides.
#define AMBRY_DATE                                                  \
  "(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])"        \
  "|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))" \
  "|(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)"
// Without leap seconds, which exist only at some times.
#define AMBRY_TIME                                       \
  "(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?" \
  "(?:Z|[+\\-](?:[01]\\d|2[0-3]):[0-5]\\d)"
#define AMBRY_BYTE "(?:\\d|[1-9]\\d|1\\d\\d|2[0-4]\\d|25[0-5])"

constexpr std::array<StringFormat, 5> kFormats = {{
    {"date", AMBRY_DATE},
    {"time", AMBRY_TIME},
    {"date-time", AMBRY_DATE "T" AMBRY_TIME},
    {"uuid", "[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}"},
    {"ipv4", AMBRY_BYTE "\\." AMBRY_BYTE "\\." AMBRY_BYTE "\\." AMBRY_BYTE},
}};

#undef AMBRY_DATE
#undef AMBRY_TIME
#undef AMBRY_BYTE

}  // namespace

std::optional<Grammar::Expression> string_format(Grammar& grammar, std::string_view name) {
  const auto* format = std::ranges::find(kFormats, name, &StringFormat::name);
  if (format == kFormats.end()) return std::nullopt;
  const auto made = parse_regex(grammar, format->pattern, "format", RegexMatch::Whole, utf8_of);
  assert(made);
  return *made;
}

std::string string_format_names() { return comma_list(kFormats, &StringFormat::name); }

}  // namespace ambry::text
