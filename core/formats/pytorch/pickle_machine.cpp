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
  return push({kind, 0, static_cast<uint32_t>(at), static_cast<uint32_t>(length)});
}

Result<void> PickleMachine::push_long() {
  AMBRY_TRY(const uint64_t size, number(1));
  if (size > sizeof(uint64_t)) {
    return fail(ErrorCode::Unsupported, {"LONG1: a number of ", size, " bytes"});
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

// Adds to the container on top of the stack.
Result<void> PickleMachine::extend(Kind kind, const std::vector<NodeId>& items) {
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

Result<void> PickleMachine::push_global(std::string_view module, std::string_view name) {
  if (const auto known = find_global(module, name)) return push_simple(Kind::Global, *known);
  constexpr size_t kShown = 80;
  const auto shown = [](std::string_view text) {
    return find_invalid_utf8(text) ? std::string_view("?") : text.substr(0, kShown);
  };
  return fail(ErrorCode::Unsupported,
              {"GLOBAL: ", shown(module), ".", shown(name),
               " is nothing that a file of tensors needs, and no code is run from files"});
}

Result<void> PickleMachine::push_stack_global() {
  AMBRY_TRY(const NodeId name, pop());
  AMBRY_TRY(const NodeId module, pop());
  const Node& name_node = pickle_.nodes_[name];
  const Node& module_node = pickle_.nodes_[module];
  if (name_node.kind != Kind::Text || module_node.kind != Kind::Text) {
    return fail(ErrorCode::BadValue, "STACK_GLOBAL: a name that is no text");
  }
  return push_global(pickle_.text(module_node), pickle_.text(name_node));
}

// A call in Python. Here it builds the value that the known functions would return.
Result<void> PickleMachine::reduce() {
  AMBRY_TRY(const NodeId arguments, pop());
  AMBRY_TRY(const NodeId function, pop());
  const Node tuple = pickle_.nodes_[arguments];
  const Node callee = pickle_.nodes_[function];
  if (callee.kind != Kind::Global || tuple.kind != Kind::Tuple) {
    return fail(ErrorCode::Unsupported, "REDUCE: calls what is no function");
  }
  const KnownGlobal& known = kKnownGlobals[static_cast<size_t>(callee.number)];
  const auto refuse = [&] {
    return fail(ErrorCode::Unsupported,
                {"REDUCE: ", known.module, ".", known.name, " with ", tuple.count, " arguments"});
  };
  switch (known.role) {
    case GlobalRole::OrderedDict:
      return tuple.count == 0 ? push_simple(Kind::Dict) : refuse();
    case GlobalRole::Tensor:
    case GlobalRole::TypedTensor:
      return push({Kind::Tensor, 0, arguments, 0, callee.number});
    case GlobalRole::Parameter: {
      Pickle::Items items = pickle_.items(tuple);
      const NodeId tensor = items.left() > 0 ? items.next() : arguments;
      if (pickle_.nodes_[tensor].kind != Kind::Tensor) return refuse();
      stack_.push_back(tensor);
      return {};
    }
    default:
      return refuse();
  }
}

// Attributes of an object. For a state dict, these are its modules' versions, which are not needed.
Result<void> PickleMachine::build() {
  AMBRY_RETURN_IF_ERROR(pop());
  if (stack_.size() > floor() && pickle_.nodes_[stack_.back()].kind == Kind::Dict) return {};
  return fail(ErrorCode::Unsupported, "BUILD: attributes of what is no dict");
}

Result<void> PickleMachine::push_storage() {
  AMBRY_TRY(const NodeId id, pop());
  if (pickle_.nodes_[id].kind != Kind::Tuple) {
    return fail(ErrorCode::Unsupported, "BINPERSID: what is no storage of a tensor");
  }
  return push({Kind::Storage, 0, id});
}

}  // namespace ambry::formats::pytorch
