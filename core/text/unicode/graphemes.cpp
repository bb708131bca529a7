#include "text/unicode/graphemes.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "base/lazy.h"
#include "text/unicode/tables/grapheme_tables.h"
#include "text/unicode/tables/table_reader.h"

namespace ambry::text {
namespace {

using grapheme_data::Kind;

struct KindRun {
  char32_t begin = 0;
  Kind kind = grapheme_data::kOther;
};

std::unique_ptr<std::vector<KindRun>> read_runs() {
  auto runs = std::make_unique<std::vector<KindRun>>();
  runs->reserve(grapheme_data::kRunCount);
  const uint8_t* cursor = grapheme_data::kRuns;
  char32_t begin = 0;
  for (uint32_t i = 0; i < grapheme_data::kRunCount; ++i) {
    const uint32_t run = read_varint(cursor);
    runs->push_back({begin, static_cast<Kind>(run % 4)});
    begin += run / 4;
  }
  return runs;
}

Kind kind_of(char32_t c) {
  static constinit Lazy<std::vector<KindRun>> all_runs;
  const std::vector<KindRun>& runs = all_runs.get(read_runs);
  const auto after =
      std::upper_bound(runs.begin(), runs.end(), c,
                       [](char32_t wanted, const KindRun& r) { return wanted < r.begin; });
  return std::prev(after)->kind;
}

}  // namespace

size_t grapheme_end(std::string_view text, size_t begin) {
  const auto kind_at = [text](size_t at) { return kind_of(decode_utf8(text, at).code_point); };
  size_t end = begin;
  const auto take = [&] { end += decode_utf8(text, end).n_bytes; };
  Kind kind = kind_at(end);
  take();
  while (kind == grapheme_data::kPrepend && end < text.size() &&
         kind_at(end) != grapheme_data::kControl) {
    kind = kind_at(end);
    take();
  }
  if (kind == grapheme_data::kControl) {
    if (text[begin] == '\r' && text.substr(end).starts_with('\n')) ++end;
    return end;
  }
  while (end < text.size() && kind_at(end) == grapheme_data::kExtend) take();
  return end;
}

}  // namespace ambry::text
