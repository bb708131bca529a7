// Converts decoders of onnxruntime-genai's builder, and compares what they say with onnxruntime.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "convert/decoder/decoder_directory.h"
#include "convert/onnx/decoders/genai_fixture.h"
#include "convert/onnx/decoders/read_onnx_decoder.h"
#include "infer/decoder/run_decoder.h"
#include "model/decoder/decoder_config.h"

namespace ambry::convert {
namespace {

using testing::GenaiFixture;
using testing::GenaiSources;
using testing::ReadBack;

Result<testing::File> converted(const GenaiFixture& fixture, const Options& options,
                                std::vector<Error>* warnings = nullptr) {
  const GenaiSources sources(fixture);
  return testing::run(sources.files, sources.contents, options, warnings);
}

ReadBack as_amb(const GenaiFixture& fixture) {
  return testing::read_strictly(converted(fixture, testing::to("amb")), "amb");
}

model::DecoderConfig facts_of(const ReadBack& read) {
  io::Diagnostics diagnostics;
  return model::decoder_config(read.model, diagnostics).value();
}

infer::Decoder decoder_of(const ReadBack& read) {
  const auto bytes = [&](size_t i) {
    const model::TensorEntry& tensor = read.model.tensors[i];
    return infer::testing::copy_of(Bytes(read.file).subspan(static_cast<size_t>(tensor.offset),
                                                            static_cast<size_t>(tensor.bytes)));
  };
  return infer::testing::build(read.model, facts_of(read), bytes,
                               {infer::KvType::F32, 0, 0, kernels::ActivationPrecision::F32})
      .value();
}

std::vector<uint32_t> ids_of(const io::Json& list) {
  std::vector<uint32_t> ids;
  for (const io::Json& id : list.items()) ids.push_back(static_cast<uint32_t>(id.uint()));
  return ids;
}

struct Case {
  const char* name;
  const char* expected;
  double tolerance = 1e-4;  // of the largest logit
};

class GenaiDecoders : public ::testing::TestWithParam<Case> {};

TEST_P(GenaiDecoders, SayWhatOnnxruntimeSays) {
  const ReadBack read = as_amb(GenaiFixture::read(GetParam().name));
  ASSERT_FALSE(read.model.tensors.empty());
  const io::Json expected = GenaiFixture::expected(GetParam().expected);
  const std::vector<uint32_t> ids = ids_of(*expected.find("ids"));
  infer::Decoder decoder = decoder_of(read);
  infer::testing::DecoderRun run(decoder);
  ASSERT_TRUE(run.feed(ids, infer::Logits::Each));
  double largest = 0;
  double off = 0;
  const auto& rows = expected.find("logits")->items();
  for (size_t i = 0; i < rows.size(); ++i) {
    const auto logits = run.logits(ids.size() - rows.size() + i);
    const auto& row = rows[i].items();
    ASSERT_EQ(logits.size(), row.size());
    for (size_t j = 0; j < row.size(); ++j) {
      largest = std::max(largest, std::fabs(row[j].number()));
      off = std::max(off, std::fabs(double{logits[j]} - row[j].number()));
    }
  }
  EXPECT_LE(off, GetParam().tolerance * largest);
  infer::testing::DecoderRun greedy(decoder);
  const std::vector<uint32_t> tokens = ids_of(*expected.find("tokens"));
  EXPECT_EQ(greedy.greedy(ids, tokens.size()).value(), tokens);
}

// onnxruntime rounds what it computes to 16 bits in those with f16, and to 8 bits in qwen3_uint8.
INSTANTIATE_TEST_SUITE_P(Families, GenaiDecoders,
                         ::testing::Values(Case{"llama", "llama"}, Case{"llama_q4", "llama_q4"},
                                           Case{"mistral", "mistral"}, Case{"qwen2_q4", "qwen2_q4"},
                                           Case{"qwen3", "qwen3"}, Case{"qwen3_fused", "qwen3"},
                                           Case{"qwen3_f16", "qwen3_f16", 5e-3},
                                           Case{"phi3_q4", "phi3_q4"},
                                           Case{"smollm3_q4", "smollm3_q4"},
                                           Case{"granite", "granite"}, Case{"gemma2", "gemma2"},
                                           Case{"gemma2_f16", "gemma2_f16", 5e-3},
                                           Case{"gemma3", "gemma3"}, Case{"phi3_long", "phi3_long"},
                                           Case{"qwen3_uint8", "qwen3_uint8", 5e-2},
                                           Case{"granite_float16", "granite_float16", 5e-3},
                                           Case{"llama_bnb4", "llama_bnb4"}),
                         [](const auto& info) { return std::string(info.param.name); });

std::string type_of(const ReadBack& read, std::string_view name) {
  const model::TensorEntry* tensor = find_tensor(read.model, name);
  return tensor == nullptr ? "missing" : std::string(dtype_name(tensor->dtype));
}

// Codes with zero points have a bit more than those without. No type has those of 8 bits.
TEST(GenaiDecoder, KeepsCodesThatATypeHas) {
  const ReadBack blocks = as_amb(GenaiFixture::read("llama_q4"));
  EXPECT_EQ(type_of(blocks, "model.layers.0.mlp.gate_proj.weight"), "int4_block");
  EXPECT_EQ(type_of(blocks, "model.layers.0.self_attn.k_proj.weight"), "int4_block");
  EXPECT_EQ(type_of(blocks, "model.embed_tokens.weight"), "f32");
  const ReadBack zeros = as_amb(GenaiFixture::read("qwen2_q4"));
  EXPECT_EQ(type_of(zeros, "model.layers.0.mlp.gate_proj.weight"), "int5_block");
  EXPECT_EQ(type_of(zeros, "model.layers.0.self_attn.q_proj.bias"), "f32");
  EXPECT_EQ(type_of(zeros, "lm_head.weight"), "f32");
}

TEST(GenaiDecoder, ReportsWhatBecameOfTheCodes) {
  const GenaiFixture fixture = GenaiFixture::read("qwen2_q4");
  const GenaiSources sources(fixture);
  auto conversion = Conversion::begin(sources.files, testing::to("amb"));
  ASSERT_TRUE(conversion) << describe(conversion.error());
  ASSERT_NE(conversion->report(), nullptr);
  size_t kept = 0;
  size_t decoded = 0;
  for (const TensorReport& tensor : conversion->report()->tensors) {
    if (tensor.stored_as.empty()) continue;
    EXPECT_EQ(tensor.stored_as.find("MatMulNBits"), 0) << tensor.stored_as;
    ++(tensor.note == "the same codes and scales" ? kept : decoded);
  }
  EXPECT_EQ(kept, 7);
  EXPECT_EQ(decoded, 1);
}

// An output matrix of its own counts, whatever config.json says; one that is the embedding is not
// stored twice.
TEST(GenaiDecoder, StatesWhetherTheOutputIsTheEmbedding) {
  EXPECT_FALSE(facts_of(as_amb(GenaiFixture::read("gemma2"))).tie_word_embeddings);
  for (const char* name : {"qwen3_f16", "smollm3_q4"}) {
    const ReadBack read = as_amb(GenaiFixture::read(name));
    ASSERT_FALSE(read.model.tensors.empty()) << name;
    EXPECT_TRUE(facts_of(read).tie_word_embeddings) << name;
    EXPECT_EQ(find_tensor(read.model, "lm_head.weight"), nullptr) << name;
  }
}

// A graph is read by ranges, and so are the tables of rotations and small constants. Matrices are
// not.
TEST(GenaiDecoder, ReadsItsGraphByRanges) {
  const GenaiFixture fixture = GenaiFixture::read("mistral");
  const GenaiSources whole(fixture);
  io::PartialSource main(fixture.model.size());
  io::PartialSource data(fixture.data.size());
  SourceFiles files(main, fixture.side);
  files.name_main("onnx/model.onnx");
  files.add("onnx/model.onnx_data", data);
  auto read = onnx::read_onnx_decoder(files, true);
  for (int turns = 0; !read && read.error().code == ErrorCode::NeedBytes; ++turns) {
    ASSERT_LT(turns, 1000);
    const Error& error = read.error();
    const Bytes from = whole.contents[error.need_file];
    ASSERT_TRUE((error.need_file == 0 ? main : data)
                    .insert(error.byte_offset, from.subspan(static_cast<size_t>(error.byte_offset),
                                                            static_cast<size_t>(error.need_size))));
    read = onnx::read_onnx_decoder(files, true);
  }
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(read->model.tensors, whole.read()->model.tensors);
  const uint64_t tables = 2 * 24 * 8 * sizeof(float);
  EXPECT_EQ(data.loaded_bytes(), tables);
}

TEST(GenaiDecoder, BecomesGguf) {
  const ReadBack amb = as_amb(GenaiFixture::read("qwen3"));
  const SideFiles none;
  const auto gguf = testing::run(amb.file, none, testing::to("gguf"));
  ASSERT_TRUE(gguf) << describe(gguf.error());
  EXPECT_FALSE(testing::read_strictly(gguf, "gguf").model.tensors.empty());
}

}  // namespace
}  // namespace ambry::convert
