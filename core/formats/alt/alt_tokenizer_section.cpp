#include "formats/alt/alt_tokenizer_section.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "io/limits.h"

namespace ambry::formats::alt {
namespace {

// How far two statements of the same size may differ: header, padding, the second size itself.
constexpr int64_t kSizeSlack = 16 + 31 + 8;

}  // namespace

// The 8 bytes after the header are a second size if they are close to the first one. As counts they
// would be vocab_size + 2^32·bos, which is 4 GiB or more, negative, or less than the size of that
// many tokens (README.md#second-size).
Result<bool> TokenizerSection::has_second_size() const {
  if (version_ == Version::V2) return false;
  io::ByteReader reader(source_, head_.body());
  if (reader.remaining() < sizeof(int64_t)) return false;
  AMBRY_TRY(const auto second, reader.read<int64_t>("tokenizer"));
  if (second == head_.size) return true;
  return second > 64 && head_.size > 64 && std::abs(second - head_.size) <= kSizeSlack;
}

Result<void> TokenizerSection::read_counts(io::ByteReader& reader) {
  const auto scope = reader.enter("tokenizer");
  const uint64_t count_at = reader.position();
  AMBRY_TRY(const auto count, reader.read<int32_t>("vocab_size"));
  if (count < 0) {
    return reader.fail(ErrorCode::BadValue, count_at, "vocab_size",
                       "a negative number of tokens: " + std::to_string(count));
  }
  n_tokens_ = static_cast<uint32_t>(count);
  using Id = std::optional<uint32_t> model::TokenizerData::*;
  static constexpr std::array<std::pair<const char*, Id>, 4> kIds = {
      {{"bos_id", &model::TokenizerData::bos_id},
       {"eos_id", &model::TokenizerData::eos_id},
       {"pad_id", &model::TokenizerData::pad_id},
       {"unk_id", &model::TokenizerData::unk_id}}};
  for (const auto& [name, id] : kIds) {
    const uint64_t at = reader.position();
    AMBRY_TRY(const auto value, reader.read<int32_t>(name));
    if (value >= count) {
      diagnostics_.error(
          reader.fail(ErrorCode::BadValue, at, name,
                      {static_cast<uint32_t>(value), " is not below the ", n_tokens_, " tokens"}));
    } else if (value >= 0) {
      tokenizer_.*id = static_cast<uint32_t>(value);
    } else if (value != -1) {
      diagnostics_.tolerate(reader.fail(ErrorCode::BadValue, at, name,
                                        std::to_string(value) + "; none is written as -1"));
    }
  }
  return reader.check_count(n_tokens_, version_ == Version::V1 ? kTokenBytesV1 : kTokenBytesOld,
                            "vocab_size", count_at);
}

Result<uint64_t> TokenizerSection::locate() {
  const uint64_t left = source_.size() - head_.body();
  AMBRY_RETURN_IF_ERROR(
      source_.view(head_.body(), std::min<uint64_t>(left, sizeof(int64_t) + kTokenizerCountsBytes),
                   "tokenizer"));
  AMBRY_TRY(second_size_, has_second_size());
  io::ByteReader reader(source_, head_.body());
  if (second_size_) {
    diagnostics_.tolerate(error_at(ErrorCode::BadValue, head_.body(), "tokenizer.header_size",
                                   "a second size, which the page took back the same day"));
    reader.seek(head_.body() + sizeof(int64_t));
  }
  tokenizer_.kind = model::TokenizerKind::SentencePieceBpe;
  AMBRY_RETURN_IF_ERROR(read_counts(reader));
  tokens_at_ = reader.position();
  AMBRY_TRY(const auto end, end_by_size());
  if (end) return *end;
  return end_by_tokens();
}

// The size may include the section's header, its padding and the second size. In v2 it may miss 4
// bytes for each token.
Result<std::optional<uint64_t>> TokenizerSection::end_by_size() const {
  using Found = std::optional<uint64_t>;
  if (head_.size < 0 || static_cast<uint64_t>(head_.size) > source_.size()) return Found();
  const auto size = static_cast<uint64_t>(head_.size);
  const uint64_t forgotten = version_ == Version::V2 ? 4ULL * n_tokens_ : 8;
  for (const uint64_t end : {head_.body() + size, head_.at + size, head_.body() + size + forgotten,
                             head_.at + size + forgotten}) {
    if (end < tokens_at_) continue;
    AMBRY_TRY(const bool is_end, walk_.is_section_end(end));
    if (is_end) return Found(end);
  }
  return Found();
}

Result<uint64_t> TokenizerSection::end_by_tokens() {
  Result<uint64_t> first = tokens_at_;
  for (const TokenLayout layout : token_layouts(version_)) {
    const TokenRecords records(source_, tokens_at_, source_.size(), n_tokens_, layout);
    auto end = records.walk();
    if (!end && end.error().code == ErrorCode::NeedBytes) return end;
    if (end) {
      AMBRY_TRY(const bool is_end, walk_.is_section_end(*end));
      if (is_end) return end;
    }
    if (layout == token_layouts(version_).front()) first = std::move(end);
  }
  return first;
}

// The first layout that ends where the next section starts. If none does, the first of all, which
// then reports the fault.
Result<TokenRecords> TokenizerSection::choose_layout(uint64_t next_at) const {
  const auto layouts = token_layouts(version_);
  for (const TokenLayout layout : layouts) {
    if (layouts.size() == 1) break;
    TokenRecords records(source_, tokens_at_, next_at, n_tokens_, layout);
    auto end = records.walk();
    if (!end && end.error().code == ErrorCode::NeedBytes) return end.take_error();
    if (end && walk_.align(*end) >= next_at) return records;
  }
  return TokenRecords(source_, tokens_at_, next_at, n_tokens_, layouts.front());
}

Result<uint64_t> TokenizerSection::read_tokens(uint64_t next_at) {
  if (next_at - tokens_at_ > io::kMaxVocabularyBytes) {
    return error_at(ErrorCode::LimitExceeded, tokens_at_, "tokenizer.tokens",
                    {next_at - tokens_at_, " bytes of tokens, at most 64 MiB"});
  }
  AMBRY_RETURN_IF_ERROR(source_.view(tokens_at_, next_at - tokens_at_, "tokenizer.tokens"));
  AMBRY_TRY(const TokenRecords records, choose_layout(next_at));
  AMBRY_TRY(const uint64_t end, records.walk());
  AMBRY_RETURN_IF_ERROR(records.read(end, tokenizer_, diagnostics_));
  if (records.layout() == TokenLayout::Trailing) {
    diagnostics_.tolerate(error_at(ErrorCode::BadValue, tokens_at_, "tokenizer.tokens",
                                   "records as written before 2024-12-28, without ids"));
  }
  check_size(end, records);
  return end;
}

void TokenizerSection::check_size(uint64_t end, const TokenRecords& records) {
  const auto payload = static_cast<int64_t>(end - head_.body());
  const int64_t id_bytes = 4 * static_cast<int64_t>(n_tokens_);
  if (records.layout() == TokenLayout::Scored && id_bytes != 0 &&
      head_.size == payload - id_bytes) {
    diagnostics_.tolerate(error_at(ErrorCode::BadValue, head_.at + sizeof(int64_t),
                                   facts(Section::Tokenizer).size_path,
                                   "4 bytes a token too small: the ids are not counted"));
    return;
  }
  // Nobody knows whether the second size counts itself.
  walk_.check_size(head_, end, second_size_ ? payload - 8 : payload);
}

}  // namespace ambry::formats::alt
