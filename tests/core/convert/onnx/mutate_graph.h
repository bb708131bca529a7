// Graphs that differ from a given one in one place: inputs that are exchanged, another attribute,
// another constant, another operator, a node more.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/protobuf/protobuf_reader.h"
#include "io/protobuf/protobuf_writer.h"

namespace ambry::convert::testing {

// The fields of a message, which may be changed and written again.
class Message {
 public:
  explicit Message(std::string_view bytes) {
    const Bytes all(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
    io::ProtobufReader reader(all, 0, "message");
    for (;;) {
      auto field = reader.next().value();
      if (!field) break;
      fields_.push_back({field->number, field->wire, field->value, std::string(field->text())});
    }
  }

  struct Field {
    uint32_t number;
    io::ProtobufField::Wire wire;
    uint64_t value;
    std::string bytes;
  };
  [[nodiscard]] std::vector<Field>& fields() { return fields_; }
  // Pointers to all fields of this number.
  [[nodiscard]] std::vector<Field*> all(uint32_t number) {
    std::vector<Field*> found;
    for (Field& field : fields_) {
      if (field.number == number) found.push_back(&field);
    }
    return found;
  }
  [[nodiscard]] std::string text(uint32_t number) {
    const auto found = all(number);
    return found.empty() ? "" : found.front()->bytes;
  }
  [[nodiscard]] std::string write() const {
    io::ProtobufWriter writer;
    for (const Field& field : fields_) {
      switch (field.wire) {
        case io::ProtobufField::Wire::Varint:
          writer.put_varint(field.number, field.value);
          break;
        case io::ProtobufField::Wire::Fixed32:
          writer.put_fixed32(field.number, static_cast<uint32_t>(field.value));
          break;
        default:
          writer.put_bytes(field.number, field.bytes);
      }
    }
    return writer.take();
  }

 private:
  std::vector<Field> fields_;
};

struct Mutant {
  std::string what;  // such as `inputs of Sub`
  std::string file;
};

// Field numbers of onnx.proto.
inline constexpr uint32_t kGraphField = 7, kNodeField = 1, kInitializerField = 5;
inline constexpr uint32_t kInputField = 1, kOutputField = 2, kOpField = 4, kAttributeField = 5;
inline constexpr uint32_t kFloatField = 2, kIntField = 3, kTensorField = 5, kIntsField = 8;
inline constexpr uint32_t kTypeField = 2, kRawField = 9;

// Changes small numbers of a tensor: floats become half as large, and integers one more.
inline bool change_numbers(std::string& tensor) {
  Message message(tensor);
  const auto raw = message.all(kRawField);
  if (raw.empty() || raw.front()->bytes.empty()) return false;
  std::string& bytes = raw.front()->bytes;
  const auto types = message.all(kTypeField);
  const uint64_t type = types.empty() ? 0 : types.front()->value;
  if (type == 1) {
    float first = 0;
    std::copy_n(bytes.data(), 4, reinterpret_cast<char*>(&first));
    first = first == 0 ? 1 : first / 2;
    std::copy_n(reinterpret_cast<const char*>(&first), 4, bytes.data());
  } else {
    bytes[0] = static_cast<char>(bytes[0] ^ 1);
  }
  tensor = message.write();
  return true;
}

class GraphMutants {
 public:
  explicit GraphMutants(std::string_view file) : model_(file), graph_(model_.text(kGraphField)) {}

  // Calls `use` for each.
  void each(const std::function<void(const Mutant&)>& use);

 private:
  void emit(const std::string& what, Message::Field& place, std::string bytes,
            const std::function<void(const Mutant&)>& use) {
    std::swap(place.bytes, bytes);
    model_.all(kGraphField).front()->bytes = graph_.write();
    use({what, model_.write()});
    std::swap(place.bytes, bytes);
  }
  void of_node(Message::Field& place, const std::function<void(const Mutant&)>& use);
  void of_attribute(Message::Field& node, const std::function<void(const Mutant&)>& use);

  Message model_;
  Message graph_;
};

inline void GraphMutants::of_node(Message::Field& place,
                                  const std::function<void(const Mutant&)>& use) {
  Message node(place.bytes);
  const std::string op = node.text(kOpField);
  const auto inputs = node.all(kInputField);
  for (size_t i = 1; i < inputs.size(); ++i) {
    if (inputs[0]->bytes == inputs[i]->bytes) continue;
    std::swap(inputs[0]->bytes, inputs[i]->bytes);
    emit("inputs of " + op, place, node.write(), use);
    std::swap(inputs[0]->bytes, inputs[i]->bytes);
  }
  static constexpr std::pair<const char*, const char*> kOthers[] = {
      {"Add", "Sub"},       {"Sub", "Add"},
      {"Mul", "Add"},       {"Div", "Mul"},
      {"Erf", "Tanh"},      {"Tanh", "Erf"},
      {"Softmax", "Tanh"},  {"Sqrt", "Tanh"},
      {"Relu", "Tanh"},     {"Not", "Identity"},
      {"Equal", "Greater"}, {"Cos", "Sin"},
      {"Sin", "Cos"},       {"ReduceMean", "ReduceMax"},
      {"Less", "Greater"},  {"Neg", "Abs"}};
  for (const auto& [from, to] : kOthers) {
    if (op != from) continue;
    node.all(kOpField).front()->bytes = to;
    emit("operator " + op, place, node.write(), use);
    node.all(kOpField).front()->bytes = op;
  }
  const auto outputs = node.all(kOutputField);
  if (op != "Constant" && outputs.size() == 1) {
    // The first input, squared on its way.
    io::ProtobufWriter square;
    square.put_bytes(kInputField, inputs[0]->bytes);
    square.put_bytes(kInputField, inputs[0]->bytes);
    square.put_bytes(kOutputField, "square");
    square.put_bytes(kOpField, "Mul");
    std::swap(inputs[0]->bytes, outputs[0]->bytes);
    std::swap(inputs[0]->bytes, outputs[0]->bytes);
    const std::string before = inputs[0]->bytes;
    inputs[0]->bytes = "square";
    io::ProtobufWriter both;
    both.put_bytes(kNodeField, square.take());
    both.put_bytes(kNodeField, node.write());
    inputs[0]->bytes = before;
    // Both nodes take the place of one.
    std::vector<Message::Field> kept = graph_.fields();
    const auto at = static_cast<std::ptrdiff_t>(&place - graph_.fields().data());
    Message two(both.take());
    std::vector<Message::Field> changed = kept;
    changed[static_cast<size_t>(at)] = two.fields()[1];
    changed.insert(changed.begin() + at, two.fields()[0]);
    Message whole("");
    whole.fields() = std::move(changed);
    model_.all(kGraphField).front()->bytes = whole.write();
    use({"a square before " + op, model_.write()});
  }
}

inline void GraphMutants::of_attribute(Message::Field& place,
                                       const std::function<void(const Mutant&)>& use) {
  Message node(place.bytes);
  const std::string op = node.text(kOpField);
  for (Message::Field* attribute : node.all(kAttributeField)) {
    const std::string before = attribute->bytes;
    Message message(before);
    const std::string name = message.text(1);
    for (Message::Field& field : message.fields()) {
      const Message::Field old = field;
      if (field.number == kIntField) {
        field.value += 1;
      } else if (field.number == kFloatField) {
        field.value ^= 0x00400000;
      } else if (field.number == kIntsField) {
        if (field.wire == io::ProtobufField::Wire::Varint) {
          field.value ^= 1;
        } else {
          field.bytes[0] = static_cast<char>(field.bytes[0] ^ 1);
        }
      } else if (field.number != kTensorField || !change_numbers(field.bytes)) {
        continue;
      }
      attribute->bytes = message.write();
      emit(name + " of " + op, place, node.write(), use);
      attribute->bytes = before;
      field = old;
    }
  }
}

inline void GraphMutants::each(const std::function<void(const Mutant&)>& use) {
  for (Message::Field* place : graph_.all(kNodeField)) {
    of_node(*place, use);
    of_attribute(*place, use);
  }
  for (Message::Field* place : graph_.all(kInitializerField)) {
    std::string changed = place->bytes;
    if (change_numbers(changed)) emit("an initializer", *place, changed, use);
  }
}

}  // namespace ambry::convert::testing
