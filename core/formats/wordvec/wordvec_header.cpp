#include "formats/wordvec/wordvec_header.h"

#include <array>

#include "base/checked.h"
#include "base/utf8.h"

namespace ambry::formats::wordvec {
namespace {

Failure bad_header(const Text& field, const Text& message) {
  return error_at(ErrorCode::BadValue, 0, {"header.", field.str()}, message);
}

Result<uint64_t> count_field(std::string_view text, const char* field) {
  if (const auto count = parse_count(text)) return *count;
  return bad_header(field, "a whole number is expected");
}

// The 8 fields are one space apart, because brackets may contain other white space.
Result<Header> parse_floret(std::string_view line) {
  constexpr std::array kNumbers = {"rows", "dims", "min_n", "max_n", "n_hashes", "seed"};
  std::array<uint64_t, kNumbers.size()> numbers{};
  for (size_t i = 0; i < numbers.size(); ++i) {
    const size_t end = line.find(' ');
    if (end == std::string_view::npos) {
      return bad_header(kNumbers[i], "a floret file starts with 8 fields");
    }
    AMBRY_TRY(numbers[i], count_field(line.substr(0, end), kNumbers[i]));
    line.remove_prefix(end + 1);
  }
  const size_t end = line.find(' ');
  if (end == std::string_view::npos) return bad_header("eow", "it is missing");
  Header header;
  header.rows = numbers[0];
  header.dims = numbers[1];
  if (numbers[2] == 0 || numbers[2] > numbers[3] || numbers[3] > UINT32_MAX) {
    return bad_header("min_n", {"n-grams of ", numbers[2], " to ", numbers[3], " characters"});
  }
  if (numbers[4] == 0 || numbers[4] > 4) {
    return bad_header("n_hashes", {numbers[4], ", must be 1 to 4"});
  }
  header.min_n = static_cast<uint32_t>(numbers[2]);
  header.max_n = static_cast<uint32_t>(numbers[3]);
  header.n_hashes = static_cast<uint32_t>(numbers[4]);
  header.seed = static_cast<uint32_t>(numbers[5]);  // the reference ignores the rest
  header.bow = line.substr(0, end);
  header.eow = line.substr(end + 1);
  if (find_invalid_utf8(line)) return bad_header("bow", "not valid UTF-8");
  return header;
}

// Other programs write several spaces, or a carriage return.
Result<Header> parse_two_counts(std::string_view line) {
  Header header;
  AMBRY_TRY(header.rows, count_field(take_field(line), "rows"));
  AMBRY_TRY(header.dims, count_field(take_field(line), "dims"));
  if (!take_field(line).empty())
    return bad_header("dims", "more than two numbers stand in the first line");
  return header;
}

}  // namespace

std::string_view take_field(std::string_view& rest) {
  size_t begin = 0;
  while (begin < rest.size() && is_space(rest[begin])) ++begin;
  size_t end = begin;
  while (end < rest.size() && !is_space(rest[end])) ++end;
  const std::string_view field = rest.substr(begin, end - begin);
  rest.remove_prefix(end);
  return field;
}

std::optional<uint64_t> parse_count(std::string_view text) {
  if (text.empty()) return std::nullopt;
  uint64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    const auto shifted = checked_mul(value, 10);
    const auto next =
        shifted ? checked_add(*shifted, static_cast<uint64_t>(c - '0')) : std::nullopt;
    if (!next) return std::nullopt;
    value = *next;
  }
  return value;
}

Result<Header> parse_header_fields(Form form, std::string_view line) {
  return form == Form::Floret ? parse_floret(line) : parse_two_counts(line);
}

Result<void> check_shape(const Header& header) {
  if (header.rows == 0) return bad_header("rows", "there must be a row");
  if (header.dims == 0) return bad_header("dims", "vectors of no numbers");
  if (header.dims <= kMaxDims) return {};
  return error_at(ErrorCode::LimitExceeded, 0, "header.dims",
                  {header.dims, " numbers a vector, at most ", kMaxDims});
}

Result<Header> parse_header(Form form, std::string_view line) {
  AMBRY_TRY(Header header, parse_header_fields(form, line));
  AMBRY_RETURN_IF_ERROR(check_shape(header));
  return header;
}

std::string print_header(Form form, const Header& header) {
  if (form == Form::Text) return {};
  if (form != Form::Floret) return concat({header.rows, " ", header.dims, "\n"});
  return concat({header.rows, " ", header.dims, " ", header.min_n, " ", header.max_n, " ",
                 header.n_hashes, " ", header.seed, " ", header.bow, " ", header.eow, "\n"});
}

}  // namespace ambry::formats::wordvec
