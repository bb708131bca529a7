#include "model/tokenizer/files/tiktoken_file.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "base/base64.h"
#include "base/order.h"
#include "io/limits.h"
#include "model/tokenizer/files/ranked_vocabulary.h"

namespace ambry::model {
namespace {

struct Line {
  std::string_view text;
  RankedVocabulary::Place place;
  uint32_t rank = 0;
};

Failure bad_line(const Line& line, const Text& message) {
  return error_at(ErrorCode::BadValue, line.place.byte_offset, {"line ", line.place.number},
                  message);
}

Result<void> read_rank(Line& line) {
  const size_t space = line.text.find(' ');
  if (space == 0 || space == std::string_view::npos) {
    return bad_line(line, "must be a token in Base64, a space and a rank");
  }
  const std::string_view digits = line.text.substr(space + 1);
  const char* const end = digits.data() + digits.size();
  const auto [stopped, problem] = std::from_chars(digits.data(), end, line.rank);
  if (problem != std::errc() || stopped != end) {
    return bad_line(line, "the rank must be an integer of at least 0, after one space");
  }
  if (line.rank >= kMaxRankedTokens) {
    return error_at(ErrorCode::LimitExceeded, line.place.byte_offset, {"line ", line.place.number},
                    {"the rank is not below ", kMaxRankedTokens});
  }
  line.text = line.text.substr(0, space);
  return {};
}

// The lines that are not empty. A line end of Windows is no part of its line.
Result<std::vector<Line>> read_lines(std::string_view text) {
  if (text.size() > io::kMaxVocabularyBytes) {
    return error_at(ErrorCode::LimitExceeded, 0, "tiktoken", "larger than 64 MiB");
  }
  std::vector<Line> lines;
  uint32_t number = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    Line line{text.substr(at, end - at), {++number, static_cast<uint32_t>(at)}};
    at = end + 1;
    if (line.text.ends_with('\r')) line.text.remove_suffix(1);
    if (line.text.empty()) continue;
    AMBRY_RETURN_IF_ERROR(read_rank(line));
    if (lines.size() == kMaxRankedTokens) {
      return error_at(ErrorCode::LimitExceeded, line.place.byte_offset, "tiktoken",
                      {"more than ", kMaxRankedTokens, " tokens"});
    }
    lines.push_back(line);
  }
  return lines;
}

// Every id below the last rank is a token. Some files leave the id of a special token out.
Result<void> check_ranks(const std::vector<Line>& lines, const TiktokenEncoding& encoding) {
  const auto is_special = [&](uint32_t id) {
    return std::ranges::find(encoding.special, id, &AddedToken::id) != encoding.special.end();
  };
  uint32_t next = 0;
  for (const Line& line : lines) {
    if (line.rank < next) return bad_line(line, {"the rank ", line.rank, " is there twice"});
    while (next < line.rank && is_special(next)) ++next;
    if (next != line.rank) {
      return bad_line(line, {"the rank ", next, " is left out; the next one is ", line.rank});
    }
    ++next;
  }
  return {};
}

Result<TiktokenEncoding> encoding_of(uint32_t n_ranks, const TiktokenEncoding* given) {
  if (given == nullptr) return tiktoken_encoding_of(n_ranks);
  if (given->n_ranks == 0 || given->n_ranks == n_ranks) return *given;
  return make_error(
      ErrorCode::BadValue, "encoding",
      {given->name, " has the ranks 0 to ", given->n_ranks - 1, ", but those of this file end at ",
       n_ranks - 1, "; it is cut, or of another encoding"});
}

Result<RankedVocabulary> read_tokens(const std::vector<Line>& lines) {
  RankedVocabulary ranked;
  ranked.before = "line ";
  for (const Line& line : lines) {
    const auto bytes = decode_base64(line.text);
    if (!bytes || bytes->empty()) return bad_line(line, "the token is not Base64");
    ranked.tokens.push_back(*bytes);
    ranked.ids.push_back(line.rank);
    ranked.places.push_back(line.place);
  }
  return ranked;
}

}  // namespace

Result<TiktokenTokenizer> parse_tiktoken(std::string_view text, const TiktokenEncoding* encoding) {
  AMBRY_TRY(std::vector<Line> lines, read_lines(text));
  sort_items(lines, [](const Line& a, const Line& b) { return a.rank < b.rank; });
  AMBRY_TRY(const RankedVocabulary ranked, read_tokens(lines));
  auto known_encoding = encoding_of(lines.empty() ? 0 : lines.back().rank + 1, encoding);
  // Faults of the file come before those of the choice.
  AMBRY_RETURN_IF_ERROR(check_ranks(lines, known_encoding ? *known_encoding : TiktokenEncoding()));
  if (!known_encoding) {
    AMBRY_RETURN_IF_ERROR(check_ranked(ranked));
    return known_encoding.take_error();
  }
  TiktokenEncoding& known = *known_encoding;
  TiktokenTokenizer made;
  AMBRY_TRY(made.data, ranked_tokenizer(ranked, known.special));
  made.data.pretokenizer = known.pretokenizer;
  made.data.bos_id = known.bos_id;
  made.data.eos_id = known.eos_id;
  if (known.bos_id) made.data.add_bos = true;
  made.encoding = std::move(known);
  return made;
}

}  // namespace ambry::model
