#include "io/toml/toml_scalar.h"

#include <array>
#include <cstdint>
#include <limits>
#include <string>

#include "io/ascii.h"
#include "io/number/parse_double.h"

namespace ambry::io {
namespace {

int digit_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

// Removes the underscores. Each must stand between two digits of the base.
std::optional<std::string> without_underscores(std::string_view token, int base) {
  std::string plain;
  for (size_t i = 0; i < token.size(); ++i) {
    if (token[i] != '_') {
      plain += token[i];
      continue;
    }
    if (i == 0 || i + 1 == token.size()) return std::nullopt;
    if (digit_value(token[i - 1]) >= base || digit_value(token[i + 1]) >= base) return std::nullopt;
  }
  return plain;
}

// Parses an integer of at most `limit`.
std::optional<uint64_t> parse_integer(std::string_view digits, unsigned base, uint64_t limit) {
  if (digits.empty()) return std::nullopt;
  uint64_t value = 0;
  for (const char c : digits) {
    const auto digit = static_cast<unsigned>(digit_value(c));
    if (digit >= base || value > (limit - digit) / base) return std::nullopt;
    value = value * base + digit;
  }
  return value;
}

std::optional<Json> parse_prefixed_integer(std::string_view token) {
  const unsigned base = token[1] == 'x' ? 16 : token[1] == 'o' ? 8 : 2;
  const auto digits = without_underscores(token.substr(2), static_cast<int>(base));
  if (!digits) return std::nullopt;
  const auto value = parse_integer(*digits, base, std::numeric_limits<int64_t>::max());
  return value ? std::optional<Json>(*value) : std::nullopt;
}

// Takes the leading digits off `text`.
std::string_view take_digits(std::string_view& text) {
  size_t n = 0;
  while (n < text.size() && is_digit(text[n])) ++n;
  const std::string_view digits = text.substr(0, n);
  text.remove_prefix(n);
  return digits;
}

// `text` has neither sign nor underscores.
bool is_float(std::string_view text) {
  const std::string_view whole = take_digits(text);
  if (whole.empty() || (whole.size() > 1 && whole[0] == '0')) return false;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (take_digits(text).empty()) return false;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
    if (take_digits(text).empty()) return false;
  }
  return text.empty();
}

std::optional<Json> parse_decimal(std::string_view token) {
  const bool negative = token[0] == '-';
  if (negative || token[0] == '+') token.remove_prefix(1);
  if (token == "inf" || token == "nan") {
    const double value = token == "inf" ? std::numeric_limits<double>::infinity()
                                        : std::numeric_limits<double>::quiet_NaN();
    return Json(negative ? -value : value);
  }
  const auto plain = without_underscores(token, 10);
  if (!plain || !is_float(*plain)) return std::nullopt;
  if (plain->find_first_not_of("0123456789") != std::string::npos) {
    const double value = parse_double(*plain);
    return Json(negative ? -value : value);
  }
  constexpr uint64_t kMax = std::numeric_limits<int64_t>::max();
  const auto value = parse_integer(*plain, 10, negative ? kMax + 1 : kMax);
  if (!value) return std::nullopt;
  return negative ? Json(static_cast<int64_t>(~*value + 1)) : Json(*value);
}

// Takes two leading digits off `text`, if their value is at most `limit`.
std::optional<unsigned> take_two(std::string_view& text, unsigned limit) {
  if (text.size() < 2 || !is_digit(text[0]) || !is_digit(text[1])) return std::nullopt;
  const auto value = static_cast<unsigned>((text[0] - '0') * 10 + (text[1] - '0'));
  text.remove_prefix(2);
  return value <= limit ? std::optional(value) : std::nullopt;
}

bool take_one(std::string_view& text, std::string_view any_of) {
  if (text.empty() || any_of.find(text[0]) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

bool take_date(std::string_view& text) {
  const auto century = take_two(text, 99);
  const auto rest = century ? take_two(text, 99) : std::nullopt;
  if (!rest || !take_one(text, "-")) return false;
  const auto month = take_two(text, 12);
  if (!month || *month == 0 || !take_one(text, "-")) return false;
  static constexpr std::array<unsigned, 12> kDays = {31, 29, 31, 30, 31, 30,
                                                     31, 31, 30, 31, 30, 31};
  const auto day = take_two(text, kDays[*month - 1]);
  if (!day || *day == 0) return false;
  const unsigned year = *century * 100 + *rest;
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return *month != 2 || *day < 29 || leap;
}

bool take_time(std::string_view& text) {
  if (!take_two(text, 23) || !take_one(text, ":") || !take_two(text, 59) || !take_one(text, ":") ||
      !take_two(text, 60)) {
    return false;
  }
  return !take_one(text, ".") || !take_digits(text).empty();
}

bool take_zone(std::string_view& text) {
  if (text.empty() || take_one(text, "Zz")) return true;
  return take_one(text, "+-") && take_two(text, 23) && take_one(text, ":") && take_two(text, 59);
}

bool is_date_or_time(std::string_view token) {
  std::string_view text = token;
  if (take_time(text)) return text.empty();
  text = token;
  if (!take_date(text)) return false;
  return text.empty() ||
         (take_one(text, "Tt ") && take_time(text) && take_zone(text) && text.empty());
}

}  // namespace

bool is_toml_date(std::string_view token) { return take_date(token) && token.empty(); }

std::optional<Json> toml_scalar(std::string_view token) {
  if (token == "true") return Json(true);
  if (token == "false") return Json(false);
  if (token.size() > 2 && token[0] == '0' &&
      (token[1] == 'x' || token[1] == 'o' || token[1] == 'b')) {
    return parse_prefixed_integer(token);
  }
  if (token.empty()) return std::nullopt;
  if (is_date_or_time(token)) return Json(token);
  return parse_decimal(token);
}

}  // namespace ambry::io
