// Reads the graph of a plan: its input, and its nodes in the long or the short form (cnn_plan.h).
#pragma once

#include "base/result.h"
#include "io/json/json.h"
#include "model/cnn/cnn_graph.h"

namespace ambry::model {

// Reads the fields input, nodes, ops and output of `document`. Errors as in read_cnn_plan().
[[nodiscard]] Result<CnnGraph> read_plan_graph(const io::Json& document);

}  // namespace ambry::model
