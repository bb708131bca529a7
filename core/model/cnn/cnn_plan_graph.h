// The graph of a plan: its input, and its nodes in the long or in the short form (cnn_plan.h).
#pragma once

#include "base/result.h"
#include "io/json/json.h"
#include "model/cnn/cnn_graph.h"

namespace ambry::model {

// Of `document`'s fields input, nodes, ops and output. Errors as read_cnn_plan()'s.
[[nodiscard]] Result<CnnGraph> read_plan_graph(const io::Json& document);

}  // namespace ambry::model
