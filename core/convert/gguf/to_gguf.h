// AMB, ALT and EMBD to GGUF: llama.cpp's names and keys, its order of query and key rows, codes and
// scales as they are.
#pragma once

#include "base/result.h"
#include "convert/options.h"
#include "convert/plan.h"
#include "convert/source_files.h"

namespace ambry::convert {

// Of AMB and ALT.
[[nodiscard]] Result<Plan> plan_gguf_from_decoder(const SourceFiles& sources,
                                                  const Options& options);
[[nodiscard]] Result<Plan> plan_gguf_from_embd(const SourceFiles& sources, const Options& options);

}  // namespace ambry::convert
