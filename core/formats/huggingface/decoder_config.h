// What the config.json of a decoder language model says, under the names that AMB's config has
// (core/formats/amb/README.md#config).
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "formats/huggingface/side_files.h"
#include "io/json/json.h"

namespace ambry::formats::huggingface {

struct DecoderDirectory {
  io::Json config = io::Json::object();  // AMB's
  io::Json stated;                       // config.json itself
  std::string model_name;
};

// `architecture` stands for the model_type where it is not empty. NotFound where config.json is
// missing; Unsupported, naming the key, for an architecture that is not known here and for
// everything that would change what the model computes. Numbers are checked by who uses them.
[[nodiscard]] Result<DecoderDirectory> read_decoder_config(const SideFiles& files,
                                                           std::string_view architecture);

}  // namespace ambry::formats::huggingface
