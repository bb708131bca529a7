// The steps of a tokenizer.json that stand before a Unigram model: what texts are made to, and how
// they are cut into words. Each is Hugging Face's component of the same name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/json/json.h"
#include "text/sentencepiece/charsmap.h"
#include "text/tokenizer/aligned_text.h"

namespace ambry::text {

// A text made to another one.
class NormalizerSteps {
 public:
  // Precompiled, Replace (of a text, or of runs of spaces) and Strip, or a Sequence of them; null
  // is none. Unsupported, naming it, for any other.
  [[nodiscard]] static Result<NormalizerSteps> read(const io::Json* normalizer);

  [[nodiscard]] AlignedText apply(std::string_view text) const;

 private:
  enum class Kind : uint8_t { Precompiled, Replace, ReplaceSpaceRuns, Strip };
  struct Step {
    Kind kind = Kind::Strip;
    Charsmap charsmap;
    std::string from;
    std::string to;
    bool left = false;
    bool right = false;
  };

  static Result<Step> read_step(const io::Json& json);
  [[nodiscard]] static AlignedText apply(const Step& step, const AlignedText& text);

  std::vector<Step> steps_;
};

// How words begin: Metaspace, with WhitespaceSplit before it or not.
struct WordRules {
  enum class Prepend : uint8_t { Always, First, Never };

  bool split_at_white_space = false;
  bool split_at_marks = true;
  Prepend prepend = Prepend::Always;

  // Unsupported, naming it, for any other pre-tokenizer.
  [[nodiscard]] static Result<WordRules> read(const io::Json* pre_tokenizer);

  // The words of a text as pieces spell them, with where their bytes come from. `first`: the text
  // starts the whole one.
  [[nodiscard]] std::vector<AlignedText> words(std::string_view text, bool first) const;
};

}  // namespace ambry::text
