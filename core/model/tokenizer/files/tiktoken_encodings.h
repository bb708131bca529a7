// What tiktoken's files do not say: how texts are split, and which special tokens there are. Each
// encoding has a name and a last rank, by which its file is recognised.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/json/json.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::model {

struct TiktokenEncoding {
  std::string name;      // empty for one that the caller describes
  uint32_t n_ranks = 0;  // one more than the last rank; 0: any
  std::string pretokenizer;
  std::vector<AddedToken> special;
  std::optional<uint32_t> bos_id;  // is added before texts
  std::optional<uint32_t> eos_id;
  // Other names of encodings with the same ranks, for a warning that this one was assumed.
  std::string others;
};

// The encoding that a caller asks for: its name, or an object {pattern, specialTokens} as
// tiktoken's own class takes them: an expression, and ids by text. BadValue for an unknown name or
// expression.
[[nodiscard]] Result<TiktokenEncoding> read_tiktoken_encoding(const io::Json& given,
                                                              std::string_view path);

// The encoding whose ranks end there. Unsupported, with the names of all, for another number.
[[nodiscard]] Result<TiktokenEncoding> tiktoken_encoding_of(uint32_t n_ranks);

}  // namespace ambry::model
