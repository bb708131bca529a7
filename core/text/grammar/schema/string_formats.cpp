#include "text/grammar/schema/string_formats.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <string>

#include "base/concat.h"
#include "text/grammar/form/regex.h"
#include "text/grammar/schema/json_text.h"

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

// A label of a host: no hyphen at its ends, and no two in a row.
#define AMBRY_LABEL "[0-9A-Za-z](?:-?[0-9A-Za-z]){0,30}"
// Such a label of any length, which takes few states where its length is limited, too.
#define AMBRY_NAME "[0-9A-Za-z]+(?:-[0-9A-Za-z]+)*"
#define AMBRY_ATOM "[\\w!#$%&'*+/=?^`{|}~\\-]+"
#define AMBRY_HEX "[0-9A-Fa-f]{1,4}"
#define AMBRY_HEAD(n) "(?:" AMBRY_HEX ":){1," n "}"
#define AMBRY_TAIL(n) "(?::" AMBRY_HEX "){1," n "}"
// Characters of an address: those of a host, of a path, and after ? and #.
#define AMBRY_URI(more) "(?:[\\w.~!$&'()*+,;=\\-" more "]|%[0-9A-Fa-f]{2})"
#define AMBRY_PATH AMBRY_URI(":@")
#define AMBRY_QUERY AMBRY_URI(":@/?") "*"
#define AMBRY_PARTS(a, b, c)                                                        \
  "(?:\\d{1,9}" a "(?:\\d{1,9}" b "(?:\\d{1,9}" c ")?)?|\\d{1,9}" b "(?:\\d{1,9}" c \
  ")?|\\d{1,9}" c ")"

constexpr std::array<StringFormat, 12> kFormats = {{
    {"date", AMBRY_DATE},
    {"time", AMBRY_TIME},
    {"date-time", AMBRY_DATE "T" AMBRY_TIME},
    {"duration", "P(?:\\d{1,9}W|" AMBRY_PARTS("Y", "M", "D") "(?:T" AMBRY_PARTS(
                     "H", "M", "S") ")?|T" AMBRY_PARTS("H", "M", "S") ")"},
    {"uuid", "[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}"},
    {"email", AMBRY_ATOM "(?:\\." AMBRY_ATOM ")*@(?:" AMBRY_NAME "\\.)+" AMBRY_NAME},
    {"hostname", AMBRY_LABEL "(?:\\." AMBRY_LABEL "){0,3}"},
    {"ipv4", AMBRY_BYTE "\\." AMBRY_BYTE "\\." AMBRY_BYTE "\\." AMBRY_BYTE},
    {"ipv6", "(?:" AMBRY_HEX ":){7}" AMBRY_HEX "|" AMBRY_HEAD("7") ":|" AMBRY_HEAD(
                 "6") ":" AMBRY_HEX "|" AMBRY_HEAD("5") AMBRY_TAIL("2") "|" AMBRY_HEAD("4")
                 AMBRY_TAIL("3") "|" AMBRY_HEAD("3") AMBRY_TAIL("4") "|" AMBRY_HEAD("2")
                     AMBRY_TAIL("5") "|" AMBRY_HEX ":" AMBRY_TAIL("6") "|:" AMBRY_TAIL("7") "|::"},
    {"uri", "[A-Za-z][A-Za-z0-9+.\\-]*:(?://(?:" AMBRY_URI(":") "*@)?" AMBRY_URI(
                "") "*(?::\\d{0,5})?"
                    "(?:/" AMBRY_PATH "*)*|/|/?" AMBRY_PATH "+(?:/" AMBRY_PATH "*)*)"
                    "(?:\\?" AMBRY_QUERY ")?(?:#" AMBRY_QUERY ")?"},
    {"json-pointer", "(?:/(?:[^~/]|~[01])*)*"},
    {"byte", "(?:[\\dA-Za-z+/]{4})*(?:[\\dA-Za-z+/]{2}==|[\\dA-Za-z+/]{3}=)?"},
}};

#undef AMBRY_DATE
#undef AMBRY_TIME
#undef AMBRY_BYTE
#undef AMBRY_LABEL
#undef AMBRY_NAME
#undef AMBRY_ATOM
#undef AMBRY_HEX
#undef AMBRY_HEAD
#undef AMBRY_TAIL
#undef AMBRY_URI
#undef AMBRY_PATH
#undef AMBRY_QUERY
#undef AMBRY_PARTS

}  // namespace

std::optional<Grammar::Expression> string_format(Grammar& grammar, std::string_view name) {
  const auto* format = std::ranges::find(kFormats, name, &StringFormat::name);
  if (format == kFormats.end()) return std::nullopt;
  const auto made = parse_regex(grammar, format->pattern, "format", RegexMatch::Whole, json_char);
  assert(made);
  return *made;
}

bool is_string_format(std::string_view name) {
  return std::ranges::count(kFormats, name, &StringFormat::name) > 0;
}

std::string string_format_names() { return comma_list(kFormats, &StringFormat::name); }

}  // namespace ambry::text
