// The adapters of jina-embeddings-v3: for each task a product of two narrow matrices that is added
// to every embedding table and every matrix of a linear layer (Hu et al., "LoRA", 2021). A
// converted model has those of one task merged into its weights, or none.
//
//   X.parametrizations.weight.original          the weight X.weight
//   X.parametrizations.weight.0.lora_A, lora_B  of all tasks, in the order of lora_adaptations
#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "convert/plan/plan.h"
#include "convert/plan/source_model.h"
#include "formats/huggingface/config/fields/adapter_config.h"

namespace ambry::convert {

// By the name of the weight.
using WeightChanges = std::map<std::string, RowChange, std::less<>>;

// Gives weights their usual names and takes the adapters out of `source`. Returns what the adapters
// of `task` add; nothing if it is empty. NotFound, at options.task, for a task that is not there,
// and at the tensor's name when a task is asked for and an adapter is missing. Mismatch for
// matrices of other sizes. Adds a warning when adapters are left out.
[[nodiscard]] Result<WeightChanges> take_adapters(
    const formats::huggingface::AdapterConfig& adapters, const std::string& task,
    SourceModel& source);

}  // namespace ambry::convert
