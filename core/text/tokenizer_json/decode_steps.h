// How Hugging Face's library makes text of tokens: the component `decoder` of a tokenizer.json.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "text/tokenizer/tokenizer.h"

namespace ambry::text {

using TokenTexts = std::vector<std::string>;

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
// for a step that is not known; BadValue for a setting of the wrong type.
[[nodiscard]] Result<DecodeSteps> read_decode_steps(std::string_view component);

// Encodes as `tokenizer` does, and makes text by the component. When that cannot be read,
// can_decode() says why.
[[nodiscard]] std::unique_ptr<Tokenizer> with_decoder(std::unique_ptr<Tokenizer> tokenizer,
                                                      std::string_view component);

}  // namespace ambry::text
