// The opcodes of pickle, protocols 0 to 5: the supported ones, and the names of the others for the
// error message.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace ambry::formats::pytorch {

enum class Opcode : uint8_t {
  Mark = '(',
  Stop = '.',
  Pop = '0',
  PopMark = '1',
  Dup = '2',
  BinFloat = 'G',
  BinInt = 'J',
  BinInt1 = 'K',
  BinInt2 = 'M',
  None = 'N',
  BinPersId = 'Q',
  Reduce = 'R',
  BinString = 'T',
  ShortBinString = 'U',
  BinUnicode = 'X',
  Append = 'a',
  Build = 'b',
  Global = 'c',
  Dict = 'd',
  Appends = 'e',
  BinGet = 'h',
  LongBinGet = 'j',
  List = 'l',
  BinPut = 'q',
  LongBinPut = 'r',
  SetItem = 's',
  Tuple = 't',
  SetItems = 'u',
  EmptyTuple = ')',
  EmptyList = ']',
  EmptyDict = '}',
  BinBytes = 'B',
  ShortBinBytes = 'C',
  Inst = 'i',
  Obj = 'o',
  Proto = 0x80,
  NewObj = 0x81,
  Tuple1 = 0x85,
  Tuple2 = 0x86,
  Tuple3 = 0x87,
  NewTrue = 0x88,
  NewFalse = 0x89,
  Long1 = 0x8A,
  Long4 = 0x8B,
  ShortBinUnicode = 0x8C,
  BinUnicode8 = 0x8D,
  BinBytes8 = 0x8E,
  EmptySet = 0x8F,
  AddItems = 0x90,
  FrozenSet = 0x91,
  NewObjEx = 0x92,
  StackGlobal = 0x93,
  Memoize = 0x94,
  Frame = 0x95,
  ByteArray8 = 0x96,
};

struct OpcodeName {
  uint8_t code;
  std::string_view name;
};
inline constexpr auto kRefusedOpcodes = std::to_array<OpcodeName>({
    {'F', "FLOAT"},
    {'I', "INT"},
    {'L', "LONG"},
    {'P', "PERSID"},
    {'S', "STRING"},
    {'V', "UNICODE"},
    {'g', "GET"},
    {'p', "PUT"},
    {0x82, "EXT1"},
    {0x83, "EXT2"},
    {0x84, "EXT4"},
    {0x97, "NEXT_BUFFER"},
    {0x98, "READONLY_BUFFER"},
});

// Empty for a byte that is not an opcode.
[[nodiscard]] constexpr std::string_view refused_opcode(uint8_t code) {
  for (const OpcodeName& known : kRefusedOpcodes) {
    if (known.code == code) return known.name;
  }
  return {};
}

}  // namespace ambry::formats::pytorch
