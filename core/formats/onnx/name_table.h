// The texts of an ONNX file, each held once. A text is known by its number.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ambry::formats::onnx {

using NameId = uint32_t;
// The empty text. As an input of a node, it is an input that is left out.
inline constexpr NameId kNoName = 0;

class NameTable {
 public:
  NameTable();

  // The number of the text, which is added if it is new. The caller has checked that
  // has_room_for() says yes.
  NameId add(std::string_view text);
  // The number of a text that is there; nothing in the file has the number kNoName but the empty
  // text.
  [[nodiscard]] NameId find(std::string_view text) const;
  [[nodiscard]] std::string_view operator[](NameId id) const {
    return std::string_view(characters_).substr(begins_[id], begins_[id + 1] - begins_[id]);
  }
  [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(begins_.size() - 1); }
  // Whether the numbers of 32 bits suffice with this text.
  [[nodiscard]] bool has_room_for(std::string_view text) const;

 private:
  [[nodiscard]] size_t slot_of(std::string_view text) const;
  void grow();

  std::string characters_;
  std::vector<uint32_t> begins_;  // of each text in characters_, and the end of the last one
  std::vector<NameId> slots_;     // open addressing; kNoName is a free slot
};

}  // namespace ambry::formats::onnx
