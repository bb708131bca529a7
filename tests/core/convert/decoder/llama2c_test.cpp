// Checkpoints of llama2.c, made here and a real one.
#include "convert/decoder/llama2c.h"
#include "convert/import/llama2c_layout.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>

#include "convert/decoder/decoder_directory.h"
#include "data_files.h"

namespace ambry::convert {
namespace {

namespace fs = std::filesystem;
using testing::File;
using testing::numbers_of;
using testing::read_strictly;
using testing::ReadBack;
using testing::to;

constexpr size_t kDim = 8;
constexpr size_t kHidden = 6;
constexpr size_t kLayers = 2;
constexpr size_t kHeads = 2;
constexpr size_t kKvHeads = 1;
constexpr size_t kVocab = 7;
constexpr size_t kPositions = 5;

template <class T>
void put(File& file, T value) {
  const size_t at = file.size();
  file.resize(at + sizeof(T));
  store_le(file.data() + at, value);
}

// A matrix of version 2: codes, and scales that are exact in every float type.
std::vector<int8_t> codes_of(const std::string& name, size_t n) {
  std::vector<int8_t> codes;
  for (const float value : numbers_of(name, n)) codes.push_back(static_cast<int8_t>(4 * value));
  return codes;
}
std::vector<float> scales_of(const std::string& name, size_t n) {
  std::vector<float> scales = numbers_of(name + " scales", n);
  for (float& scale : scales) scale = (std::abs(scale) + 1) / 64;
  return scales;
}
std::vector<float> grouped(const std::string& name, size_t n, size_t group) {
  const auto codes = codes_of(name, n);
  const auto scales = scales_of(name, n / group);
  std::vector<float> values(n);
  for (size_t i = 0; i < n; ++i) values[i] = static_cast<float>(codes[i]) * scales[i / group];
  return values;
}

struct Checkpoint {
  int32_t version = 0;
  bool own_output = false;
  int32_t group = 4;
  // NOLINTNEXTLINE(readability-redundant-member-init): GCC warns of aggregates that leave it out
  File file = {};

  void add(const std::string& name, size_t n) {
    for (const float value : numbers_of(name, n)) put(file, value);
  }
  void add_matrix(const std::string& name, size_t n) {
    if (version != 2) return add(name, n);
    for (const int8_t code : codes_of(name, n)) put(file, code);
    for (const float scale : scales_of(name, n / static_cast<size_t>(group))) put(file, scale);
  }
  void add_all(const std::string& name, size_t n) {
    for (size_t layer = 0; layer < kLayers; ++layer) add(name + std::to_string(layer), n);
  }
  void add_matrices(const std::string& name, size_t n) {
    for (size_t layer = 0; layer < kLayers; ++layer) add_matrix(name + std::to_string(layer), n);
  }
  void add_attention() {
    add_matrices("wq", kDim * kDim);
    add_matrices("wk", kDim * kDim / kHeads * kKvHeads);
    add_matrices("wv", kDim * kDim / kHeads * kKvHeads);
    add_matrices("wo", kDim * kDim);
  }
  void add_feed_forward() {
    add_matrices("w1", kHidden * kDim);
    add_matrices("w2", kHidden * kDim);
    add_matrices("w3", kHidden * kDim);
  }
  File make() {
    file.clear();
    if (version != 0) {
      put(file, uint32_t{0x616B3432});
      put(file, version);
    }
    const auto vocab = static_cast<int32_t>(kVocab);
    for (const size_t n : {kDim, kHidden, kLayers, kHeads, kKvHeads}) {
      put(file, static_cast<int32_t>(n));
    }
    put(file, own_output && version == 0 ? -vocab : vocab);
    put(file, static_cast<int32_t>(kPositions));
    if (version != 0) {
      put(file, static_cast<uint8_t>(own_output ? 0 : 1));
      if (version == 2) put(file, group);
      file.resize(256);
      add_all("rms_att", kDim);
      add_all("rms_ffn", kDim);
      add("rms_final", kDim);
      add_matrix("embedding", kVocab * kDim);
      add_attention();
      add_feed_forward();
    } else {
      add("embedding", kVocab * kDim);
      add_all("rms_att", kDim);
      add_attention();
      add_all("rms_ffn", kDim);
      add_feed_forward();
      add("rms_final", kDim);
      file.resize(file.size() + kPositions * (kDim / kHeads) * sizeof(float));
    }
    if (own_output) add_matrix("output", kVocab * kDim);
    return file;
  }
};

std::string tokenizer_file() {
  File file;
  put(file, int32_t{7});
  const std::pair<float, const char*> tokens[] = {{0, "<unk>"},  {0, "\n<s>\n"}, {0, "\n</s>\n"},
                                                  {0, "<0x41>"}, {-0.5F, " a"},  {-1, "a"},
                                                  {-2, " "}};
  for (const auto& [score, text] : tokens) {
    put(file, score);
    put(file, static_cast<int32_t>(std::strlen(text)));
    file.insert(file.end(), text, text + std::strlen(text));
  }
  return {file.begin(), file.end()};
}

SideFiles with_tokenizer() {
  SideFiles files;
  files.add(std::string(kLlama2cTokenizer), tokenizer_file());
  return files;
}

// Heads with four rows: interleaved pairs become halves.
std::vector<float> halves(const std::vector<float>& rows) {
  std::vector<float> out;
  for (size_t row = 0; row < rows.size() / kDim; ++row) {
    const size_t in_head = row % 4;
    const size_t from = row - in_head + 2 * (in_head % 2) + in_head / 2;
    out.insert(out.end(), rows.begin() + static_cast<std::ptrdiff_t>(from * kDim),
               rows.begin() + static_cast<std::ptrdiff_t>((from + 1) * kDim));
  }
  return out;
}

void expect_weights(const ReadBack& made, bool own_output) {
  const std::string layer = "model.layers.1.";
  EXPECT_EQ(made.floats("model.embed_tokens.weight"), numbers_of("embedding", kVocab * kDim));
  EXPECT_EQ(made.floats(layer + "input_layernorm.weight"), numbers_of("rms_att1", kDim));
  EXPECT_EQ(made.floats(layer + "self_attn.q_proj.weight"), halves(numbers_of("wq1", kDim * kDim)));
  EXPECT_EQ(made.floats(layer + "self_attn.k_proj.weight"),
            halves(numbers_of("wk1", kDim * kDim / 2)));
  EXPECT_EQ(made.floats(layer + "self_attn.v_proj.weight"), numbers_of("wv1", kDim * kDim / 2));
  EXPECT_EQ(made.floats(layer + "self_attn.o_proj.weight"), numbers_of("wo1", kDim * kDim));
  EXPECT_EQ(made.floats(layer + "post_attention_layernorm.weight"), numbers_of("rms_ffn1", kDim));
  EXPECT_EQ(made.floats(layer + "mlp.gate_proj.weight"), numbers_of("w11", kHidden * kDim));
  EXPECT_EQ(made.floats(layer + "mlp.down_proj.weight"), numbers_of("w21", kHidden * kDim));
  EXPECT_EQ(made.floats(layer + "mlp.up_proj.weight"), numbers_of("w31", kHidden * kDim));
  EXPECT_EQ(made.floats("model.norm.weight"), numbers_of("rms_final", kDim));
  if (own_output) {
    EXPECT_EQ(made.floats("lm_head.weight"), numbers_of("output", kVocab * kDim));
  }
  EXPECT_EQ(made.model.tensors.size(), 2 + 9 * kLayers + (own_output ? 1 : 0));
}

TEST(Llama2c, ConvertsToAmbAndAlt) {
  for (const int32_t version : {0, 1}) {
    for (const bool own_output : {false, true}) {
      Checkpoint checkpoint{version, own_output};
      const File file = checkpoint.make();
      for (const char* format : {"amb", "alt"}) {
        SCOPED_TRACE(format);
        const ReadBack made =
            read_strictly(testing::run(file, with_tokenizer(), to(format)), format);
        expect_weights(made, own_output);
        ASSERT_TRUE(made.model.tokenizer);
        EXPECT_EQ(made.model.tokenizer->vocabulary[1], "<s>");
        EXPECT_EQ(made.model.tokenizer->vocabulary[4],
                  "\xE2\x96\x81"
                  "a");
        EXPECT_EQ(made.model.tokenizer->eos_id, 2U);
      }
    }
  }
}

TEST(Llama2c, KeepsTheScoresOfItsTokenizerInAmb) {
  Checkpoint checkpoint;
  const ReadBack made =
      read_strictly(testing::run(checkpoint.make(), with_tokenizer(), to("amb")), "amb");
  EXPECT_EQ(made.model.tokenizer->scores, (std::vector<float>{0, 0, 0, 0, -0.5F, -1, -2}));
  EXPECT_EQ(made.model.tokenizer->types, (std::vector<uint8_t>{2, 3, 3, 6, 1, 1, 1}));
}

TEST(Llama2c, ConvertsToAmbWithoutATokenizer) {
  Checkpoint checkpoint;
  std::vector<Error> warnings;
  const auto made = testing::run(checkpoint.make(), {}, to("amb"), &warnings);
  EXPECT_FALSE(read_strictly(made, "amb").model.tokenizer);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(testing::run(checkpoint.make(), {}, to("alt")).error().path, "tokenizer");
}

TEST(Llama2c, RejectsAFileOfAnotherSize) {
  Checkpoint checkpoint;
  File file = checkpoint.make();
  Options options = to("amb");
  options.from = "llama2c";
  for (const int by : {-1, 1}) {
    file = checkpoint.make();
    file.resize(static_cast<size_t>(static_cast<int64_t>(file.size()) + by));
    const auto refused = testing::run(file, {}, options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::Mismatch);
    EXPECT_FALSE(*probe_llama2c(io::MemorySource(file)));
  }
  file.resize(20);
  EXPECT_EQ(testing::run(file, {}, options).error().code, ErrorCode::Truncated);
}

TEST(Llama2c, RejectsInvalidHeaderFields) {
  Options options = to("amb");
  options.from = "llama2c";
  const std::pair<size_t, const char*> fields[] = {
      {0, "header.dim"}, {8, "header.n_layers"}, {24, "header.seq_len"}};
  for (const auto& [at, path] : fields) {
    Checkpoint checkpoint;
    File file = checkpoint.make();
    store_le(file.data() + at, int32_t{-1});
    EXPECT_EQ(testing::run(file, {}, options).error().path, path);
  }
  Checkpoint checkpoint;
  File file = checkpoint.make();
  store_le(file.data() + 12, int32_t{3});
  EXPECT_EQ(testing::run(file, {}, options).error().path, "header.n_heads");
}

TEST(Llama2c, ReportsAnUnsupportedVersion) {
  Checkpoint checkpoint{1};
  File file = checkpoint.make();
  store_le(file.data() + 4, int32_t{3});
  const auto refused = testing::run(file, {}, to("amb"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(refused.error().path, "header.version");
}

// Each tensor of version 2 has the values of its codes and scales.
void expect_grouped(const ReadBack& made, size_t group) {
  const std::string layer = "model.layers.1.";
  const auto matrix = [&](const char* name, size_t n) { return grouped(name, n, group); };
  EXPECT_EQ(made.floats("model.embed_tokens.weight"), matrix("embedding", kVocab * kDim));
  EXPECT_EQ(made.floats(layer + "input_layernorm.weight"), numbers_of("rms_att1", kDim));
  EXPECT_EQ(made.floats(layer + "self_attn.q_proj.weight"), halves(matrix("wq1", kDim * kDim)));
  EXPECT_EQ(made.floats(layer + "self_attn.k_proj.weight"), halves(matrix("wk1", kDim * kDim / 2)));
  EXPECT_EQ(made.floats(layer + "self_attn.v_proj.weight"), matrix("wv1", kDim * kDim / 2));
  EXPECT_EQ(made.floats(layer + "mlp.down_proj.weight"), matrix("w21", kHidden * kDim));
  EXPECT_EQ(made.floats(layer + "mlp.up_proj.weight"), matrix("w31", kHidden * kDim));
  EXPECT_EQ(made.floats("lm_head.weight"), matrix("output", kVocab * kDim));
}

TEST(Llama2c, KeepsGroupsAsInt8Blocks) {
  for (const int32_t group : {2, 8}) {
    SCOPED_TRACE(group);
    Checkpoint checkpoint{2, true, group};
    std::vector<Error> warnings;
    const ReadBack made = read_strictly(
        testing::run(checkpoint.make(), with_tokenizer(), to("amb"), &warnings), "amb");
    EXPECT_TRUE(warnings.empty());
    for (const model::TensorEntry& tensor : made.model.tensors) {
      SCOPED_TRACE(tensor.name);
      // A row of w2 has 6 elements, so groups of 8 cross rows.
      const bool crossed = group == 8 && tensor.name.ends_with("down_proj.weight");
      if (tensor.shape.rank() == 1 || crossed) {
        EXPECT_EQ(tensor.dtype, tensor::DType::F32);
      } else {
        EXPECT_EQ(tensor.dtype, tensor::DType::Int8);
        EXPECT_EQ(tensor.quantization,
                  (tensor::Quantization{static_cast<uint16_t>(group), tensor::DType::F32}));
      }
    }
    const auto expanded = testing::run(made.file, {}, to("amb", tensor::DType::F32));
    expect_grouped(read_strictly(expanded, "amb"), static_cast<size_t>(group));
  }
}

TEST(Llama2c, DequantizesGroupsThatTheTargetCannotStore) {
  Checkpoint checkpoint{2, true};
  for (const auto& options : {to("alt"), to("amb", tensor::DType::F32)}) {
    const ReadBack made =
        read_strictly(testing::run(checkpoint.make(), with_tokenizer(), options), options.to);
    for (const model::TensorEntry& tensor : made.model.tensors) {
      EXPECT_EQ(tensor.dtype, tensor::DType::F32) << tensor.name;
    }
    expect_grouped(made, 4);
  }
}

TEST(Llama2c, WarnsThatItWasAlreadyQuantized) {
  Checkpoint checkpoint{2};
  Options options = to("amb");
  options.quantize = QuantizeOptions{};
  options.quantize->type = "int4";
  options.quantize->block_size = 0;
  std::vector<Error> warnings;
  const ReadBack made =
      read_strictly(testing::run(checkpoint.make(), with_tokenizer(), options, &warnings), "amb");
  ASSERT_FALSE(warnings.empty());
  EXPECT_NE(warnings.front().message.find("was quantized before"), std::string::npos);
}

TEST(Llama2c, RejectsAnInvalidGroupSize) {
  const auto path_of = [](size_t at, auto value) {
    Checkpoint checkpoint{2};
    File file = checkpoint.make();
    store_le(file.data() + at, value);
    const auto refused = testing::run(file, {}, to("amb"));
    EXPECT_FALSE(refused);
    return refused ? std::string() : refused.error().path;
  };
  for (const int32_t size : {0, -4, 3, 16}) EXPECT_EQ(path_of(37, size), "header.group_size");
  // The file is smaller.
  EXPECT_EQ(path_of(37, int32_t{8}), "header");
  EXPECT_EQ(path_of(36, uint8_t{2}), "header.shared_classifier");
  EXPECT_EQ(path_of(41, uint8_t{1}), "header");
  EXPECT_EQ(path_of(255, uint8_t{1}), "header");
}

TEST(Llama2c, RejectsADamagedTokenizer) {
  Checkpoint checkpoint;
  const std::string whole = tokenizer_file();
  for (const size_t size : {size_t{3}, size_t{20}, whole.size() - 1, whole.size() + 1}) {
    SideFiles files;
    std::string damaged = whole;
    damaged.resize(size);
    files.add(std::string(kLlama2cTokenizer), damaged);
    EXPECT_FALSE(testing::run(checkpoint.make(), files, to("amb"))) << size;
  }
}

TEST(Llama2c, ReadsTheRealStories) {
  AMBRY_NEEDS_DATA("stories260k");
  const auto folder = ambry::testing::data_folder() / "stories260k";
  const File file = *ambry::testing::read_file(folder / "stories260K.bin");
  const File tokens = *ambry::testing::read_file(folder / "tok512.bin");
  SideFiles files;
  files.add(std::string(kLlama2cTokenizer), {tokens.begin(), tokens.end()});
  for (const char* format : {"amb", "alt"}) {
    SCOPED_TRACE(format);
    const auto target = testing::run(file, files, to(format));
    const ReadBack made = read_strictly(target, format);
    EXPECT_EQ(made.model.tensors.size(), 2U + 9 * 5);
    ASSERT_TRUE(made.model.tokenizer);
    EXPECT_EQ(made.model.tokenizer->vocabulary.size(), 512U);
    EXPECT_EQ(made.model.tokenizer->vocabulary[259], "\xE2\x96\x81t");
    const auto at = [&](size_t n) { return load_le<float>(file.data() + 28 + 4 * n); };
    const auto keys = made.floats("model.layers.1.self_attn.k_proj.weight");
    // The offset is after the embedding, and the norms and queries of all layers: layer 0's keys.
    // Row 1 of a head becomes row 4, row 2 becomes row 1.
    const size_t wk1 = 512 * 64 + 5 * 64 + 5 * 64 * 64 + 32 * 64;
    for (size_t i = 0; i < 64; ++i) {
      ASSERT_EQ(keys[4 * 64 + i], at(wk1 + 64 + i));
      ASSERT_EQ(keys[64 + i], at(wk1 + 2 * 64 + i));
    }
  }
}

}  // namespace
}  // namespace ambry::convert
