// The data that an encoder shares with all its jobs.
#pragma once

#include <memory>

#include "infer/encoder/encoder.h"
#include "model/encoder/encoder_config.h"
#include "text/tokenizer/tokenizer.h"

namespace ambry::api {

struct EncoderRuntime {
  model::EncoderConfig config;
  std::unique_ptr<text::Tokenizer> tokenizer;
  infer::Encoder encoder;
};

}  // namespace ambry::api
