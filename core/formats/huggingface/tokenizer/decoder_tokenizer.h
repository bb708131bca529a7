// Reads the tokenizer of a decoder's directory as one of the kinds that AMB has
// (core/formats/amb/README.md#tokenizer).
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "formats/huggingface/side_files/side_files.h"
#include "io/json/json.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::formats::huggingface {

struct DecoderTokenizer {
  model::TokenizerData tokenizer;
  // AMB's config.tokenizer. `tokenizer` has the same settings.
  io::Json options = io::Json::object();
  // Why a tokenizer.json with BPE is Custom: the component that has no kind of its own.
  std::optional<Error> refusal;
  std::vector<Error> warnings;
};

// Reads tokenizer.json, else tokenizer.model, else vocab.json with merges.txt. Returns nothing when
// there is none of them. `config` is config.json. A tokenizer.json whose steps have no kind of
// their own is stored whole, unless there is a tokenizer.model: that is read then, with a warning.
// A tokenizer.model may be tiktoken's, whose number of ranks tells the encoding. Errors name the
// file.
[[nodiscard]] Result<std::optional<DecoderTokenizer>> read_decoder_tokenizer(
    const SideFiles& files, const io::Json& config);

}  // namespace ambry::formats::huggingface
