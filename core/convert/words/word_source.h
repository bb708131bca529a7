// Word vectors read from any kind of file: first the facts about all of them, then the rows, block
// by block.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "base/result.h"
#include "io/json/json.h"
#include "model/words/word_vocabulary.h"

namespace ambry::convert {

// The number of values in a block of rows.
inline constexpr uint64_t kBlockValues = 1 << 20;

struct WordFacts {
  model::WordVocabulary words;
  uint64_t dims = 0;
  // Whether the words' rows have their trained lengths. They are normalized if a format needs that.
  bool raw = false;
  // Whether the rows are already normalized and come with their norms.
  bool normed = false;
  // Whether the target is made to run: words may have any bytes.
  bool to_run = false;
  io::Json metadata = io::Json::object();
  std::optional<std::string> metadata_toml;  // used instead of `metadata`
};

class WordSource {
 public:
  struct Advance {
    enum class Kind : uint8_t { Read, Ready, Rows, End };
    Kind kind = Kind::End;
    uint64_t offset = 0;    // Read: in the file
    MutableBytes target;    // Read: to fill before the next call
    std::span<float> rows;  // Rows: the next ones; the caller may change them
    // Rows of a source with `normed`: one norm for each.
    // NOLINTNEXTLINE(readability-redundant-member-init): GCC warns of aggregates that leave it out
    std::span<const float> norms = {};
  };

  WordSource() = default;
  WordSource(const WordSource&) = delete;
  WordSource& operator=(const WordSource&) = delete;
  virtual ~WordSource() = default;

  // Returns Ready once, when facts() is complete; then Rows, in the order of the vocabulary.
  [[nodiscard]] virtual Result<Advance> advance() = 0;
  [[nodiscard]] const WordFacts& facts() const { return facts_; }
  // How many bytes of the file are read before Ready. They are read again after it.
  [[nodiscard]] virtual uint64_t bytes_to_list() const { return 0; }
  void add_metadata(std::string_view key, std::string_view text) { facts_.metadata.set(key, text); }
  void replace_metadata(std::string_view toml) { facts_.metadata_toml = toml; }
  // Complete when the facts are.
  [[nodiscard]] std::vector<Error>& warnings() { return warnings_; }

 protected:
  static Advance read(uint64_t offset, MutableBytes target) {
    return {Advance::Kind::Read, offset, target, {}};
  }
  static Advance rows(std::span<float> values) { return {Advance::Kind::Rows, 0, {}, values}; }

  WordFacts facts_;
  std::vector<Error> warnings_;
};

}  // namespace ambry::convert
