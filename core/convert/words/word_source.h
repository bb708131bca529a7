// Word vectors as they come out of a file of any kind: first what is known of all of them, then the
// rows, block by block.
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

// Numbers in a block of rows.
inline constexpr uint64_t kBlockValues = 1 << 20;

struct WordFacts {
  model::WordVocabulary words;
  uint64_t dims = 0;
  // The words' rows have the lengths of the training; they get length 1 where a format wants that.
  bool raw = false;
  // They have the length that they are to have, and come with the norms that they had.
  bool normed = false;
  io::Json metadata = io::Json::object();
  std::optional<std::string> metadata_toml;  // instead of `metadata`
};

class WordSource {
 public:
  struct Advance {
    enum class Kind : uint8_t { Read, Ready, Rows, End };
    Kind kind = Kind::End;
    uint64_t offset = 0;    // Read: in the file
    MutableBytes target;    // Read: to be filled before the next call
    std::span<float> rows;  // Rows: the next ones, to be changed at will before the next call
    // Rows of a source with `normed`: one each.
    // NOLINTNEXTLINE(readability-redundant-member-init): GCC warns of aggregates that leave it out
    std::span<const float> norms = {};
  };

  WordSource() = default;
  WordSource(const WordSource&) = delete;
  WordSource& operator=(const WordSource&) = delete;
  virtual ~WordSource() = default;

  // Ready once, when facts() is complete; then Rows, from the first to the last of the vocabulary.
  [[nodiscard]] virtual Result<Advance> advance() = 0;
  [[nodiscard]] const WordFacts& facts() const { return facts_; }
  // How much of the file goes by before Ready, and once more after it.
  [[nodiscard]] virtual uint64_t bytes_to_list() const { return 0; }
  void add_metadata(std::string_view key, std::string_view text) { facts_.metadata.set(key, text); }
  void replace_metadata(std::string_view toml) { facts_.metadata_toml = toml; }
  // Complete together with the facts.
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
