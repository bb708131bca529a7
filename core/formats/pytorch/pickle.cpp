#include "formats/pytorch/pickle.h"

#include <algorithm>
#include <string>

#include "base/utf8.h"
#include "formats/pytorch/opcodes.h"

namespace ambry::formats::pytorch {

using Kind = Node::Kind;

namespace {

// Real files take about twenty nodes a tensor.
constexpr size_t kMaxNodes = 2'000'000;
constexpr uint32_t kNoLink = UINT32_MAX;
constexpr uint64_t kNewestProtocol = 5;

}  // namespace

// A machine with a stack, marks in it, and a memory of earlier values.
class PickleMachine {
 public:
  PickleMachine(Pickle& pickle, Bytes bytes, uint64_t offset) : pickle_(pickle), bytes_(bytes) {
    pickle.bytes_ = bytes;
    pickle.offset_ = offset;
  }

  Result<void> run() {
    for (;;) {
      start_ = position_;
      AMBRY_TRY(const uint64_t code, number(1));
      if (static_cast<Opcode>(code) == Opcode::Stop) return stop();
      if (pickle_.nodes_.size() >= kMaxNodes) {
        return fail(ErrorCode::LimitExceeded, "more than 2 million values");
      }
      AMBRY_CHECK(follow(static_cast<uint8_t>(code)));
    }
  }

 private:
  [[nodiscard]] Failure fail(ErrorCode code, const Text& message) const {
    return error_at(code, pickle_.offset_ + start_, "data.pkl", message);
  }

  // The argument of an opcode.
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
    return push({kind, 0, kNoLink, 0, value});
  }
  Result<void> push_number(uint64_t value) { return push_simple(Kind::Int, value); }
  Result<void> push_text(Kind kind, size_t length_bytes);
  Result<void> push_long();

  // The values above the last mark, or above the bottom while there is none.
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
  Result<void> push_global(std::string_view module, std::string_view name);
  Result<void> push_stack_global();
  Result<void> reduce();
  Result<void> build();
  Result<void> push_storage();

  Result<void> follow(uint8_t code);
  Result<void> follow_value(Opcode code);
  Result<void> follow_container(Opcode code);
  Result<void> refuse(uint8_t code) const;
  Result<void> stop();

  Pickle& pickle_;
  Bytes bytes_;
  size_t position_ = 0;
  size_t start_ = 0;  // of the opcode that is followed
  std::vector<NodeId> stack_;
  std::vector<size_t> marks_;  // heights of the stack
  std::vector<NodeId> memo_;
};

Result<void> PickleMachine::push_text(Kind kind, size_t length_bytes) {
  AMBRY_TRY(const uint64_t length, number(length_bytes));
  const size_t at = position_;
  AMBRY_TRY(const Bytes text, take(length));
  // Python 2 wrote texts as bytes, which are text where they are valid as such.
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
  AMBRY_CHECK(push_simple(kind));
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

// Python numbers its memory in sequence.
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

// A call in Python; here the thing that the known functions would make.
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

// Attributes of an object: a state dict has its modules' versions, which say nothing of tensors.
Result<void> PickleMachine::build() {
  AMBRY_CHECK(pop());
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

Result<void> PickleMachine::follow(uint8_t code) {
  switch (static_cast<Opcode>(code)) {
    case Opcode::Proto: {
      AMBRY_TRY(const uint64_t protocol, number(1));
      if (protocol <= kNewestProtocol) return {};
      return fail(ErrorCode::UnsupportedVersion, {"protocol ", protocol, " of pickle"});
    }
    case Opcode::Frame:
      AMBRY_CHECK(number(8));  // of bytes to be read ahead, which a whole pickle has no use for
      return {};
    case Opcode::Mark:
      marks_.push_back(stack_.size());
      return {};
    case Opcode::Global: {
      AMBRY_TRY(const auto module, line());
      AMBRY_TRY(const auto name, line());
      return push_global(module, name);
    }
    case Opcode::StackGlobal:
      return push_stack_global();
    case Opcode::Reduce:
      return reduce();
    case Opcode::Build:
      return build();
    case Opcode::BinPersId:
      return push_storage();
    case Opcode::BinPut: {
      AMBRY_TRY(const uint64_t slot, number(1));
      return remember(slot);
    }
    case Opcode::LongBinPut: {
      AMBRY_TRY(const uint64_t slot, number(4));
      return remember(slot);
    }
    case Opcode::Memoize:
      return remember(memo_.size());
    case Opcode::BinGet:
      return recall(1);
    case Opcode::LongBinGet:
      return recall(4);
    default:
      return follow_value(static_cast<Opcode>(code));
  }
}

Result<void> PickleMachine::follow_value(Opcode code) {
  switch (code) {
    case Opcode::None:
      return push_simple(Kind::None);
    case Opcode::NewTrue:
    case Opcode::NewFalse:
      return push_simple(Kind::Bool, code == Opcode::NewTrue ? 1 : 0);
    case Opcode::BinInt: {
      AMBRY_TRY(const uint64_t bits, number(4));
      return push_number(static_cast<uint64_t>(int64_t{static_cast<int32_t>(bits)}));
    }
    case Opcode::BinInt1:
    case Opcode::BinInt2: {
      AMBRY_TRY(const uint64_t value, number(code == Opcode::BinInt1 ? 1 : 2));
      return push_number(value);
    }
    case Opcode::Long1:
      return push_long();
    case Opcode::BinFloat: {
      AMBRY_TRY(const uint64_t bits, number(8));
      return push_simple(Kind::Float, __builtin_bswap64(bits));
    }
    case Opcode::BinUnicode:
    case Opcode::BinString:
      return push_text(Kind::Text, 4);
    case Opcode::ShortBinUnicode:
    case Opcode::ShortBinString:
      return push_text(Kind::Text, 1);
    case Opcode::BinUnicode8:
      return push_text(Kind::Text, 8);
    case Opcode::BinBytes:
      return push_text(Kind::Bytes, 4);
    case Opcode::ShortBinBytes:
      return push_text(Kind::Bytes, 1);
    default:
      return follow_container(code);
  }
}

Result<void> PickleMachine::follow_container(Opcode code) {
  std::vector<NodeId> items;
  switch (code) {
    case Opcode::Pop:
      // Of a mark as of a value.
      if (!marks_.empty() && stack_.size() == marks_.back()) {
        marks_.pop_back();
        return {};
      }
      AMBRY_CHECK(pop());
      return {};
    case Opcode::PopMark:
      AMBRY_CHECK(pop_to_mark());
      return {};
    case Opcode::Dup: {
      AMBRY_TRY(const NodeId top, pop());
      stack_.insert(stack_.end(), 2, top);
      return {};
    }
    case Opcode::EmptyTuple:
      return push_simple(Kind::Tuple);
    case Opcode::EmptyList:
      return push_simple(Kind::List);
    case Opcode::EmptyDict:
      return push_simple(Kind::Dict);
    case Opcode::Tuple1:
    case Opcode::Tuple2:
    case Opcode::Tuple3:
      return push_tuple(static_cast<size_t>(code) - static_cast<size_t>(Opcode::Tuple1) + 1);
    case Opcode::Append:
    case Opcode::SetItem:
      items.resize(code == Opcode::Append ? 1 : 2);
      for (size_t i = items.size(); i-- > 0;) AMBRY_TRY(items[i], pop());
      return extend(code == Opcode::Append ? Kind::List : Kind::Dict, items);
    case Opcode::Tuple:
    case Opcode::List:
    case Opcode::Dict:
    case Opcode::Appends:
    case Opcode::SetItems:
      AMBRY_TRY(items, pop_to_mark());
      if (code == Opcode::Appends) return extend(Kind::List, items);
      if (code == Opcode::SetItems) return extend(Kind::Dict, items);
      return push_container(code == Opcode::Tuple  ? Kind::Tuple
                            : code == Opcode::List ? Kind::List
                                                   : Kind::Dict,
                            items);
    default:
      return refuse(static_cast<uint8_t>(code));
  }
}

Result<void> PickleMachine::refuse(uint8_t code) const {
  const std::string_view name = refused_opcode(code);
  if (name.empty()) return fail(ErrorCode::BadValue, {uint32_t{code}, " is no opcode of pickle"});
  return fail(ErrorCode::Unsupported,
              {"the opcode ", name, " is nothing that a file of tensors needs"});
}

Result<void> PickleMachine::stop() {
  AMBRY_TRY(pickle_.root_, pop());
  if (position_ == bytes_.size()) return {};
  start_ = position_;
  return fail(ErrorCode::BadValue,
              {uint64_t{bytes_.size() - position_}, " bytes follow the end of the pickle"});
}

Result<Pickle> Pickle::read(Bytes bytes, uint64_t offset) {
  Pickle pickle;
  AMBRY_CHECK(PickleMachine(pickle, bytes, offset).run());
  return pickle;
}

}  // namespace ambry::formats::pytorch
