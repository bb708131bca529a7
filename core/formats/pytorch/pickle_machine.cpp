// Builds the values. pickle.cpp says which opcode builds which.
#include "formats/pytorch/pickle_machine.h"

#include <string>

#include "base/utf8.h"

namespace ambry::formats::pytorch {

namespace {

constexpr uint32_t kNoLink = UINT32_MAX;

}  // namespace

Result<void> PickleMachine::push_text(Kind kind, size_t length_bytes) {
  AMBRY_TRY(const uint64_t length, number(length_bytes));
  const size_t at = position_;
  AMBRY_TRY(const Bytes text, take(length));
  // Python 2 wrote texts as bytes. They are text if they are valid UTF-8.
  if (kind == Kind::Text && find_invalid_utf8(as_text(text))) kind = Kind::Bytes;
  return push({kind, false, false, 0, static_cast<uint32_t>(at), static_cast<uint32_t>(length)});
}

Result<void> PickleMachine::push_long(size_t length_bytes) {
  AMBRY_TRY(const uint64_t size, number(length_bytes));
  if (size > sizeof(uint64_t)) {
    AMBRY_RETURN_IF_ERROR(take(size));
    return push_opaque(OpaqueWhat::Number);
  }
  AMBRY_TRY(uint64_t value, number(static_cast<size_t>(size)));
  const uint64_t unused = 64 - 8 * size;
  if (size > 0) value = static_cast<uint64_t>(static_cast<int64_t>(value << unused) >> unused);
  return push_number(value);
}

Result<NodeId> PickleMachine::pop() {
  if (stack_.size() == floor()) return fail(ErrorCode::BadValue, "takes a value that is not there");
  const NodeId top = stack_.back();
  stack_.pop_back();
  return top;
}

Result<std::vector<NodeId>> PickleMachine::pop_to_mark() {
  if (marks_.empty()) return fail(ErrorCode::BadValue, "goes back to a mark that is not there");
  const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
  std::vector<NodeId> items(begin, stack_.end());
  stack_.erase(begin, stack_.end());
  marks_.pop_back();
  return items;
}

void PickleMachine::append(NodeId container, NodeId item) {
  const auto link = static_cast<uint32_t>(pickle_.links_.size());
  pickle_.links_.push_back({item, kNoLink});
  Node& node = pickle_.nodes_[container];
  node.has_tensor = node.has_tensor || pickle_.nodes_[item].has_tensor;
  if (node.count++ == 0) {
    node.first = link;
  } else {
    pickle_.links_[static_cast<size_t>(node.number)].next = link;
  }
  node.number = link;
}

Result<void> PickleMachine::push_container(Kind kind, const std::vector<NodeId>& items) {
  if (kind == Kind::Dict && items.size() % 2 != 0) {
    return fail(ErrorCode::BadValue, "a key without a value");
  }
  AMBRY_RETURN_IF_ERROR(push_simple(kind));
  for (const NodeId item : items) append(stack_.back(), item);
  return {};
}

Result<void> PickleMachine::push_tuple(size_t n) {
  std::vector<NodeId> items(n);
  for (size_t i = n; i-- > 0;) AMBRY_TRY(items[i], pop());
  return push_container(Kind::Tuple, items);
}

// Adds to the container on top of the stack. What an opaque value holds is not kept.
Result<void> PickleMachine::extend(Kind kind, const std::vector<NodeId>& items) {
  if (stack_.size() > floor() && pickle_.nodes_[stack_.back()].kind == Kind::Opaque) {
    Node& object = pickle_.nodes_[stack_.back()];
    for (const NodeId item : items) {
      object.has_tensor = object.has_tensor || pickle_.nodes_[item].has_tensor;
    }
    return {};
  }
  if (stack_.size() == floor() || pickle_.nodes_[stack_.back()].kind != kind) {
    return fail(ErrorCode::BadValue, {"adds to what is no ", kind == Kind::Dict ? "dict" : "list"});
  }
  if (kind == Kind::Dict && items.size() % 2 != 0) {
    return fail(ErrorCode::BadValue, "a key without a value");
  }
  if (pickle_.links_.size() + items.size() > 2 * kMaxNodes) {
    return fail(ErrorCode::LimitExceeded, "more than 4 million items");
  }
  for (const NodeId item : items) append(stack_.back(), item);
  return {};
}

// Python numbers its memory consecutively.
Result<void> PickleMachine::remember(uint64_t slot) {
  if (stack_.size() == floor() || slot > memo_.size()) {
    return fail(ErrorCode::BadValue, {"remembers nothing, or out of sequence (", slot, ")"});
  }
  if (slot == memo_.size()) memo_.push_back(stack_.back());
  memo_[static_cast<size_t>(slot)] = stack_.back();
  return {};
}

Result<void> PickleMachine::recall(size_t bytes) {
  AMBRY_TRY(const uint64_t slot, number(bytes));
  if (slot >= memo_.size()) {
    return fail(ErrorCode::BadValue, {"recalls slot ", slot, " of ", uint64_t{memo_.size()}});
  }
  stack_.push_back(memo_[static_cast<size_t>(slot)]);
  return {};
}

Result<std::string_view> PickleMachine::line() {
  const std::string_view rest = as_text(bytes_.subspan(position_));
  const size_t end = rest.find('\n');
  if (end == std::string_view::npos) {
    return fail(ErrorCode::Truncated, "a name without an end");
  }
  position_ += end + 1;
  return rest.substr(0, end);
}

Result<void> PickleMachine::push_global_lines() {
  const auto at = static_cast<uint32_t>(position_);
  AMBRY_TRY(const auto module, line());
  AMBRY_TRY(const auto name, line());
  if (const auto known = find_global(module, name)) return push_simple(Kind::Global, *known);
  const auto size = static_cast<uint32_t>(module.size() + 1 + name.size());
  return push({Kind::Opaque, false, false, 0, at, size,
               static_cast<uint64_t>(OpaqueWhat::Name) | kNamedByLines});
}

Result<void> PickleMachine::push_stack_global() {
  AMBRY_TRY(const NodeId name, pop());
  AMBRY_TRY(const NodeId module, pop());
  const Node& name_node = pickle_.nodes_[name];
  const Node& module_node = pickle_.nodes_[module];
  if (name_node.kind != Kind::Text || module_node.kind != Kind::Text) {
    return fail(ErrorCode::BadValue, "STACK_GLOBAL: a name that is no text");
  }
  const auto known = find_global(pickle_.text(module_node), pickle_.text(name_node));
  if (known) return push_simple(Kind::Global, *known);
  return push(
      {Kind::Opaque, false, false, 0, module, name, static_cast<uint64_t>(OpaqueWhat::Name)});
}

// A call in Python. Here it builds the value that the known functions would return. No other is
// called: its value is opaque.
Result<void> PickleMachine::reduce() {
  AMBRY_TRY(const NodeId arguments, pop());
  AMBRY_TRY(const NodeId function, pop());
  return call(function, arguments);
}

Result<void> PickleMachine::call(NodeId function, NodeId arguments) {
  const Node tuple = pickle_.nodes_[arguments];
  const Node callee = pickle_.nodes_[function];
  if (callee.kind != Kind::Global || tuple.kind != Kind::Tuple) {
    return push_object(function, tuple.has_tensor);
  }
  const KnownGlobal& known = kKnownGlobals[static_cast<size_t>(callee.number)];
  Pickle::Items items = pickle_.items(tuple);
  switch (known.role) {
    case GlobalRole::OrderedDict:
      return tuple.count == 0 ? push_simple(Kind::Dict) : push_object(function, false);
    case GlobalRole::DefaultDict:
      return push({Kind::Dict, false, true});
    case GlobalRole::Tensor:
    case GlobalRole::TypedTensor:
      return push({Kind::Tensor, true, false, 0, arguments, 0, callee.number});
    case GlobalRole::Parameter: {
      const NodeId tensor = items.left() > 0 ? items.next() : arguments;
      if (pickle_.nodes_[tensor].kind != Kind::Tensor) return push_object(function, true);
      stack_.push_back(tensor);
      return {};
    }
    default:
      return push_object(function, tuple.has_tensor);
  }
}

// What a name makes that is not called. `of_tensor`: it was given one.
Result<void> PickleMachine::push_object(NodeId maker, bool of_tensor) {
  const Node by = pickle_.nodes_[maker];
  const bool named = by.kind == Kind::Opaque && by.first != kNoName;
  Node made{Kind::Opaque, of_tensor, false, 0, kNoName};
  if (named) {
    made.first = by.first;
    made.count = by.count;
  } else if (by.kind == Kind::Global) {
    made.count = static_cast<uint32_t>(by.number) + 1;
  }
  const bool of_torch =
      by.kind == Kind::Global || (named && pickle_.name_of(by).starts_with("torch"));
  const auto what = of_tensor && of_torch ? OpaqueWhat::BrokenTensor : OpaqueWhat::Object;
  made.number = static_cast<uint64_t>(what) | (named ? by.number & kNamedByLines : 0);
  return push(made);
}

// NEWOBJ takes a class and its arguments, NEWOBJ_EX also named arguments. OBJ and INST are their
// older forms.
Result<void> PickleMachine::make_object(Opcode code) {
  if (code == Opcode::Inst) {
    AMBRY_RETURN_IF_ERROR(push_global_lines());
    AMBRY_TRY(const NodeId maker, pop());
    AMBRY_RETURN_IF_ERROR(pop_to_mark());
    return push_object(maker, false);
  }
  if (code == Opcode::Obj) {
    AMBRY_TRY(const std::vector<NodeId> items, pop_to_mark());
    if (items.empty()) return fail(ErrorCode::BadValue, "an object without a class");
    return push_object(items.front(), false);
  }
  if (code == Opcode::NewObjEx) AMBRY_RETURN_IF_ERROR(pop());
  AMBRY_TRY(const NodeId arguments, pop());
  AMBRY_TRY(const NodeId maker, pop());
  return call(maker, arguments);
}

// Attributes of an object. For a state dict, these are its modules' versions, which are not needed.
Result<void> PickleMachine::build() {
  AMBRY_TRY(const NodeId state, pop());
  if (stack_.size() == floor()) return fail(ErrorCode::BadValue, "BUILD: attributes of nothing");
  Node& object = pickle_.nodes_[stack_.back()];
  if (object.kind == Kind::Opaque) {
    object.has_tensor = object.has_tensor || pickle_.nodes_[state].has_tensor;
    return {};
  }
  if (object.kind == Kind::Dict) return {};
  return fail(ErrorCode::Unsupported, "BUILD: attributes of what is no dict");
}

Result<void> PickleMachine::push_storage() {
  AMBRY_TRY(const NodeId id, pop());
  if (pickle_.nodes_[id].kind != Kind::Tuple) {
    return fail(ErrorCode::Unsupported, "BINPERSID: what is no storage of a tensor");
  }
  return push({Kind::Storage, true, false, 0, id});
}

}  // namespace ambry::formats::pytorch
