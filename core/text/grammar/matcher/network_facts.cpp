#include "text/grammar/matcher/network_facts.h"

namespace ambry::text {
namespace {

using Kind = TransitionNetwork::Kind;
using Node = TransitionNetwork::Node;

// A fixpoint from the ends backwards. Each node is looked at again only when one that it depends on
// has changed, so the time is linear.
class Completion {
 public:
  Completion(const TransitionNetwork& network, PassBytes pass_bytes)
      : network_(network), pass_bytes_(pass_bytes), completes_(network.nodes.size()) {
    list_dependents();
  }

  std::vector<bool> run() {
    std::vector<uint32_t> changed;
    const auto look_at = [&](uint32_t node) {
      if (completes_[node] || !completes(network_.nodes[node])) return;
      completes_[node] = true;
      changed.push_back(node);
    };
    for (uint32_t node = 0; node < network_.nodes.size(); ++node) look_at(node);
    while (!changed.empty()) {
      const uint32_t node = changed.back();
      changed.pop_back();
      for (uint32_t i = begins_[node]; i < begins_[node + 1]; ++i) look_at(dependents_[i]);
    }
    return std::move(completes_);
  }

 private:
  template <class Visit>
  void for_each_dependency(const Visit& visit) const {
    for (uint32_t i = 0; i < network_.nodes.size(); ++i) {
      const Node& node = network_.nodes[i];
      if (node.kind == Kind::Dead || node.kind == Kind::Return) continue;
      visit(node.next, i);
      if (node.kind == Kind::Split) visit(node.target, i);
      if (node.kind == Kind::Call) visit(network_.starts[node.target], i);
    }
  }

  void list_dependents() {
    begins_.assign(network_.nodes.size() + 1, 0);
    for_each_dependency([&](uint32_t on, uint32_t /*node*/) { ++begins_[on + 1]; });
    for (size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
    dependents_.resize(begins_.back());
    std::vector<uint32_t> at(begins_.begin(), begins_.end() - 1);
    for_each_dependency([&](uint32_t on, uint32_t node) { dependents_[at[on]++] = node; });
  }

  [[nodiscard]] bool completes(const Node& node) const {
    switch (node.kind) {
      case Kind::Dead:
        return false;
      case Kind::Return:
        return true;
      case Kind::Bytes:
        return pass_bytes_ == PassBytes::Yes && completes_[node.next];
      case Kind::Split:
        return completes_[node.target] || completes_[node.next];
      case Kind::Call:
        return completes_[network_.starts[node.target]] && completes_[node.next];
    }
    return false;
  }

  const TransitionNetwork& network_;
  PassBytes pass_bytes_;
  std::vector<bool> completes_;
  // The nodes that depend on node i are dependents_[begins_[i]] to dependents_[begins_[i + 1]].
  std::vector<uint32_t> begins_;
  std::vector<uint32_t> dependents_;
};

}  // namespace

std::vector<bool> nodes_that_complete(const TransitionNetwork& network, PassBytes pass_bytes) {
  return Completion(network, pass_bytes).run();
}

}  // namespace ambry::text
