// The adapters that the config.json of jina-embeddings-v3 describes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "formats/huggingface/side_files/file_values.h"

namespace ambry::formats::huggingface {

struct AdapterConfig {
  std::vector<std::string> tasks;  // empty: the model has no adapters
  uint32_t rank = 4;
  double alpha = 1;
};

// BadValue for tasks that are no texts, and for a rank of 0.
[[nodiscard]] Result<AdapterConfig> read_adapter_config(const FileValues& values);

// Unsupported for a model whose vectors need the adapter of a task that lies in a file of its own,
// as those of jina-embeddings-v5.
[[nodiscard]] Result<void> refuse_adapter_files(const FileValues& values);

}  // namespace ambry::formats::huggingface
