// The steps of a tokenizer.json before a Unigram model: how texts are normalized and split into
// words. Each step is Hugging Face's component of the same name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "io/json/json.h"
#include "model/tokenizer/tokenizer_data.h"
#include "text/unicode/aligned_text.h"
#include "text/unicode/charsmap.h"

namespace ambry::text {

// The normalizer: its steps change a text one after another.
class NormalizerSteps {
 public:
  // Supports Precompiled, Replace (of a text or of runs of spaces), Strip, StripAccents, Lowercase,
  // NFC, NFD, NFKC, NFKD, and a Sequence of them. Null means no step. `charsmap` is the map of
  // Precompiled. Unsupported, with the name, for any other step.
  [[nodiscard]] static Result<NormalizerSteps> read(const io::Json* normalizer, Bytes charsmap);

  [[nodiscard]] AlignedText apply(std::string_view text) const;

 private:
  enum class Kind : uint8_t { Precompiled, Replace, ReplaceSpaceRuns, Strip, StripAccents, Change };
  struct Step {
    Kind kind = Kind::Strip;
    model::TextChange change = model::TextChange::Lowercase;
    Charsmap charsmap;
    std::string from;
    std::string to;
    bool left = false;
    bool right = false;
  };

  static Result<Step> read_step(const io::Json& json, Bytes charsmap);
  [[nodiscard]] static AlignedText apply(const Step& step, const AlignedText& text);

  std::vector<Step> steps_;
};

// The pre-tokenizer: Metaspace, optionally after WhitespaceSplit.
struct WordRules {
  enum class Prepend : uint8_t { Always, First, Never };

  bool split_at_white_space = false;
  bool split_at_marks = true;
  Prepend prepend = Prepend::Always;

  // Unsupported, with the name, for any other pre-tokenizer.
  [[nodiscard]] static Result<WordRules> read(const io::Json* pre_tokenizer);

  // The words of a text as pieces spell them, with the origins of their bytes. `first`: `text`
  // starts the whole text.
  [[nodiscard]] std::vector<AlignedText> words(std::string_view text, bool first) const;
};

}  // namespace ambry::text
