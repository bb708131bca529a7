#include "formats/wordvec/probe.h"

#include <algorithm>
#include <cmath>

#include "base/bytes.h"
#include "base/utf8.h"
#include "formats/wordvec/decimals.h"
#include "formats/wordvec/text_rows.h"

namespace ambry::formats::wordvec {
namespace {

constexpr uint64_t kHeadBytes = 32 << 10;
// A line with a word and this many numbers is not prose.
constexpr uint64_t kConvincing = 8;
// The largest plausible value in a vector.
constexpr float kUsual = 1e4F;

// The first line, which is taken off `text`, and whether its end was found.
struct Line {
  std::string_view text;
  bool whole = false;
};

Line take_line(std::string_view& text) {
  const size_t end = text.find('\n');
  const Line line{text.substr(0, end), end != std::string_view::npos};
  text.remove_prefix(line.whole ? end + 1 : text.size());
  return line;
}

// Goes on to the first line that is a header or a row.
void pass_over_lines(std::string_view& head) {
  if (head.starts_with(kByteOrderMark)) head.remove_prefix(kByteOrderMark.size());
  for (std::string_view rest = head; !rest.empty(); head = rest) {
    const Line line = take_line(rest);
    if (!line.whole || (!is_blank(line.text) && !is_comment(line.text, 0))) return;
  }
}

// Rows of words with vectors of one length.
bool are_short_rows(std::string_view head, bool whole) {
  const uint64_t width = usual_width(head, whole);
  uint64_t n_rows = 0;
  bool has_word = false;
  while (!head.empty()) {
    Line line = take_line(head);
    if (!line.whole && !whole) break;
    if (is_blank(line.text) || is_comment(line.text, width)) continue;
    if (count_numbers_at_end(line.text) < width) return false;
    has_word = has_word || !is_decimal(take_field(line.text));
    ++n_rows;
  }
  return n_rows >= 2 && width >= 2 && has_word;
}

// Lines of a word and many numbers, or of equally many. Nothing else says that these are word
// vectors.
bool is_text(std::string_view head, bool whole) {
  if (!is_rows_of_decimals(head, whole)) return false;
  const std::string_view rows = head;
  const Line first = take_line(head);
  if (!first.whole && !whole) return false;
  const FieldCounts counts = count_fields_behind_word(first.text);
  if (counts.numbers >= kConvincing && counts.numbers > counts.others) return true;
  return are_short_rows(rows, whole);
}

// Checks the first word and vector, and whether the rows fit the file's size. Values that are not
// finite are a fault of such a file.
bool is_word2vec(std::string_view head, const Header& header, uint64_t bytes_left) {
  const uint64_t vector_bytes = header.dims * sizeof(float);
  const uint64_t least = header.rows * (vector_bytes + 2);
  if (header.rows > bytes_left / (vector_bytes + 2) || bytes_left - least > 64 * header.rows) {
    return false;
  }
  const size_t end = head.find(' ');
  if (end == 0 || end == std::string_view::npos || find_invalid_utf8(head.substr(0, end))) {
    return false;
  }
  const Bytes values = as_bytes(head.substr(end + 1));
  const size_t n_seen = std::min<size_t>(values.size(), static_cast<size_t>(vector_bytes));
  for (size_t at = 0; at + sizeof(float) <= n_seen; at += sizeof(float)) {
    const auto value = load_le<float>(values.data() + at);
    if (std::isfinite(value) && std::fabs(value) >= kUsual) return false;
  }
  return true;
}

}  // namespace

Result<bool> probe(Form form, const io::Source& source) {
  if (!source.size_known()) return false;
  const uint64_t size = std::min(source.size(), kHeadBytes);
  AMBRY_TRY(const Bytes bytes, source.view(0, size, "file"));
  std::string_view head = as_text(bytes);
  const bool whole = size == source.size();
  const size_t n_bytes = head.size();
  pass_over_lines(head);
  const size_t passed = n_bytes - head.size();
  if (form == Form::Text) return is_text(head, whole);
  const Line first = take_line(head);
  if (!first.whole || first.text.size() > kMaxHeaderBytes) return false;
  const auto header = parse_header_fields(form, first.text);
  if (!header) return false;
  const bool decimals = is_rows_of_decimals(head, whole);
  if (form != Form::Word2Vec) return decimals;
  // Short rows of decimals are as long as floats, and their digits are plausible floats.
  return !decimals && check_shape(*header) &&
         is_word2vec(head, *header, source.size() - passed - first.text.size() - 1);
}

}  // namespace ambry::formats::wordvec
