#include "formats/wordvec/text_rows.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "formats/wordvec/decimals.h"
#include "formats/wordvec/wordvec_header.h"

namespace ambry::formats::wordvec {
namespace {

// The rows that tell how long the vectors are.
constexpr size_t kRowsToMeasure = 100;

std::string_view first_field(std::string_view text) { return take_field(text); }

std::string_view last_field(std::string_view text) {
  const auto begin = std::find_if(text.rbegin(), text.rend(), is_space).base();
  return {begin, text.end()};
}

bool has_fraction(std::string_view number) {
  return number.find_first_of(".eE") != std::string_view::npos;
}

struct Widths {
  std::array<std::pair<uint64_t, uint64_t>, kRowsToMeasure> counts{};  // a width, and how many rows
  size_t n_widths = 0;

  void add(uint64_t width) {
    const auto known = std::span(counts).first(n_widths);
    const auto found = std::ranges::find(known, width, &std::pair<uint64_t, uint64_t>::first);
    if (found == known.end()) {
      counts[n_widths++] = {width, 1};
    } else {
      ++found->second;
    }
  }
};

}  // namespace

uint64_t count_fields(std::string_view line) {
  uint64_t count = 0;
  bool inside = false;
  for (const char c : line) {
    const bool space = is_space(c);
    if (!space && !inside) ++count;
    inside = !space;
  }
  return count;
}

TextRow split_row(std::string_view line, uint64_t dims) {
  const uint64_t n_fields = count_fields(line);
  std::string_view rest = line;
  std::string_view word = take_field(rest);
  if (n_fields > 0 && n_fields == dims && is_space(line.front()) && is_decimal(word)) {
    return {line.substr(0, 0), line, n_fields};
  }
  uint64_t n_values = n_fields > 0 ? n_fields - 1 : 0;
  for (; dims > 0 && n_values > dims; --n_values) {
    const std::string_view more = take_field(rest);
    word = {word.data(), static_cast<size_t>(more.data() + more.size() - word.data())};
  }
  return {word, rest, n_values};
}

bool is_blank(std::string_view line) { return std::ranges::all_of(line, is_space); }

bool is_comment(std::string_view line, uint64_t dims) {
  if (!first_field(line).starts_with('#')) return false;
  return dims == 0 || count_numbers_at_end(line) < dims;
}

uint64_t usual_width(std::string_view text, bool whole) {
  Widths widths;
  for (size_t n_rows = 0; !text.empty() && n_rows < kRowsToMeasure;) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos && !whole) break;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (is_blank(line)) continue;
    const uint64_t width = count_numbers_at_end(line);
    if (width == 0) continue;
    widths.add(width);
    ++n_rows;
  }
  const auto known = std::span(widths.counts).first(widths.n_widths);
  if (known.empty()) return 0;
  return std::ranges::max_element(known, {}, &std::pair<uint64_t, uint64_t>::second)->first;
}

bool ends_like_a_value(const TextRow& row) {
  const std::string_view last = last_field(row.word);
  if (last.size() == row.word.size() || !is_decimal(last)) return false;
  return has_fraction(last) || !has_fraction(first_field(row.values));
}

}  // namespace ambry::formats::wordvec
