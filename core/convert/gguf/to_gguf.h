// Converts AMB, ALT and EMBD to GGUF, and quantizes GGUF: with llama.cpp's names, keys and order of
// query and key rows, and with the same codes and scales.
#pragma once

#include "base/result.h"
#include "convert/plan/conversion_options.h"
#include "convert/plan/plan.h"
#include "convert/plan/source_files.h"

namespace ambry::convert {

// From AMB and ALT.
[[nodiscard]] Result<Plan> plan_gguf_from_decoder(const SourceFiles& sources,
                                                  const Options& options);
// Writes a GGUF file again, as it is or with its matrices quantized to ggml's blocks.
[[nodiscard]] Result<Plan> plan_gguf_from_gguf(const SourceFiles& sources, const Options& options);
[[nodiscard]] Result<Plan> plan_gguf_from_embd(const SourceFiles& sources, const Options& options);

}  // namespace ambry::convert
