// Models in several files.
#include "formats/gguf/parts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "formats/gguf/gguf_parse.h"
#include "formats/gguf/split_gguf.h"
#include "formats/registry.h"
#include "io/source_part.h"

namespace ambry::formats::gguf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the makers

model::Model parsed(const io::Source& source) {
  io::Diagnostics found;
  found.strictness = io::Strictness::Strict;
  auto model = parse(source, found);
  EXPECT_TRUE(model) << describe(model.error());
  if (!model) return {};
  check(*model, found);
  for (const Error& error : found.errors) ADD_FAILURE() << describe(error);
  return std::move(*model);
}

Bytes bytes_of(const File& file, const model::TensorEntry& tensor) {
  return Bytes(file).subspan(static_cast<size_t>(tensor.offset), static_cast<size_t>(tensor.bytes));
}

TEST(GgufParts, AreOneModel) {
  const File whole = make_gguf();
  const model::Model one = parsed(io::MemorySource(whole));
  for (const size_t n_parts : {2U, 3U, 12U, 14U}) {
    const Joined parts = joined(split_makers(GgufMaker(), n_parts));
    const model::Model model = parsed(*parts.source());
    EXPECT_EQ(model.metadata.dump(), one.metadata.dump());
    EXPECT_EQ(model.metadata_text, one.metadata_text);
    EXPECT_EQ(model.config.dump(), one.config.dump());
    EXPECT_EQ(model.tokenizer, one.tokenizer);
    EXPECT_EQ(model.file_bytes, parts.file.size());
    ASSERT_EQ(model.tensors.size(), one.tensors.size());
    for (size_t i = 0; i < model.tensors.size(); ++i) {
      EXPECT_EQ(model.tensors[i].name, one.tensors[i].name);
      EXPECT_EQ(model.tensors[i].dtype, one.tensors[i].dtype);
      EXPECT_EQ(model.tensors[i].shape, one.tensors[i].shape);
      EXPECT_TRUE(std::ranges::equal(bytes_of(parts.file, model.tensors[i]),
                                     bytes_of(whole, one.tensors[i])));
    }
  }
}

// Only heads are asked for, and each request lies in one part.
TEST(GgufParts, AskForTheHeadOfEachPart) {
  const Joined parts = joined(split_makers(GgufMaker(), 3));
  const auto held = parts.source(false);
  io::PartialSource& source = *held;
  std::vector<size_t> asked;
  for (size_t i = 0; i < 20; ++i) {
    io::Diagnostics found;
    const auto model = parse(source, found);
    if (model) break;
    ASSERT_EQ(model.error().code, ErrorCode::NeedBytes) << describe(model.error());
    const uint64_t from = model.error().byte_offset;
    const uint64_t to = from + model.error().need_size;
    const auto end = std::ranges::upper_bound(parts.ends, from);
    ASSERT_NE(end, parts.ends.end());
    EXPECT_LE(to, *end);
    asked.push_back(static_cast<size_t>(end - parts.ends.begin()));
    ASSERT_TRUE(source.insert(from, Bytes(parts.file).subspan(from, to - from)));
  }
  EXPECT_TRUE(std::ranges::is_sorted(asked));
  EXPECT_EQ(asked.back(), 2U);
}

struct PartFault {
  const char* what;
  std::function<void(std::vector<GgufMaker>&)> damage;
  ErrorCode code;
  const char* path;
};

// The first problem, as people get it.
Error problem_of(const io::Source& source) {
  io::Diagnostics found;
  auto model = parse(source, found);
  if (!model) return io::in_part(source, model.take_error());
  EXPECT_FALSE(found.errors.empty());
  if (found.errors.empty()) return {};
  return io::in_part(source, Failure(std::move(found.errors.front())));
}

TEST(GgufParts, AreNamedWithTheirFaults) {
  const auto entry = [](const char* key, uint16_t value) {
    return number(key, ValueType::U16, value);
  };
  const PartFault kFaults[] = {
      {"two parts in the other order", [](auto& m) { std::swap(m[1], m[2]); }, ErrorCode::Mismatch,
       "part 2: metadata.split.no"},
      {"a part twice", [](auto& m) { m[2] = m[1]; }, ErrorCode::Mismatch,
       "part 3: metadata.split.no"},
      {"a part too few", [](auto& m) { m.pop_back(); }, ErrorCode::Mismatch,
       "part 1: metadata.split.count"},
      {"a part of another model",
       [&](auto& m) { m[1].entry("split.count") = entry("split.count", 4); }, ErrorCode::Mismatch,
       "part 2: metadata.split.count"},
      {"another number of tensors",
       [&](auto& m) { m[1].entry("split.tensors.count") = entry("split.tensors.count", 4); },
       ErrorCode::Mismatch, "part 2: metadata.split.tensors.count"},
      {"another architecture",
       [](auto& m) { m[2].metadata.push_back(text("general.architecture", "gemma")); },
       ErrorCode::Mismatch, "part 3: metadata.general.architecture"},
      {"a tensor too few", [](auto& m) { m[2].tensors.pop_back(); }, ErrorCode::Mismatch,
       "part 1: metadata.split.tensors.count"},
      {"the same tensors again", [](auto& m) { m[2].tensors = m[1].tensors; }, ErrorCode::BadValue,
       "part 3: tensors[9].name"},
      {"a file of its own", [](auto& m) { m[1] = GgufMaker(); }, ErrorCode::Mismatch,
       "metadata.split.count"}};
  for (const PartFault& fault : kFaults) {
    std::vector<GgufMaker> makers = split_makers(GgufMaker(), 3);
    fault.damage(makers);
    const Joined parts = joined(makers);
    const Error error = problem_of(*parts.source());
    EXPECT_EQ(error.code, fault.code) << fault.what << " " << describe(error);
    EXPECT_EQ(error.path, fault.path) << fault.what << " " << describe(error);
  }
}

TEST(GgufParts, TellWhichOneIsCutOff) {
  for (const size_t cut : {0U, 1U, 2U}) {
    std::vector<GgufMaker> makers = split_makers(GgufMaker(), 3);
    Joined parts;
    for (size_t i = 0; i < 3; ++i) {
      File file = makers[i].make();
      if (i == cut) file.resize(file.size() - 64);
      parts.add(file);
    }
    const Error error = problem_of(*parts.source());
    EXPECT_EQ(error.code, ErrorCode::Truncated) << describe(error);
    EXPECT_TRUE(error.path.starts_with(concat({"part ", cut + 1, ": tensors["})))
        << describe(error);
    EXPECT_LT(error.byte_offset, makers[cut].make().size());
  }
  Joined parts = joined(split_makers(GgufMaker(), 2));
  parts.add({'n', 'o', 't', ' ', 'G', 'G', 'U', 'F'});
  EXPECT_EQ(problem_of(*parts.source()).path, "part 1: metadata.split.count");
}

// No other format has parts.
TEST(GgufParts, AreRefusedInOtherFormats) {
  Joined parts;
  parts.add({'A', 'M', 'B', 'E', 'E', 1});
  parts.add({'A', 'M', 'B', 'E', 'E', 1});
  const auto format = recognise(*parts.source());
  ASSERT_FALSE(format);
  EXPECT_EQ(format.error().code, ErrorCode::Unsupported);
}

TEST(GgufParts, HaveEndsThatAscendToTheSize) {
  io::PartialSource source(10);
  EXPECT_FALSE(source.set_part_ends({}));
  EXPECT_FALSE(source.set_part_ends({4, 9}));
  EXPECT_FALSE(source.set_part_ends({6, 4, 10}));
  EXPECT_TRUE(source.set_part_ends({4, 10}));
  EXPECT_EQ(source.part_ends().size(), 2U);
}

}  // namespace
}  // namespace ambry::formats::gguf
