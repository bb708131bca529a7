#include "formats/pytorch/pickle.h"

#include <algorithm>

#include "base/utf8.h"
#include "formats/pytorch/pickle_machine.h"

namespace ambry::formats::pytorch {
namespace {

constexpr uint64_t kNewestProtocol = 5;

}  // namespace

Result<void> PickleMachine::run() {
  for (;;) {
    start_ = position_;
    AMBRY_TRY(const uint64_t code, number(1));
    if (static_cast<Opcode>(code) == Opcode::Stop) return stop();
    if (pickle_.nodes_.size() >= kMaxNodes) {
      return fail(ErrorCode::LimitExceeded, "more than 2 million values");
    }
    AMBRY_RETURN_IF_ERROR(follow(static_cast<uint8_t>(code)));
  }
}

Result<void> PickleMachine::follow(uint8_t code) {
  switch (static_cast<Opcode>(code)) {
    case Opcode::Proto: {
      AMBRY_TRY(const uint64_t protocol, number(1));
      if (protocol <= kNewestProtocol) return {};
      return fail(ErrorCode::UnsupportedVersion, {"protocol ", protocol, " of pickle"});
    }
    case Opcode::Frame:
      AMBRY_RETURN_IF_ERROR(
          number(8));  // number of bytes to read ahead, not needed for a whole pickle
      return {};
    case Opcode::Mark:
      marks_.push_back(stack_.size());
      return {};
    case Opcode::Global:
      return push_global_lines();
    case Opcode::StackGlobal:
      return push_stack_global();
    case Opcode::Reduce:
      return reduce();
    case Opcode::NewObj:
    case Opcode::NewObjEx:
    case Opcode::Obj:
    case Opcode::Inst:
      return make_object(static_cast<Opcode>(code));
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
      return push_long(1);
    case Opcode::Long4:
      return push_long(4);
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
    case Opcode::BinBytes8:
    case Opcode::ByteArray8:
      return push_text(Kind::Bytes, 8);
    default:
      return follow_container(code);
  }
}

Result<void> PickleMachine::follow_container(Opcode code) {
  std::vector<NodeId> items;
  switch (code) {
    case Opcode::Pop:
      // Pops a mark or a value.
      if (!marks_.empty() && stack_.size() == marks_.back()) {
        marks_.pop_back();
        return {};
      }
      AMBRY_RETURN_IF_ERROR(pop());
      return {};
    case Opcode::PopMark:
      AMBRY_RETURN_IF_ERROR(pop_to_mark());
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
    case Opcode::EmptySet:
      return push_opaque(OpaqueWhat::Set);
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
    case Opcode::AddItems:
    case Opcode::FrozenSet:
      AMBRY_TRY(items, pop_to_mark());
      if (code == Opcode::FrozenSet) return push_opaque(OpaqueWhat::Set);
      if (code == Opcode::AddItems) return extend(Kind::Opaque, items);
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

std::string Pickle::name_of(const Node& opaque) const {
  constexpr size_t kShown = 160;
  if (opaque.first == kNoName) {
    if (opaque.count == 0) return {};
    const KnownGlobal& known = kKnownGlobals[opaque.count - 1];
    return concat({known.module, ".", known.name});
  }
  std::string name;
  if ((opaque.number & kNamedByLines) != 0) {
    name = text(opaque).substr(0, kShown);
    std::ranges::replace(name, '\n', '.');
  } else {
    const auto part = [&](NodeId id) { return text(node(id)).substr(0, kShown / 2); };
    name = concat({part(opaque.first), ".", part(opaque.count)});
  }
  return replace_invalid_utf8(name);
}

std::string Pickle::describe(const Node& opaque) const {
  switch (opaque_what(opaque)) {
    case OpaqueWhat::Set:
      return "set";
    case OpaqueWhat::Number:
      return "number of more than 64 bits";
    case OpaqueWhat::Name:
      return "name " + name_of(opaque);
    case OpaqueWhat::Object:
    case OpaqueWhat::BrokenTensor:
      break;
  }
  const std::string name = name_of(opaque);
  if (name.empty()) return "object without a name";
  return concat({"object of ", name, opaque.first == kNoName ? " with unusual arguments" : ""});
}

Result<void> PickleMachine::stop() {
  AMBRY_TRY(pickle_.root_, pop());
  pickle_.bytes_ = bytes_.first(position_);
  return {};
}

Result<Pickle> Pickle::read_first(Bytes bytes, uint64_t offset, std::string_view name) {
  Pickle pickle;
  AMBRY_RETURN_IF_ERROR(PickleMachine(pickle, bytes, offset, name).run());
  return pickle;
}

Result<Pickle> Pickle::read(Bytes bytes, uint64_t offset, std::string_view name) {
  AMBRY_TRY(Pickle pickle, read_first(bytes, offset, name));
  const uint64_t size = pickle.bytes_.size();
  if (size == bytes.size()) return pickle;
  return error_at(ErrorCode::BadValue, offset + size, name,
                  {counted(bytes.size() - size, "byte"), " after the end of the pickle"});
}

}  // namespace ambry::formats::pytorch
