// The plan beside a tinyRuntime file, as JSON: the graph, how an image becomes the network's input,
// and the names of its outputs.
//   {"input": [3, 32, 32],
//    "nodes": [["conv", 0, "x", "a"], ["relu", "a", "a"], ["maxpool", 2, 2, 0, "a", "b"],
//              ["add", "a", "b", "c", {"quantize": 4}], …],
//    "output": "y",
//    "image": {"mean": [0.5], "std": [0.25], "resize": "crop" | "stretch"},
//    "labels": ["cat", …]}
// A node has its operation, the operation's parameters, its operands, the name of its result, and
// for SQ8 the activations that quantize the result. `x` is the input. A name may be reused. A chain
// without names has a short form: each layer is the next one of its table, and `tail` is the head
// of append_head(): {"input": […], "ops": ["conv", "relu", "maxpool:2:2:0", "conv", "tail"]}. A
// plan must have `input` and either `nodes` or `ops`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/json/json.h"
#include "model/cnn/cnn_graph.h"

namespace ambry::model {

// How an image becomes values: it is cropped to the centre square of the input's shape or stretched
// to it; then each value is (v / 255 - mean) / std of its channel.
struct CnnImage {
  std::vector<float> mean;  // one for each channel of the input, which has 1 or 3
  std::vector<float> deviation;
  bool crop = true;

  friend bool operator==(const CnnImage&, const CnnImage&) = default;
};

// ImageNet's values, which torchvision's networks expect, for 3 channels. Nothing for other inputs.
[[nodiscard]] std::optional<CnnImage> default_image(uint32_t channels);

struct CnnPlan {
  CnnGraph graph;
  std::optional<CnnImage> image;
  std::vector<std::string> labels;  // one for each output; empty when not stated

  friend bool operator==(const CnnPlan&, const CnnPlan&) = default;
};

// Errors name the place, `plan.nodes[3][1]`: BadValue, Unsupported for an unknown operation,
// NotFound for an operand that no node computes. The caller must call check_graph().
[[nodiscard]] Result<CnnPlan> read_cnn_plan(std::string_view text);

// The long form. read_cnn_plan() reads it back as the same plan.
[[nodiscard]] io::Json cnn_plan_document(const CnnPlan& plan);

}  // namespace ambry::model
