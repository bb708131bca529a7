// Weights split over several files. `model.safetensors.index.json`, or
// `pytorch_model.bin.index.json`, says which file has which tensor.
#pragma once

#include <string_view>

#include "base/result.h"
#include "convert/plan/source_files.h"
#include "convert/plan/source_model.h"

namespace ambry::convert {

// Whether an index lists the main file, which is of this format. As in the library that writes
// these files, model.safetensors and pytorch_model.bin are complete whatever the index beside them
// says.
[[nodiscard]] bool is_sharded(const SourceFiles& sources, std::string_view format);

// The tensors of all shards. NotFound for a missing shard and for a tensor that is in no shard.
// Mismatch for a tensor that is in another shard than the index says, or that the index does not
// list. BadValue for a tensor that is in two. Paths start with a file name. On NeedBytes, load the
// bytes and call it again.
[[nodiscard]] Result<SourceModel> read_shards(const SourceFiles& sources, std::string_view format);

}  // namespace ambry::convert
