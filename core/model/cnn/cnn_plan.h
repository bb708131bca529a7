// The plan beside a tinyRuntime file, as JSON: the graph, how a picture becomes its input, and what
// its outputs are called.
//   {"input": [3, 32, 32],
//    "nodes": [["conv", 0, "x", "a"], ["relu", "a", "a"], ["maxpool", 2, 2, 0, "a", "b"],
//              ["add", "a", "b", "c", {"quantize": 4}], …],
//    "output": "y",
//    "image": {"mean": [0.5], "std": [0.25], "resize": "crop" | "stretch"},
//    "labels": ["cat", …]}
// A node is its operation, the operation's numbers, its operands, the name of its result, and for
// SQ8 the activations that turn the result into bytes. `x` is the input; a name may be given again.
// A chain without names can be written short, each layer the next of its table and `tail` the head
// of append_head(): {"input": […], "ops": ["conv", "relu", "maxpool:2:2:0", "conv", "tail"]}.
// Needed are `input` and one of `nodes` and `ops`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/json/json.h"
#include "model/cnn/cnn_graph.h"

namespace ambry::model {

// From a picture to numbers: cut to the middle square part of the input's form, or stretched to it;
// then (v / 255 - mean) / std by channel.
struct CnnImage {
  std::vector<float> mean;  // one a channel of the input, which has 1 or 3
  std::vector<float> deviation;
  bool crop = true;

  friend bool operator==(const CnnImage&, const CnnImage&) = default;
};

// ImageNet's, which torchvision's networks expect, for 3 channels; none for other inputs.
[[nodiscard]] std::optional<CnnImage> default_image(uint32_t channels);

struct CnnPlan {
  CnnGraph graph;
  std::optional<CnnImage> image;
  std::vector<std::string> labels;  // by output; empty when nobody stated them

  friend bool operator==(const CnnPlan&, const CnnPlan&) = default;
};

// Errors name the place, `plan.nodes[3][1]`: BadValue, Unsupported for an operation that does not
// exist, NotFound for an operand that nobody made. check_graph() is up to the caller.
[[nodiscard]] Result<CnnPlan> read_cnn_plan(std::string_view text);

// The long form; read_cnn_plan() gives the same plan again.
[[nodiscard]] io::Json cnn_plan_document(const CnnPlan& plan);

}  // namespace ambry::model
