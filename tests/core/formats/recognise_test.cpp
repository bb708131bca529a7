#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "formats/registry.h"

namespace ambry::formats {
namespace {

TEST(Recognise, SaysWhatAForeignFileLooksLike) {
  const std::pair<std::string, std::string> kForeign[] = {
      {"<!DOCTYPE html><html>", "HTML"},
      {"\n  <HTML lang=en>", "HTML"},
      {"PK\x03\x04 archive", "ZIP"},
      {"\x80\x02}q", "pickle"},
      {"\x08\x07\x12\x07pytorch", "ONNX"},
      {"{\"model_type\": \"bert\"}", "JSON"},
      {"version https://git-lfs.github.com/spec/v1", "Git LFS"},
      {"\x1F\x8B\x08 ", "gzip"},
      {"just words", "known here ("},
  };
  for (const auto& [bytes, expected] : kForeign) {
    const io::MemorySource source(as_bytes(bytes));
    const auto format = recognise(source);
    ASSERT_FALSE(format) << bytes;
    EXPECT_EQ(format.error().code, ErrorCode::BadMagic);
    EXPECT_NE(format.error().message.find(expected), std::string::npos) << format.error().message;
  }
  const io::MemorySource empty{Bytes{}};
  EXPECT_EQ(recognise(empty).error().code, ErrorCode::Truncated);
}

TEST(Recognise, AsksForTheFirstBytes) {
  const io::PartialSource source(1000);
  EXPECT_EQ(recognise(source).error().code, ErrorCode::NeedBytes);
}

}  // namespace
}  // namespace ambry::formats
