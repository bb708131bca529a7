// The state on which pickle's opcodes work: a stack of values, marks in it, and a memory of earlier
// values. The values end up in a Pickle.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "formats/pytorch/opcodes.h"
#include "formats/pytorch/pickle.h"

namespace ambry::formats::pytorch {

// Real files need about twenty nodes for each tensor.
inline constexpr size_t kMaxNodes = 2'000'000;

class PickleMachine {
 public:
  PickleMachine(Pickle& pickle, Bytes bytes, uint64_t offset, std::string_view name)
      : pickle_(pickle), bytes_(bytes), name_(name) {
    pickle.bytes_ = bytes;
    pickle.offset_ = offset;
  }

  Result<void> run();

 private:
  using Kind = Node::Kind;

  [[nodiscard]] Failure fail(ErrorCode code, const Text& message) const {
    return error_at(code, pickle_.offset_ + start_, name_, message);
  }

  // Takes the argument of an opcode.
  Result<Bytes> take(uint64_t size) {
    if (size > bytes_.size() - position_)
      return fail(ErrorCode::Truncated, "the pickle is cut off");
    const Bytes taken = bytes_.subspan(position_, static_cast<size_t>(size));
    position_ += static_cast<size_t>(size);
    return taken;
  }
  Result<uint64_t> number(size_t size) {
    AMBRY_TRY(const Bytes bytes, take(size));
    uint64_t value = 0;
    for (size_t i = size; i-- > 0;) value = value << 8 | bytes[i];
    return value;
  }

  NodeId add(Node node) {
    node.at = static_cast<uint32_t>(start_);
    pickle_.nodes_.push_back(node);
    return static_cast<NodeId>(pickle_.nodes_.size() - 1);
  }
  Result<void> push(Node node) {
    stack_.push_back(add(node));
    return {};
  }
  Result<void> push_simple(Kind kind, uint64_t value = 0) {
    return push({kind, false, false, 0, 0, 0, value});
  }
  Result<void> push_opaque(OpaqueWhat what) {
    return push({Kind::Opaque, false, false, 0, kNoName, 0, static_cast<uint64_t>(what)});
  }
  Result<void> push_number(uint64_t value) { return push_simple(Kind::Int, value); }
  Result<void> push_text(Kind kind, size_t length_bytes);
  Result<void> push_long(size_t length_bytes);

  // The start of the values above the last mark, or of all values without a mark.
  [[nodiscard]] size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }
  Result<NodeId> pop();
  Result<std::vector<NodeId>> pop_to_mark();

  void append(NodeId container, NodeId item);
  Result<void> push_container(Kind kind, const std::vector<NodeId>& items);
  Result<void> push_tuple(size_t n);
  Result<void> extend(Kind kind, const std::vector<NodeId>& items);
  Result<void> remember(uint64_t slot);
  Result<void> recall(size_t bytes);

  Result<std::string_view> line();
  Result<void> push_global_lines();
  Result<void> push_stack_global();
  Result<void> reduce();
  Result<void> call(NodeId function, NodeId arguments);
  Result<void> make_object(Opcode code);
  Result<void> push_object(NodeId maker, bool of_tensor);
  Result<void> build();
  Result<void> push_storage();

  Result<void> follow(uint8_t code);
  Result<void> follow_value(Opcode code);
  Result<void> follow_container(Opcode code);
  Result<void> refuse(uint8_t code) const;
  Result<void> stop();

  Pickle& pickle_;
  Bytes bytes_;
  std::string_view name_;
  size_t position_ = 0;
  size_t start_ = 0;  // of the current opcode
  std::vector<NodeId> stack_;
  std::vector<size_t> marks_;  // heights of the stack
  std::vector<NodeId> memo_;
};

}  // namespace ambry::formats::pytorch
