// What a model that generates text and all its jobs share.
#pragma once

#include <memory>

#include "infer/decoder/decoder.h"
#include "model/model.h"
#include "text/tokenizer/tokenizer.h"

namespace ambry::api {

struct GeneratorRuntime {
  model::Model model;
  std::unique_ptr<text::Tokenizer> tokenizer;  // nullptr: the file has none that is known, only ids
  infer::Decoder decoder;
};

}  // namespace ambry::api
