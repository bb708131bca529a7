#include "formats/wordvec/decimals.h"

#include <algorithm>
#include <array>

#include "formats/wordvec/wordvec_header.h"
#include "io/ascii.h"
#include "io/number/parse_float.h"

namespace ambry::formats::wordvec {
namespace {

// As C, Python, JavaScript and older C runtimes of Windows print them, in lower case, without a
// sign.
constexpr std::array<std::string_view, 6> kNotFinite = {"nan",     "inf",    "infinity",
                                                        "1.#qnan", "1.#inf", "1.#ind"};

bool is_not_finite(std::string_view field) {
  if (field.starts_with('-') || field.starts_with('+')) field.remove_prefix(1);
  return std::ranges::any_of(kNotFinite, [&](std::string_view spelling) {
    return std::ranges::equal(field, spelling, {}, io::to_lower);
  });
}

// Floats have bytes of every value. No text has these.
bool has_control_characters(std::string_view text) {
  return std::ranges::any_of(text, [](char c) {
    return (c >= '\0' && c < ' ' && !is_space(c) && c != '\v') || c == '\x7F';
  });
}

}  // namespace

bool is_decimal(std::string_view field) {
  return io::parse_float(field).has_value() || is_not_finite(field);
}

uint64_t count_numbers_at_end(std::string_view line) {
  uint64_t count = 0;
  take_field(line);
  for (auto field = take_field(line); !field.empty(); field = take_field(line)) {
    count = is_decimal(field) ? count + 1 : 0;
  }
  return count;
}

FieldCounts count_fields_behind_word(std::string_view line) {
  FieldCounts counts;
  take_field(line);
  for (auto field = take_field(line); !field.empty(); field = take_field(line)) {
    ++(is_decimal(field) ? counts.numbers : counts.others);
  }
  return counts;
}

bool is_rows_of_decimals(std::string_view head, bool whole) {
  if (has_control_characters(head)) return false;
  if (!whole)
    head = head.substr(0, head.find_last_of(" \t\r\n\f") + 1);  // the last field may be cut
  FieldCounts sum;
  while (!head.empty()) {
    const size_t end = std::min(head.find('\n'), head.size() - 1);
    const FieldCounts counts = count_fields_behind_word(head.substr(0, end + 1));
    sum.numbers += counts.numbers;
    sum.others += counts.others;
    head.remove_prefix(end + 1);
  }
  return sum.numbers > sum.others;
}

}  // namespace ambry::formats::wordvec
