// Plans of convolutional networks: what is read writes as a plan that reads the same, and the
// checker takes it beside any table.
#include <cstdlib>

#include "base/bytes.h"
#include "model/cnn/cnn_plan.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ambry::model;
  const auto plan = read_cnn_plan(ambry::as_text({data, size}));
  if (!plan) return 0;
  const auto again = read_cnn_plan(cnn_plan_document(*plan).dump());
  if (!again || !(*again == *plan)) std::abort();
  CnnTable table;
  table.convs = {{3, 1, 1, 3, 4}, {1, 2, 0, 4, 3}};
  table.linears = {{1, 1, 0, 4, 2}};
  table.batch_norms = {{1, 1, 0, 4, 4}};
  const auto shapes = check_graph(plan->graph, table);
  if (shapes && shapes->size() != plan->graph.nodes.size() + 1) std::abort();
  return 0;
}
