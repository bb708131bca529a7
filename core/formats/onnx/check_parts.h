// The parts of check_model().
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/onnx/onnx_model.h"
#include "formats/onnx/signatures.h"
#include "io/diagnostics.h"

namespace ambry::formats::onnx {

// Collects problems, and stops where more would say nothing new.
class Problems {
 public:
  explicit Problems(io::Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void error(ErrorCode code, uint64_t offset, const Text& path, const Text& message);
  // An error in strict reading, else a warning.
  void tolerate(ErrorCode code, uint64_t offset, const Text& path, const Text& message);
  void warn(ErrorCode code, uint64_t offset, const Text& path, const Text& message);
  [[nodiscard]] bool is_full() const { return n_problems_ >= kMostProblems; }

 private:
  static constexpr size_t kMostProblems = 64;
  io::Diagnostics& diagnostics_;
  size_t n_problems_ = 0;
};

// Whether the values of the tensor are as many as its extents and its type say.
void check_tensor(const OnnxModel& model, const Tensor& tensor, const std::string& path,
                  Problems& problems);

// Whether functions are defined once, and do not call themselves by way of others.
void check_functions(const OnnxModel& model, Problems& problems);

// What nodes may call: the operators of the imported domains, and the functions of the model.
class CallCheck {
 public:
  // `opsets` are those of the model or of a function.
  CallCheck(const OnnxModel& model, const std::vector<OpsetImport>& opsets, Problems& problems);

  void check(const Graph& graph, const Node& node, const std::string& path);

 private:
  struct Callee {
    enum class Kind : uint8_t { New, Unchecked, Operator, Function } kind = Kind::New;
    Signature signature;
    const Function* function = nullptr;
  };
  [[nodiscard]] int64_t version_of(NameId domain) const;
  Callee resolve(const Operator& op, const Node& node, const std::string& path);
  void check_counts(const Graph& graph, const Node& node, const Callee& callee,
                    const std::string& path);
  void check_attributes(const Graph& graph, const Node& node, const Callee& callee,
                        const std::string& path);

  const OnnxModel& model_;
  const std::vector<OpsetImport>& opsets_;
  Problems& problems_;
  std::vector<Callee> callees_;  // by number of the operator
};

// Whether every name in a graph, and in the graphs in its attributes, is defined once and before it
// is used.
class NameCheck {
 public:
  NameCheck(const OnnxModel& model, Problems& problems);

  // `function` is the one whose body the graph is, or nullptr.
  void check(const Graph& graph, CallCheck& calls, const std::string& path,
             const Function* function = nullptr);

 private:
  [[nodiscard]] std::string label(const Graph& graph, const Node& node,
                                  std::string_view path) const;
  void define(NameId name, uint64_t offset, const std::string& path, std::string_view what);
  void define_starts(const Graph& graph, const std::string& path);
  void check_node(const Graph& graph, const Node& node, CallCheck& calls, const std::string& path);
  void check_attribute(const Attribute& attribute, CallCheck& calls, const std::string& path);
  void explain_missing(const Graph& graph, const Node& node, NameId name, const std::string& path);
  void check_ends(const Graph& graph, const std::string& path);

  const OnnxModel& model_;
  Problems& problems_;
  const Function* function_ = nullptr;
  uint32_t depth_ = 0;
  std::vector<uint8_t> depths_;  // by NameId: the depth of the graph that defines it; 0: none
  std::vector<NameId> defined_;  // in the open graphs, in order
  bool looked_for_cycles_ = false;
};

}  // namespace ambry::formats::onnx
