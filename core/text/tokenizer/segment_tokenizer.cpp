#include "text/tokenizer/segment_tokenizer.h"

#include <algorithm>

#include "base/utf8.h"

namespace ambry::text {
namespace {

// The text with U+FFFD for each ill-formed sequence. Returns nothing when there is none.
std::optional<AlignedText> repaired(std::string_view text) {
  if (!find_invalid_utf8(text)) return std::nullopt;
  AlignedText out;
  for (size_t i = 0; i < text.size();) {
    const DecodedCodePoint c = decode_utf8(text, i);
    const auto begin = static_cast<uint32_t>(i);
    out.append(c.code_point, {begin, begin + c.n_bytes});
    i += c.n_bytes;
  }
  return out;
}

ByteRange range_of(const std::optional<AlignedText>& made, ByteRange range) {
  return made ? made->origin(range.begin, range.end) : range;
}

}  // namespace

class SegmentTokenizer::Job {
 public:
  // `enough` affects only length_read().
  Job(const SegmentTokenizer& tokenizer, Encoding& out, size_t enough)
      : tokenizer_(tokenizer), out_(out), enough_(enough) {}

  [[nodiscard]] size_t length_read() const { return length_read_.value_or(out_.ids.size()); }

  void run(std::string_view text) {
    repaired_ = repaired(text);
    const std::string_view whole = repaired_ ? std::string_view(repaired_->text()) : text;
    std::vector<AddedTokenMatcher::Match> matches;
    tokenizer_.added_.raw().find(whole, matches);
    size_t done = 0;
    for (const AddedTokenMatcher::Match& match : matches) {
      run_raw(whole, done, match.begin);
      push(match.id, {static_cast<uint32_t>(match.begin), static_cast<uint32_t>(match.end)});
      done = match.end;
    }
    run_raw(whole, done, whole.size());
    fill_spans(text, out_.spans);
  }

 private:
  void run_raw(std::string_view whole, size_t begin, size_t end) {
    if (begin >= end) return;
    const std::string_view raw = whole.substr(begin, end - begin);
    segment_begin_ = static_cast<uint32_t>(begin);
    normalized_ = tokenizer_.normalize(raw);
    const std::string_view text = normalized_ ? std::string_view(normalized_->text()) : raw;
    std::vector<AddedTokenMatcher::Match> matches;
    tokenizer_.added_.normalized().find(text, matches);
    size_t done = 0;
    for (const AddedTokenMatcher::Match& match : matches) {
      run_normalized(text, done, match.begin);
      push_normalized(
          {match.id, static_cast<uint32_t>(match.begin), static_cast<uint32_t>(match.end)});
      done = match.end;
    }
    run_normalized(text, done, text.size());
  }

  void run_normalized(std::string_view text, size_t begin, size_t end) {
    if (begin >= end) return;
    tokens_.clear();
    const ByteRange raw =
        range_of(normalized_, {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)});
    const bool first = segment_begin_ + raw.begin == 0;
    tokenizer_.encode_segment(text.substr(begin, end - begin), first, tokens_);
    for (const SegmentToken& token : tokens_) {
      const auto offset = static_cast<uint32_t>(begin);
      push_normalized({token.id, token.begin + offset, token.end + offset});
      if (token.ends_word && !length_read_ && out_.ids.size() >= enough_) {
        length_read_ = out_.ids.size();
      }
    }
  }

  void push_normalized(const SegmentToken& token) {
    const ByteRange raw = range_of(normalized_, {token.begin, token.end});
    push(token.id, {raw.begin + segment_begin_, raw.end + segment_begin_});
  }

  void push(uint32_t id, ByteRange range) {
    const ByteRange bytes = range_of(repaired_, range);
    out_.push(id, 0, {{bytes.begin, 0}, {bytes.end, 0}});
  }

  const SegmentTokenizer& tokenizer_;
  Encoding& out_;
  size_t enough_;
  std::optional<size_t> length_read_;
  std::optional<AlignedText> repaired_;
  std::optional<AlignedText> normalized_;
  uint32_t segment_begin_ = 0;
  std::vector<SegmentToken> tokens_;
};

SegmentTokenizer::Content SegmentTokenizer::content_of(std::string_view text, size_t enough) const {
  Content content;
  Job job(*this, content.encoding, enough);
  job.run(text);
  content.length_read = job.length_read();
  return content;
}

Encoding SegmentTokenizer::encode(std::string_view text, const EncodeOptions& options) const {
  return special_tokens_.add_to(content_of(text).encoding, options);
}

Result<Encoding> SegmentTokenizer::encode_pair(std::string_view first, std::string_view second,
                                               const EncodeOptions& options) const {
  // Hugging Face stops reading a text after the word that reaches `max_length` tokens. It truncates
  // by the lengths at that point.
  const size_t enough = options.max_length.value_or(UINT32_MAX);
  const Content a = content_of(first, enough);
  const Content b = content_of(second, enough);
  return special_tokens_.add_to_pair(a.encoding, b.encoding, {a.length_read, b.length_read},
                                     options);
}

Result<void> SegmentTokenizer::resolve_ids(std::vector<model::AddedToken>& added,
                                           const PieceTable& pieces) {
  for (size_t i = 0; i < added.size(); ++i) {
    if (const auto id = pieces.find(added[i].content)) added[i].id = *id;
    if (added[i].id == UINT32_MAX) {
      return make_error(ErrorCode::BadValue, {"tokenizer.added_tokens[", i, "].id"},
                        "the id is too large");
    }
  }
  return {};
}

size_t SegmentTokenizer::size() const {
  return std::max(pieces().vocabulary().size(), added_.id_limit());
}

std::string_view SegmentTokenizer::token(uint32_t id) const {
  if (const auto added = added_.text(id)) return *added;
  const model::Vocabulary& vocabulary = pieces().vocabulary();
  return id < vocabulary.size() ? vocabulary[id] : std::string_view();
}

std::optional<uint32_t> SegmentTokenizer::id(std::string_view token) const {
  if (const model::AddedToken* added = added_.find(token)) return added->id;
  return pieces().find(token);
}

bool SegmentTokenizer::is_special(uint32_t id) const { return added_.is_special(token(id)); }

}  // namespace ambry::text
