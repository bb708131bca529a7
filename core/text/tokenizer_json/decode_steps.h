// How Hugging Face's library makes text of tokens: the component `decoder` of a tokenizer.json.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ambry::text {

using TokenTexts = std::vector<std::string>;

[[nodiscard]] std::string joined(const TokenTexts& texts);

// One step, which makes texts of texts. The last texts are joined.
class DecodeStep {
 public:
  DecodeStep() = default;
  DecodeStep(const DecodeStep&) = delete;
  DecodeStep& operator=(const DecodeStep&) = delete;
  virtual ~DecodeStep();

  virtual void run(TokenTexts& texts) const = 0;
};

using DecodeSteps = std::vector<std::unique_ptr<DecodeStep>>;

// Reads the component, which is JSON. `null` joins tokens with spaces. Unsupported, with the name,
// for a step that is not known; BadValue for a setting of the wrong type; LimitExceeded for too
// many steps, or replacements that make texts too long.
[[nodiscard]] Result<DecodeSteps> read_decode_steps(std::string_view component);

}  // namespace ambry::text
