// The values that a pickle of tensors builds, without running any code. A fixed set of opcodes
// builds numbers, texts and containers. The few functions that PyTorch's own files name are only
// recorded. All other names, and what they would make, are opaque values: what they are is noted,
// and nothing more.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "formats/pytorch/globals.h"

namespace ambry::formats::pytorch {

using NodeId = uint32_t;
// `first` of an opaque value without a name of its own; `count` is then 0, or the place in
// kKnownGlobals, counted from 1.
inline constexpr NodeId kNoName = UINT32_MAX;
// Added to the OpaqueWhat of a value whose name is two lines of the pickle: `first` is their
// offset, `count` their bytes. Other names are two Texts: `first` is the module, `count` the name
// in it.
inline constexpr uint64_t kNamedByLines = 0x100;

struct Node {
  enum class Kind : uint8_t {
    None,
    Bool,     // number: 0 or 1
    Int,      // number
    Float,    // number: the bits of a double
    Text,     // first: its offset in the pickle, count: its bytes; valid UTF-8
    Bytes,    // the same, with any bytes
    Tuple,    // count items; first: the first of them, in Pickle::links
    List,     // the same
    Dict,     // the same: keys and values
    Global,   // number: in kKnownGlobals
    Storage,  // first: the tuple that describes it
    Tensor,   // first: the tuple of arguments of the function `number`
    Opaque,   // number: an OpaqueWhat; first and count: its name (Pickle::name_of)
  };
  Kind kind = Kind::None;
  bool has_tensor = false;  // a tensor or a storage, or a value that was given one
  bool is_default = false;  // a defaultdict
  uint32_t at = 0;          // offset of its opcode in the pickle
  uint32_t first = 0;
  uint32_t count = 0;
  uint64_t number = 0;  // for a container: its last item, in Pickle::links
};

// What an opaque value is.
enum class OpaqueWhat : uint8_t {
  Name,          // of a class or function
  Object,        // what the name makes
  BrokenTensor,  // what a name of PyTorch makes of a tensor or a storage
  Set,
  Number,  // of more than 64 bits
};

[[nodiscard]] constexpr OpaqueWhat opaque_what(const Node& opaque) {
  return static_cast<OpaqueWhat>(opaque.number & ~kNamedByLines);
}

class Pickle {
 public:
  // `bytes` start at `offset` of the file and must outlive the Pickle. Errors use `name`. No bytes
  // may follow the end.
  [[nodiscard]] static Result<Pickle> read(Bytes bytes, uint64_t offset, std::string_view name);
  // Other bytes may follow. bytes() gives the length of the pickle.
  [[nodiscard]] static Result<Pickle> read_first(Bytes bytes, uint64_t offset,
                                                 std::string_view name);

  [[nodiscard]] Bytes bytes() const { return bytes_; }
  [[nodiscard]] NodeId root() const { return root_; }
  // All values in the order in which they were built.
  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  [[nodiscard]] const Node& node(NodeId id) const { return nodes_[id]; }
  class Items;
  // The items of a tuple or list, or the alternating keys and values of a dict.
  [[nodiscard]] Items items(const Node& container) const;
  [[nodiscard]] std::string_view text(const Node& node) const {
    return as_text(bytes_.subspan(node.first, node.count));
  }
  // The name of an opaque value, such as `argparse.Namespace`; empty for none.
  [[nodiscard]] std::string name_of(const Node& opaque) const;
  // An opaque value in words, without an article: `object of argparse.Namespace`.
  [[nodiscard]] std::string describe(const Node& opaque) const;
  [[nodiscard]] uint64_t offset_of(const Node& node) const { return offset_ + node.at; }

 private:
  friend class PickleMachine;

  // The items of containers are chains, because a container may grow while others are built.
  struct Link {
    NodeId item = 0;
    uint32_t next = 0;
  };

  Bytes bytes_;
  uint64_t offset_ = 0;
  std::vector<Node> nodes_;
  std::vector<Link> links_;
  NodeId root_ = 0;
};

class Pickle::Items {
 public:
  Items(const Pickle& pickle, const Node& container)
      : links_(pickle.links_.data()), link_(container.first), left_(container.count) {}

  [[nodiscard]] uint32_t left() const { return left_; }
  // Call only while items are left.
  NodeId next() {
    const Link link = links_[link_];
    link_ = link.next;
    --left_;
    return link.item;
  }

 private:
  const Link* links_;
  uint32_t link_;
  uint32_t left_;
};

inline Pickle::Items Pickle::items(const Node& container) const { return {*this, container}; }

}  // namespace ambry::formats::pytorch
