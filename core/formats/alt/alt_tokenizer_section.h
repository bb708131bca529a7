// Reads the tokenizer section: its end, without its tokens if the size shows it, and the tokens in
// any of their three layouts (README.md#tokenizer).
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "formats/alt/section_walk.h"
#include "formats/alt/token_records.h"
#include "model/file/model.h"

namespace ambry::formats::alt {

class TokenizerSection {
 public:
  TokenizerSection(const io::Source& source, io::Diagnostics& diagnostics, SectionWalk& walk,
                   Version version, const SectionHead& head)
      : source_(source), diagnostics_(diagnostics), walk_(walk), version_(version), head_(head) {}

  // Reads the counts and special ids. Returns the section's end, except for padding: where the
  // stated size leads if a section follows there, else where the tokens end.
  [[nodiscard]] Result<uint64_t> locate();

  // Reads the tokens, when the start of the next section is known. Returns their end.
  [[nodiscard]] Result<uint64_t> read_tokens(uint64_t next_at);

  [[nodiscard]] const SectionHead& head() const { return head_; }
  [[nodiscard]] uint32_t n_tokens() const { return n_tokens_; }
  [[nodiscard]] model::TokenizerData take() { return std::move(tokenizer_); }

 private:
  [[nodiscard]] Result<bool> has_second_size() const;
  [[nodiscard]] Result<void> read_counts(io::ByteReader& reader);
  [[nodiscard]] Result<std::optional<uint64_t>> end_by_size() const;
  [[nodiscard]] Result<uint64_t> end_by_tokens();
  [[nodiscard]] Result<TokenRecords> choose_layout(uint64_t next_at) const;
  void check_size(uint64_t end, const TokenRecords& records);

  const io::Source& source_;
  io::Diagnostics& diagnostics_;
  SectionWalk& walk_;
  Version version_;
  SectionHead head_;
  bool second_size_ = false;  // "Header Size" (README.md#second-size)
  uint32_t n_tokens_ = 0;
  uint64_t tokens_at_ = 0;
  model::TokenizerData tokenizer_;
};

}  // namespace ambry::formats::alt
