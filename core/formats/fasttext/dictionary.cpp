#include "formats/fasttext/dictionary.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/order.h"
#include "base/utf8.h"
#include "formats/fasttext/fasttext_layout.h"

namespace ambry::formats::fasttext {
namespace {

class Reader {
 public:
  Reader(const io::Source& source, io::ByteReader& reader, BadLabel bad_label)
      : source_(source), reader_(reader), bad_label_(bad_label) {}

  Result<Dictionary> read(const Args& args);

 private:
  Result<void> read_entry(uint64_t index, uint64_t n_words);
  Result<Bytes> view_entry(uint64_t index);
  Result<void> add_entry(std::string_view text, bool is_word, uint64_t at);
  Result<void> read_kept_buckets(uint64_t count, const Args& args);

  const io::Source& source_;
  io::ByteReader& reader_;
  BadLabel bad_label_;
  Dictionary made_;
};

Result<Dictionary> Reader::read(const Args& args) {
  const auto scope = reader_.enter("dictionary");
  const uint64_t at = reader_.position();
  AMBRY_TRY(const auto size, reader_.read<uint32_t>("size"));
  AMBRY_TRY(const uint64_t n_words, reader_.read<uint32_t>("nwords"));
  AMBRY_TRY(const auto n_labels, reader_.read<uint32_t>("nlabels"));
  AMBRY_TRY(const auto n_tokens, reader_.read<uint64_t>("ntokens"));
  static_cast<void>(n_tokens);
  const uint64_t pruned_at = reader_.position();
  AMBRY_TRY(const auto n_kept, reader_.read<uint64_t>("pruneidx_size"));
  AMBRY_RETURN_IF_ERROR(reader_.check_count(size, kEntryBytes, "size", at));
  if (n_words + n_labels != size) {
    return reader_.fail(ErrorCode::Mismatch, at, "size",
                        {size, " entries, but ", n_words, " words and ", n_labels, " labels"});
  }
  if (n_words == 0) return reader_.fail(ErrorCode::BadValue, at + 4, "nwords", "no words");
  for (uint64_t i = 0; i < size; ++i) AMBRY_RETURN_IF_ERROR(read_entry(i, n_words));
  if (n_kept >> 63 != 0) {
    if (n_kept == kNotPruned) return std::move(made_);
    return reader_.fail(ErrorCode::BadValue, pruned_at, "pruneidx_size", "a negative number");
  }
  AMBRY_RETURN_IF_ERROR(
      reader_.check_count(n_kept, 2 * sizeof(uint32_t), "pruneidx_size", pruned_at));
  AMBRY_RETURN_IF_ERROR(read_kept_buckets(n_kept, args));
  return std::move(made_);
}

// The bytes of the entry at the reader's position, and possibly more.
Result<Bytes> Reader::view_entry(uint64_t index) {
  const uint64_t at = reader_.position();
  const uint64_t wanted = std::min(reader_.remaining(), kMaxWordBytes + kEntryBytes);
  if (auto held = source_.view(at, wanted, "dictionary")) return held;
  const auto scope = reader_.enter("entries", index);
  const uint64_t ahead = std::max(kReadAhead, at / 2);
  return source_.view(at, std::min(reader_.remaining(), ahead), reader_.path_of("word"));
}

Result<void> Reader::read_entry(uint64_t index, uint64_t n_words) {
  const uint64_t at = reader_.position();
  AMBRY_TRY(const Bytes bytes, view_entry(index));
  const std::string_view text = as_text(bytes.first(std::min<size_t>(bytes.size(), kMaxWordBytes)));
  const size_t end = text.find('\0');
  const auto scope = reader_.enter("entries", index);
  if (end == std::string_view::npos && text.size() == kMaxWordBytes) {
    return reader_.fail(ErrorCode::LimitExceeded, at, "word",
                        {"a word of more than ", kMaxWordBytes, " bytes"});
  }
  if (end == std::string_view::npos || bytes.size() - end < kEntryBytes) {
    return reader_.fail(ErrorCode::Truncated, at, "word", "the file ends inside the entry");
  }
  const uint8_t type = bytes[end + kEntryBytes - 1];
  const bool is_word = index < n_words;
  if (type != (is_word ? kWordEntry : kLabelEntry)) {
    return reader_.fail(ErrorCode::BadValue, at + end + kEntryBytes - 1, "type",
                        {"the type ", uint32_t{type}, "; words come first (0), then labels (1)"});
  }
  AMBRY_RETURN_IF_ERROR(add_entry(text.substr(0, end), is_word, at));
  if (!is_word) made_.label_counts.push_back(load_le<uint64_t>(bytes.data() + end + 1));
  reader_.seek(at + end + kEntryBytes);
  return {};
}

Result<void> Reader::add_entry(std::string_view text, bool is_word, uint64_t at) {
  model::Vocabulary& texts = is_word ? made_.words : made_.labels;
  if (text.empty()) return reader_.fail(ErrorCode::BadValue, at, "word", "an empty word");
  // U+FFFD takes at most three bytes for one byte.
  if (texts.text_bytes() + 3 * text.size() > UINT32_MAX) {
    return reader_.fail(ErrorCode::LimitExceeded, at, "word", "more than 4 GiB of words");
  }
  const auto bad = find_invalid_utf8(text);
  if (is_word || !bad) {
    if (bad) ++made_.n_invalid_words;
    texts.push_back(text);
    return {};
  }
  if (bad_label_ == BadLabel::Error) {
    return reader_.fail(ErrorCode::BadValue, at + *bad, "word", "not valid UTF-8");
  }
  texts.push_back(replace_invalid_utf8(text));
  return {};
}

// Reads pairs of a bucket and its row, in the order of a hash table.
Result<void> Reader::read_kept_buckets(uint64_t count, const Args& args) {
  const uint64_t at = reader_.position();
  constexpr size_t kPair = 2 * sizeof(uint32_t);
  AMBRY_TRY(const Bytes pairs, reader_.read_bytes(count * kPair, "pruneidx"));
  const auto n_pairs = static_cast<size_t>(count);
  const auto bucket_of = [&](size_t i) { return load_le<uint32_t>(pairs.data() + i * kPair); };
  const auto row_of = [&](size_t i) {
    return load_le<uint32_t>(pairs.data() + i * kPair + sizeof(uint32_t));
  };
  made_.pruned = true;
  std::vector<bool> taken(n_pairs);
  const std::vector<uint32_t> order =
      sorted_order(n_pairs, [&](uint32_t a, uint32_t b) { return bucket_of(a) < bucket_of(b); });
  for (const uint32_t i : order) {
    const uint32_t bucket = bucket_of(i);
    const uint32_t row = row_of(i);
    const bool again = !made_.kept_buckets.empty() && made_.kept_buckets.back() == bucket;
    if (again || bucket >= args.bucket || row >= count || taken[row]) {
      return reader_.fail(ErrorCode::BadValue, at + i * kPair, "pruneidx",
                          {"bucket ", bucket, " in row ", row});
    }
    taken[row] = true;
    made_.kept_buckets.push_back(bucket);
    made_.kept_rows.push_back(row);
  }
  return {};
}

}  // namespace

Result<Dictionary> read_dictionary(const io::Source& source, io::ByteReader& reader,
                                   const Args& args, BadLabel bad_label) {
  return Reader(source, reader, bad_label).read(args);
}

}  // namespace ambry::formats::fasttext
