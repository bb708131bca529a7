// Reads the records of the tokenizer section, one for each token.
#pragma once

#include <cstdint>
#include <span>

#include "base/result.h"
#include "formats/alt/alt_layout.h"
#include "io/byte_reader.h"
#include "io/diagnostics.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::formats::alt {

enum class TokenLayout : uint8_t {
  Plain,    // v1: length, bytes
  Scored,   // v2: score, type, id, length, bytes
  Trailing  // v2 before 2024-12-28: length, bytes, score, type
};

// All layouts that files of this version have. The first is the one to write.
[[nodiscard]] std::span<const TokenLayout> token_layouts(Version version);

class TokenRecords {
 public:
  // No token may pass `limit`.
  TokenRecords(const io::Source& source, uint64_t begin, uint64_t limit, uint32_t count,
               TokenLayout layout)
      : source_(source), begin_(begin), limit_(limit), count_(count), layout_(layout) {}

  [[nodiscard]] TokenLayout layout() const { return layout_; }

  // Returns where the records end. BadValue or Truncated if they do not have this layout.
  [[nodiscard]] Result<uint64_t> walk() const;

  // Fills in vocabulary, scores, types and ids from the records, which end at `end`.
  [[nodiscard]] Result<void> read(uint64_t end, model::TokenizerData& tokenizer,
                                  io::Diagnostics& diagnostics) const;

 private:
  struct Token {
    Bytes piece;
    uint64_t piece_at = 0;
    float score = 0;
    int32_t type = 0;
    int32_t id = 0;
  };

  [[nodiscard]] uint64_t record_bytes() const;
  [[nodiscard]] Result<Token> read_token(io::ByteReader& reader) const;

  const io::Source& source_;
  uint64_t begin_;
  uint64_t limit_;
  uint32_t count_;
  TokenLayout layout_;
};

}  // namespace ambry::formats::alt
