#include "formats/embd/vocabulary_section.h"

#include <array>
#include <string>

#include "base/utf8.h"
#include "formats/embd/embd_layout.h"
#include "io/byte_reader.h"
#include "io/limits.h"

namespace ambry::formats::embd {
namespace {

class SectionReader {
 public:
  SectionReader(const io::Source& source, uint64_t offset, uint64_t size,
                io::Diagnostics& diagnostics, const model::ReadOptions& options)
      : source_(source),
        begin_(offset),
        size_(size),
        diagnostics_(diagnostics),
        with_tokens_(options.vocabulary) {}

  Result<model::TokenizerData> read() {
    AMBRY_RETURN_IF_ERROR(read_header());
    AMBRY_RETURN_IF_ERROR(place_special_ids());
    AMBRY_RETURN_IF_ERROR(check_room());
    if (with_tokens_) {
      AMBRY_RETURN_IF_ERROR(read_tokens());
    } else {
      tokenizer_.n_tokens = n_tokens_;
    }
    if (special_at_ != 0) AMBRY_RETURN_IF_ERROR(read_special_ids());
    return std::move(tokenizer_);
  }

 private:
  [[nodiscard]] uint64_t end() const { return begin_ + size_; }
  [[nodiscard]] uint64_t entries_end() const { return entries_at_ + entry_bytes_; }

  Result<void> read_header() {
    if (size_ < kVocabularyHeaderBytes) {
      return error_at(ErrorCode::Truncated, kVocabularyOffsetAt + 4, "header.vocab_size",
                      "too small for the vocabulary's header");
    }
    if (size_ > io::kMaxVocabularyBytes) {
      return error_at(ErrorCode::LimitExceeded, kVocabularyOffsetAt + 4, "header.vocab_size",
                      {size_, " bytes, at most ", io::kMaxVocabularyBytes});
    }
    AMBRY_TRY(section_,
              source_.view(begin_, with_tokens_ ? size_ : kVocabularyHeaderBytes, "vocabulary"));
    n_tokens_ = load_le<uint32_t>(section_.data());
    entry_bytes_ = load_le<uint32_t>(section_.data() + 4);
    stated_special_ = load_le<uint32_t>(section_.data() + 8);
    return {};
  }

  // The offset is absolute. If it is outside the section, but inside when counted from its start,
  // the writer used the other reading. 0 means none.
  Result<void> place_special_ids() {
    entries_at_ = begin_ + kVocabularyHeaderBytes;
    if (stated_special_ == 0) return {};
    const auto in_section = [&](uint64_t at) {
      return at >= begin_ + kVocabularyHeaderBytes && at + kSpecialTokenBytes <= end();
    };
    special_at_ = stated_special_;
    if (!in_section(special_at_)) {
      special_at_ = begin_ + stated_special_;
      if (!in_section(special_at_)) {
        return error_at(
            ErrorCode::BadValue, begin_ + 8, "vocabulary.special_tokens",
            {"the special ids at ", stated_special_, " lie outside the vocabulary section"});
      }
      diagnostics_.warn(error_at(ErrorCode::BadValue, begin_ + 8, "vocabulary.special_tokens",
                                 "counted from the start of the section instead of the file"));
    }
    if (special_at_ == entries_at_) entries_at_ += kSpecialTokenBytes;
    return {};
  }

  Result<void> check_room() {
    if (entries_at_ > end() || entry_bytes_ > end() - entries_at_) {
      return error_at(ErrorCode::Truncated, begin_ + 4, "vocabulary.total_size",
                      {entry_bytes_, " bytes of tokens do not fit the section"});
    }
    if (uint64_t{n_tokens_} * kTokenEntryBytes > entry_bytes_) {
      return error_at(ErrorCode::Truncated, begin_, "vocabulary.token_count",
                      {n_tokens_, " tokens do not fit into ", entry_bytes_, " bytes"});
    }
    uint64_t used_end = entries_end();
    if (special_at_ >= entries_at_) {
      if (special_at_ < entries_end()) {
        return error_at(ErrorCode::BadValue, begin_ + 8, "vocabulary.special_tokens",
                        "the special ids lie within the tokens");
      }
      used_end = special_at_ + kSpecialTokenBytes;
    }
    if (used_end < end()) {
      diagnostics_.tolerate(
          error_at(ErrorCode::BadValue, kVocabularyOffsetAt + 4, "header.vocab_size",
                   {end() - used_end, " bytes of the section follow the vocabulary"}));
    }
    return {};
  }

  // `place` counts from the first token.
  [[gnu::noinline]] Failure token_error(ErrorCode code, uint32_t id, size_t place,
                                        const char* field, const Text& message) const {
    return error_at(code, entries_at_ + place, {"vocabulary[", id, "].", field}, message);
  }

  Result<void> read_tokens() {
    tokenizer_.vocabulary.reserve(
        n_tokens_, static_cast<size_t>(entry_bytes_ - uint64_t{n_tokens_} * kTokenEntryBytes));
    const Bytes entries = section_.subspan(static_cast<size_t>(entries_at_ - begin_), entry_bytes_);
    size_t at = 0;
    for (uint32_t id = 0; id < n_tokens_; ++id) {
      if (entries.size() - at < kTokenEntryBytes) {
        return token_error(ErrorCode::Truncated, id, at, "token_length", "the tokens end before");
      }
      const size_t length = load_le<uint16_t>(&entries[at]);
      const size_t begin = at + kTokenEntryBytes;
      if (length > entries.size() - begin) {
        return token_error(ErrorCode::Truncated, id, at, "token_length",
                           {"a token of ", length, " bytes passes the end of the tokens"});
      }
      const std::string_view token = as_text(entries.subspan(begin, length));
      if (const auto bad = find_invalid_utf8(token)) {
        return token_error(ErrorCode::BadValue, id, begin + *bad, "token", "not valid UTF-8");
      }
      tokenizer_.vocabulary.push_back(token);
      at = begin + length;
    }
    if (at == entries.size()) return {};
    return error_at(ErrorCode::Mismatch, begin_ + 4, "vocabulary.total_size",
                    {"the tokens take ", entries.size() - at, " bytes less than stated"});
  }

  Result<void> read_special_ids() {
    using Id = std::optional<uint32_t> model::TokenizerData::*;
    static constexpr std::array<std::pair<const char*, Id>, 5> kFields = {
        {{"pad_id", &model::TokenizerData::pad_id},
         {"unk_id", &model::TokenizerData::unk_id},
         {"cls_id", &model::TokenizerData::cls_id},
         {"sep_id", &model::TokenizerData::sep_id},
         {"mask_id", &model::TokenizerData::mask_id}}};
    AMBRY_RETURN_IF_ERROR(
        source_.view(special_at_, kSpecialTokenBytes, "vocabulary.special_tokens"));
    io::ByteReader reader(source_, special_at_);
    const auto scope = reader.enter("vocabulary");
    for (const auto& [name, id] : kFields) {
      const uint64_t at = reader.position();
      AMBRY_TRY(const auto value, reader.read<uint32_t>(name));
      if (value == kNoToken) continue;
      if (value >= n_tokens_) {
        return reader.fail(ErrorCode::BadValue, at, name,
                           {value, " is not below the ", n_tokens_, " tokens"});
      }
      tokenizer_.*id = value;
    }
    return {};
  }

  const io::Source& source_;
  uint64_t begin_;
  uint64_t size_;
  io::Diagnostics& diagnostics_;
  bool with_tokens_;
  Bytes section_;  // only the header if tokens are not read
  uint32_t n_tokens_ = 0;
  uint32_t entry_bytes_ = 0;
  uint32_t stated_special_ = 0;
  uint64_t special_at_ = 0;  // 0: none
  uint64_t entries_at_ = 0;
  model::TokenizerData tokenizer_;
};

}  // namespace

Result<model::TokenizerData> read_vocabulary_section(const io::Source& source, uint64_t offset,
                                                     uint64_t size, io::Diagnostics& diagnostics,
                                                     const model::ReadOptions& options) {
  return SectionReader(source, offset, size, diagnostics, options).read();
}

}  // namespace ambry::formats::embd
