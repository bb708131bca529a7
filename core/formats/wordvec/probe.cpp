#include "formats/wordvec/probe.h"

#include <algorithm>
#include <cmath>

#include "base/bytes.h"
#include "base/utf8.h"
#include "formats/wordvec/decimals.h"

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

// Lines of a word and many numbers. Nothing else says that these are word vectors.
bool is_text(std::string_view head, bool whole) {
  if (!is_rows_of_decimals(head, whole)) return false;
  const Line first = take_line(head);
  if (!first.whole && !whole) return false;
  const FieldCounts counts = count_fields_behind_word(first.text);
  return counts.numbers >= kConvincing && counts.numbers > counts.others;
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
  if (form == Form::Text) return is_text(head, whole);
  const Line first = take_line(head);
  if (!first.whole || first.text.size() > kMaxHeaderBytes) return false;
  const auto header = parse_header_fields(form, first.text);
  if (!header) return false;
  const bool decimals = is_rows_of_decimals(head, whole);
  if (form != Form::Word2Vec) return decimals;
  // Short rows of decimals are as long as floats, and their digits are plausible floats.
  return !decimals && check_shape(*header) &&
         is_word2vec(head, *header, source.size() - first.text.size() - 1);
}

}  // namespace ambry::formats::wordvec
