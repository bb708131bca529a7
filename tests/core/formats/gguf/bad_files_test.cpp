// One fault a file: each field of the page, broken, with the code, the place and the path expected.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "formats/expect_format.h"
#include "formats/gguf/read_gguf.h"

namespace ambry::formats::gguf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the makers

struct Fault {
  const char* name;
  std::function<void(File&, const GgufMaker&)> damage;
  ErrorCode code;
  std::function<uint64_t(const GgufMaker&)> at;
  std::string path;
};

// The places of the info of tensor 2: its name's text, rank, dimensions, type and offset.
uint64_t info(const GgufMaker& maker) { return maker.infos[2]; }
uint64_t rank_at(const GgufMaker& maker) { return info(maker) + 8 + maker.tensors[2].name.size(); }
uint64_t type_at(const GgufMaker& maker) { return rank_at(maker) + 4 + 16; }
// The places of the first entry: the key's length, its text, the value's type, the value.
constexpr uint64_t kKeyAt = 24;
constexpr uint64_t kTypeAt = kKeyAt + 8 + 20;  // general.architecture
constexpr uint64_t kValueAt = kTypeAt + 4;

TEST(GgufBadFiles, EachFaultIsNamedAtItsPlace) {
  const auto fixed = [](uint64_t at) { return [at](const GgufMaker&) { return at; }; };
  const Fault kFaults[] = {
      {"another magic", [](File& f, auto&) { f[3] = 'E'; }, ErrorCode::BadMagic, fixed(0),
       "header.magic"},
      {"version 1", [](File& f, auto&) { put_at(f, 4, 1U); }, ErrorCode::UnsupportedVersion,
       fixed(4), "header.version"},
      {"version 4", [](File& f, auto&) { put_at(f, 4, 4U); }, ErrorCode::UnsupportedVersion,
       fixed(4), "header.version"},
      {"big endian", [](File& f, auto&) { put_at(f, 4, 0x03000000U); }, ErrorCode::Unsupported,
       fixed(4), "header.version"},
      {"more tensors than bytes", [](File& f, auto&) { put_at(f, 8, uint64_t{1} << 60); },
       ErrorCode::Truncated, fixed(8), "header.tensor_count"},
      {"more entries than bytes", [](File& f, auto&) { put_at(f, 16, UINT64_MAX); },
       ErrorCode::Truncated, fixed(16), "header.metadata_kv_count"},
      {"an empty key", [](File& f, auto&) { put_at(f, kKeyAt, uint64_t{0}); }, ErrorCode::BadValue,
       fixed(kKeyAt), "metadata[0].key"},
      {"a key past the end", [](File& f, auto&) { put_at(f, kKeyAt, uint64_t{60'000}); },
       ErrorCode::Truncated, fixed(kKeyAt + 8), "metadata[0].key"},
      {"a key too long", [](File& f, auto&) { put_at(f, kKeyAt, uint64_t{65'536}); },
       ErrorCode::LimitExceeded, fixed(kKeyAt), "metadata[0].key"},
      {"a key that is no text", [](File& f, auto&) { f[kKeyAt + 10] = 0xFF; }, ErrorCode::BadValue,
       fixed(kKeyAt + 10), "metadata[0].key"},
      {"a value type too many", [](File& f, auto&) { put_at(f, kTypeAt, 13U); },
       ErrorCode::BadValue, fixed(kTypeAt), "metadata.general.architecture.value_type"},
      {"a text past the end", [](File& f, auto&) { put_at(f, kValueAt, UINT64_MAX); },
       ErrorCode::Truncated, fixed(kValueAt + 8), "metadata.general.architecture.value"},
      {"an element type too many",
       [](File& f, auto&) {
         put_at(f, kTypeAt, 9U);
         put_at(f, kValueAt, 99U);
       },
       ErrorCode::BadValue, fixed(kValueAt), "metadata.general.architecture.element_type"},
      {"an array past the end",
       [](File& f, auto&) {
         put_at(f, kTypeAt, 9U);
         put_at(f, kValueAt, 12U);
         put_at(f, kValueAt + 4, uint64_t{1} << 61);
       },
       ErrorCode::Truncated, fixed(kValueAt + 4), "metadata.general.architecture.length"},
      {"an empty name", [](File& f, const GgufMaker& m) { put_at(f, info(m), uint64_t{0}); },
       ErrorCode::Unsupported, [](const GgufMaker& m) { return info(m) + 8; },
       "tensors[2].n_dimensions"},
      {"a name past the end", [](File& f, const GgufMaker& m) { put_at(f, info(m), UINT64_MAX); },
       ErrorCode::Truncated, [](const GgufMaker& m) { return info(m) + 8; }, "tensors[2].name"},
      {"a name that is no text", [](File& f, const GgufMaker& m) { f[info(m) + 9] = 0xC0; },
       ErrorCode::BadValue, [](const GgufMaker& m) { return info(m) + 9; }, "tensors[2].name"},
      {"five dimensions", [](File& f, const GgufMaker& m) { put_at(f, rank_at(m), 5U); },
       ErrorCode::Unsupported, rank_at, "tensors[2].n_dimensions"},
      {"a row that breaks a block",
       [](File& f, const GgufMaker& m) { put_at(f, rank_at(m) + 4, uint64_t{31}); },
       ErrorCode::BadValue, info, "tensors[2].dimensions"},
      {"a shape past 64 bits",
       [](File& f, const GgufMaker& m) {
         put_at(f, rank_at(m) + 4, uint64_t{1} << 40);
         put_at(f, rank_at(m) + 12, uint64_t{1} << 40);
       },
       ErrorCode::Overflow, info, "tensors[2].dimensions"},
      {"an unknown type", [](File& f, const GgufMaker& m) { put_at(f, type_at(m), 4242U); },
       ErrorCode::Unsupported, type_at, "tensors[2].type"},
      {"a removed type", [](File& f, const GgufMaker& m) { put_at(f, type_at(m), 31U); },
       ErrorCode::Unsupported, type_at, "tensors[2].type"},
      {"data past the end",
       [](File& f, const GgufMaker& m) { put_at(f, type_at(m) + 4, uint64_t{1} << 40); },
       ErrorCode::BadValue, info, "tensors[2].offset"},
      {"an offset that wraps",
       [](File& f, const GgufMaker& m) { put_at(f, type_at(m) + 4, UINT64_MAX - 31); },
       ErrorCode::BadValue, info, "tensors[2].offset"},
      {"an offset between the multiples",
       [](File& f, const GgufMaker& m) { put_at(f, type_at(m) + 4, uint64_t{8}); },
       ErrorCode::BadValue, info, "tensors[2].offset"},
      {"two tensors in one place",
       [](File& f, const GgufMaker& m) { put_at(f, type_at(m) + 4, uint64_t{0}); },
       ErrorCode::BadValue, info, "tensors[2].data_offset"},
      {"a name twice",
       [](File& f, const GgufMaker& m) {
         f[info(m) + 8 + 11] = 'k';  // blk.0.attn_q becomes blk.0.attn_k
       },
       ErrorCode::BadValue, [](const GgufMaker& m) { return m.infos[3]; }, "tensors[3].name"},
  };
  for (const Fault& fault : kFaults) {
    GgufMaker maker;
    File file = maker.make();
    fault.damage(file, maker);
    const Read result = read(file);
    const Error* problem = result.problem();
    ASSERT_NE(problem, nullptr) << fault.name;
    EXPECT_TRUE(!result.model || !result.found.errors.empty()) << fault.name;
    EXPECT_EQ(problem->code, fault.code) << fault.name << ": " << describe(*problem);
    EXPECT_EQ(problem->byte_offset, fault.at(maker)) << fault.name << ": " << describe(*problem);
    EXPECT_EQ(problem->path, fault.path) << fault.name;
  }
}

TEST(GgufBadFiles, TypesAreNamedByTheirNumber) {
  GgufMaker maker;
  File file = maker.make();
  put_at(file, type_at(maker), 137U);
  EXPECT_NE(read(file).model.error().message.find("137"), std::string::npos);
  put_at(file, type_at(maker), 5U);
  EXPECT_NE(read(file).model.error().message.find("Q4_3"), std::string::npos);
}

// Found while reading or checking, beside whatever else is wrong.
struct Entries {
  const char* name;
  Entry entry;  // added, or in place of the one of its key
  ErrorCode code;
  const char* path;
  bool error = true;  // else a warning
};

TEST(GgufBadFiles, EachFaultyEntryIsNamed) {
  const Entries kFaults[] = {
      {"a bool of 2", number("a.b", ValueType::Bool, uint8_t{2}), ErrorCode::BadValue,
       "metadata.a.b.value"},
      {"a text that is none", text("general.type", "\xFF"), ErrorCode::BadValue,
       "metadata.general.type.value"},
      {"an alignment of 3", u32("general.alignment", 3), ErrorCode::BadValue,
       "metadata.general.alignment"},
      {"an alignment of 0", u32("general.alignment", 0), ErrorCode::BadValue,
       "metadata.general.alignment"},
      {"an alignment that is a text", text("general.alignment", "32"), ErrorCode::BadValue,
       "metadata.general.alignment"},
      {"too few scores", numbers<float>("tokenizer.ggml.scores", ValueType::F32, {1}),
       ErrorCode::Mismatch, "metadata.tokenizer.ggml.scores"},
      {"scores of doubles", numbers<double>("tokenizer.ggml.scores", ValueType::F64, {1}),
       ErrorCode::BadValue, "metadata.tokenizer.ggml.scores.element_type"},
      {"too many types",
       numbers("tokenizer.ggml.token_type", ValueType::I32, std::vector<int32_t>(7, 1)),
       ErrorCode::Mismatch, "metadata.tokenizer.ggml.token_type"},
      {"a type of 256",
       numbers<int32_t>("tokenizer.ggml.token_type", ValueType::I32, {1, 1, 256, 1, 1, 1}),
       ErrorCode::BadValue, "metadata.tokenizer.ggml.token_type.value"},
      {"a merge of one part", texts("tokenizer.ggml.merges", {"a b", " ab"}), ErrorCode::BadValue,
       "metadata.tokenizer.ggml.merges.value"},
      {"a token that is no text", texts("tokenizer.ggml.tokens", {"a", "b", "\xFF", "d", "e", "f"}),
       ErrorCode::BadValue, "metadata.tokenizer.ggml.tokens.value", false},
      {"a special id past the tokens", u32("tokenizer.ggml.eos_token_id", 6), ErrorCode::BadValue,
       "metadata.tokenizer.ggml.eos_token_id"},
      {"an end past the tokens",
       numbers<uint32_t>("tokenizer.ggml.eos_token_id", ValueType::U32, {2, 6}),
       ErrorCode::BadValue, "metadata.tokenizer.ggml.eos_token_id"},
      {"an end below 0", number("tokenizer.ggml.eot_token_id", ValueType::I32, int32_t{-2}),
       ErrorCode::BadValue, "metadata.tokenizer.ggml.eot_token_id"},
      {"an end that is no whole number", f32("tokenizer.ggml.eot_token_id", 2.5F),
       ErrorCode::BadValue, "metadata.tokenizer.ggml.eot_token_id"},
      {"a long list of ends",
       numbers("tokenizer.ggml.eos_token_id", ValueType::U32, std::vector<uint32_t>(65, 2)),
       ErrorCode::BadValue, "metadata.tokenizer.ggml.eos_token_id"},
      {"fewer layers than tensors say", u32("llama.block_count", 2), ErrorCode::NotFound,
       "tensors"},
      {"no layers", u32("llama.block_count", 0), ErrorCode::BadValue, "metadata.llama.block_count",
       false},
      {"a million layers", u32("llama.block_count", 1'000'000), ErrorCode::LimitExceeded,
       "metadata.llama.block_count"},
      {"another width", u32("llama.embedding_length", 64), ErrorCode::Mismatch, "tensors[0].shape"},
      {"heads that do not divide the width", u32("llama.attention.head_count", 3),
       ErrorCode::Mismatch, "tensors[2].shape"},
      {"a rotation that is not known", text("llama.rope.scaling.type", "su2"),
       ErrorCode::Unsupported, "config.rope_scaling.type", false},
      {"a part of several", number("split.count", ValueType::U16, uint16_t{3}),
       ErrorCode::Unsupported, "metadata.split.count", false},
      {"no kind of model", u32("general.architecture", 7), ErrorCode::NotFound,
       "metadata.general.architecture", false},
      {"a key with a space", u32("a b", 7), ErrorCode::BadValue, "metadata[19].key", false},
  };
  for (const Entries& fault : kFaults) {
    GgufMaker maker;
    maker.entry(fault.entry.key) = fault.entry;
    const Read result = read(maker.make());
    const Error* problem = result.problem();
    ASSERT_NE(problem, nullptr) << fault.name;
    EXPECT_EQ(problem->code, fault.code) << fault.name << ": " << describe(*problem);
    EXPECT_EQ(problem->path, fault.path) << fault.name << ": " << describe(*problem);
    EXPECT_EQ(!result.model || !result.found.errors.empty(), fault.error) << fault.name;
  }
}

TEST(GgufBadFiles, RejectsARepeatedKey) {
  GgufMaker maker;
  maker.metadata.push_back(u32("general.name", 1));
  const Read result = read(maker.make());
  ASSERT_EQ(result.found.errors.size(), 1U);
  EXPECT_EQ(result.found.errors[0].path, "metadata[19].key");
}

// What ggml's own reader refuses and what its meaning is clear in spite of: warnings, and errors
// when reading strictly.
TEST(GgufBadFiles, ToleratesHarmlessFaults) {
  const auto expect_tolerated = [](const File& file, const char* path) {
    const Read lenient = read(file);
    EXPECT_TRUE(lenient.model && lenient.found.errors.empty()) << path;
    ASSERT_EQ(lenient.found.warnings.size(), 1U) << path;
    EXPECT_EQ(lenient.found.warnings[0].path, path);
    EXPECT_EQ(read(file, io::Strictness::Strict).found.errors.size(), 1U) << path;
  };
  GgufMaker maker;
  File file = maker.make();
  file[maker.data - 1] = 1;
  expect_tolerated(file, "padding");
  file = maker.make();
  file.resize(file.size() + 40);
  expect_tolerated(file, "data");
  maker.tensors.back() = {"output.weight", {6, 32}, 30};  // 384 bytes
  maker.tensors.push_back({"last", {5}, 24});
  maker.padded = false;
  expect_tolerated(maker.make(), "padding");
  maker = {};
  maker.alignment = 4;
  maker.metadata.push_back(u32("general.alignment", 4));
  expect_tolerated(maker.make(), "metadata.general.alignment");
  maker = {};
  maker.tensors[1].name += std::string(60, 'x');
  maker.entry("general.architecture") = text("general.architecture", "other");
  expect_tolerated(maker.make(), "tensors[1].name");
  maker = {};
  maker.entry("general.architecture") = text("general.architecture", "other");
  maker.tensors = {{"a", {8}, 0, 32, 32}, {"b", {8}, 0, 32, 0}};
  const Read swapped = read(maker.make());
  EXPECT_EQ(swapped.found.warnings.size(), 2U);
  EXPECT_TRUE(swapped.found.errors.empty());
}

TEST(GgufBadFiles, ListsOnlySoManyProblems) {
  GgufMaker maker;
  maker.tensors.clear();
  for (int i = 0; i < 100; ++i) {
    maker.tensors.push_back(
        {"t" + std::to_string(i), {3}, 0, 12, 12U * static_cast<uint64_t>(i) + 4});
  }
  const Read result = read(maker.make());
  EXPECT_FALSE(result.model);
  EXPECT_EQ(result.found.errors.size(), 64U);
}

}  // namespace
}  // namespace ambry::formats::gguf
