// LoRA adapters as files hold them: those of PEFT (safetensors beside an adapter_config.json) and
// those of llama.cpp (GGUF). The matrices stay in the file.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "convert/plan/plan.h"
#include "convert/plan/source_files.h"

namespace ambry::convert {

// What an adapter adds to one weight of the base: scale * left right, where `left` has the rows of
// the weight [out, in].
struct LowRank {
  std::string weight;  // the name of the weight that it changes, with its ending
  Input left;
  Input right;
  double scale = 1;
  // Whether the weight is an embedding. PEFT stores its `left` as [rank, rows], llama.cpp as [rows,
  // rank], and both store `right` as [columns, rank].
  bool is_table = false;

  [[nodiscard]] uint64_t rank() const;
};

// A tensor of the base that was trained as a whole.
struct Replaced {
  std::string weight;
  Input tensor;
};

struct Adapter {
  bool is_gguf = false;
  std::string architecture;  // of the base, as GGUF names it; empty if it is not stated
  bool fan_in_fan_out = false;
  std::vector<LowRank> products;
  std::vector<Replaced> replaced;
};

// The folder of an adapter's files among the sources of a conversion.
[[nodiscard]] std::string adapter_folder(size_t number);

// The file with the matrices of this adapter, by its number in SourceFiles::files(). NotFound
// without it.
[[nodiscard]] Result<uint32_t> find_adapter(const SourceFiles& sources, size_t number);

// Reads the head of the adapter with this number. `weight` is the factor that the caller gives it.
// Errors name the file, the tensor and its byte: Unsupported for what is no plain LoRA, NotFound
// for a matrix without its other one, Mismatch for two that do not fit together.
[[nodiscard]] Result<Adapter> read_adapter(const SourceFiles& sources, size_t number,
                                           double weight);

}  // namespace ambry::convert
