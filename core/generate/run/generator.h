// A model that generates text, ready to run: what all its jobs share.
#pragma once

#include <memory>

#include "infer/decoder/weights/decoder.h"
#include "model/file/model.h"
#include "text/grammar/matcher/token_index.h"
#include "text/tokenizer/tokenizer.h"

namespace ambry::generate {

struct Generator {
  model::Model model;
  std::unique_ptr<text::Tokenizer> tokenizer;  // nullptr: none or unsupported, so only ids work
  infer::Decoder decoder;
  // Made at the first answer with a form.
  std::shared_ptr<const text::TokenIndex> token_index = nullptr;
};

}  // namespace ambry::generate
