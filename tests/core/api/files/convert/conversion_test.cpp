#include "api/files/convert/conversion.h"

#include <gtest/gtest.h>

#include "api/files/convert/conversion_report.h"
#include "api/files/convert/quantize_options.h"
#include "api/tokenizer/tokenizer_trial.h"
#include "api/tokenizer/try_tokenizer.h"
#include "base/concat.h"
#include "formats/amb/make_amb.h"
#include "formats/finalfusion/make_fifu.h"

namespace ambry::api {
namespace {

Error refused(const char* json) {
  const auto options = read_quantize_options(*io::parse_json(json));
  EXPECT_FALSE(options) << json;
  return options ? Error() : options.error();
}

TEST(QuantizeOptions, AreRead) {
  const auto read = read_quantize_options(
      *io::parse_json(R"({"type":"adaptive","block":128,"scale":"fp32","bits":5.25,
                          "keep":["a","b"],"keepEmbeddings":true,"keepOutput":true})"));
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(read->type, "adaptive");
  EXPECT_EQ(read->block_size, 128);
  EXPECT_EQ(read->scale_type, tensor::DType::F32);
  EXPECT_EQ(read->bits_per_weight, 5.25);
  EXPECT_EQ(read->keep, (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(read->keep_embeddings);
  EXPECT_TRUE(read->keep_output);
  EXPECT_FALSE(read_quantize_options(*io::parse_json(R"({"type":"int8"})"))->scale_type);
}

TEST(QuantizeOptions, OfNetworksAreRead) {
  const auto dq8 = read_quantize_options(*io::parse_json(R"({"type":"dq8","group":70000,
                                                             "symmetric":true})"));
  ASSERT_TRUE(dq8) << describe(dq8.error());
  EXPECT_EQ(dq8->group, 70'000U);
  EXPECT_TRUE(dq8->symmetric);
  EXPECT_FALSE(dq8->ranges);
  const auto sq8 = read_quantize_options(*io::parse_json(
      R"({"type":"sq8","ranges":{"convs":[{"largest":1.5,"in":0,"out":1}],
          "linears":[{"largest":2,"in":1,"out":2}],
          "activations":[{"low":-1,"high":0.1},{"low":0,"high":1},{"low":0,"high":2}]}})"));
  ASSERT_TRUE(sq8) << describe(sq8.error());
  EXPECT_EQ(sq8->ranges->conv_weights, std::vector<float>{1.5F});
  EXPECT_EQ(sq8->ranges->linear_flows[0].out, 2U);
  EXPECT_EQ(sq8->ranges->activations[0].high, 0.1F);
  EXPECT_EQ(refused(R"({"type":"dq8","group":0})").path, "options.group");
  EXPECT_EQ(refused(R"({"type":"dq8","symmetric":1})").path, "options.symmetric");
  EXPECT_EQ(refused(R"({"type":"sq8","ranges":[]})").path, "options.ranges.convs");
  EXPECT_EQ(refused(R"({"type":"sq8","ranges":{"convs":[{"largest":1}]}})").path,
            "options.ranges.convs[0].in");
  EXPECT_EQ(refused(R"({"type":"sq8","ranges":{"convs":[],"linears":[],
                        "activations":[{"low":null,"high":1}]}})")
                .path,
            "options.ranges.activations[0].low");
}

TEST(QuantizeOptions, AreReadForWordVectors) {
  const auto read = read_quantize_options(*io::parse_json(
      R"({"type":"opq","bits":4,"subquantizers":10,"iterations":20,"attempts":3,"seed":7,"sample":500})"));
  ASSERT_TRUE(read) << describe(read.error());
  const kernels::TrainingOptions& training = read->vectors.training;
  EXPECT_EQ(training.bits, 4U);
  EXPECT_EQ(training.n_slices, 10U);
  EXPECT_EQ(training.iterations, 20U);
  EXPECT_EQ(training.attempts, 3U);
  EXPECT_EQ(training.seed, 7U);
  EXPECT_EQ(read->vectors.sample, 500U);
  const auto plain = read_quantize_options(*io::parse_json(R"({"type":"pq"})"));
  EXPECT_EQ(plain->vectors.training.bits, 8U);
  EXPECT_EQ(plain->vectors.training.n_slices, 0U);
  EXPECT_EQ(
      read_quantize_options(*io::parse_json(R"({"type":"pq","bits":5.5})"))->vectors.training.bits,
      0U);
  EXPECT_EQ(refused(R"({"type":"pq","subquantizers":0})").path, "options.subquantizers");
  EXPECT_EQ(refused(R"({"type":"pq","iterations":-1})").path, "options.iterations");
  EXPECT_EQ(refused(R"({"type":"pq","attempts":1.5})").path, "options.attempts");
  EXPECT_EQ(refused(R"({"type":"pq","seed":"a"})").path, "options.seed");
  EXPECT_EQ(refused(R"({"type":"pq","sample":null})").path, "options.sample");
}

TEST(QuantizeOptions, RejectInvalidValues) {
  EXPECT_EQ(refused("{}").path, "options.type");
  EXPECT_EQ(refused(R"({"type":8})").path, "options.type");
  EXPECT_EQ(refused(R"({"type":"int8","block":-1})").path, "options.block");
  EXPECT_EQ(refused(R"({"type":"int8","block":65536})").path, "options.block");
  EXPECT_EQ(refused(R"({"type":"int8","scale":"f16"})").path, "options.scale");
  EXPECT_EQ(refused(R"({"type":"adaptive","bits":0})").path, "options.bits");
  EXPECT_EQ(refused(R"({"type":"int8","keep":"a"})").path, "options.keep");
  EXPECT_EQ(refused(R"({"type":"int8","keepOutput":1})").path, "options.keepOutput");
  EXPECT_EQ(refused(R"({"type":"int8","colour":"red"})").path, "options.colour");
}

// The result of beginning a conversion of one normalized word.
Error begun_with(const char* options) {
  static const convert::SideFiles kNone;
  const auto file = formats::finalfusion::testing::make_simple();
  const io::MemorySource source(file);
  const auto conversion = begin_conversion(SourceFiles(source, kNone), options);
  return conversion ? Error() : conversion.error();
}

TEST(ConversionOptions, SelectWords) {
  EXPECT_EQ(begun_with(R"({"to":"text","select":{"words":["Berlin"]}})").message, "");
  EXPECT_EQ(begun_with(R"({"to":"text","select":{"words":["Bonn","Berlin"],"ignoreUnknown":true}})")
                .message,
            "");
  EXPECT_EQ(begun_with(R"({"to":"text","select":{"words":["Bonn"]}})").code, ErrorCode::NotFound);
  EXPECT_EQ(begun_with(R"({"select":["Berlin"]})").path, "options.select");
  EXPECT_EQ(begun_with(R"({"select":{"words":[1]}})").path, "options.select.words");
  EXPECT_EQ(begun_with(R"({"select":{"words":[],"ignoreUnknown":1}})").path,
            "options.select.ignoreUnknown");
}

TEST(ConversionOptions, StoreNgramsExplicitly) {
  EXPECT_EQ(begun_with(R"({"to":"finalfusion","explicit":true})").path, "vocabulary");
  EXPECT_EQ(begun_with(R"({"explicit":"yes"})").path, "options.explicit");
  EXPECT_EQ(begun_with(R"({"to":"finalfusion","explicit":true,"quantize":{"type":"pq"}})").path,
            "options");
}

TEST(ConversionOptions, CutToAWholeNumber) {
  for (const char* bad : {"0", "-1", "1.5", "\"2\"", "null", "1e30", "[2]"}) {
    const Error error = begun_with(concat({R"({"dim":)", bad, "}"}).c_str());
    EXPECT_EQ(error.path, "options.dim") << bad;
    EXPECT_EQ(error.code, ErrorCode::BadValue) << bad;
  }
  const Error of_words = begun_with(R"({"to":"finalfusion","dim":1})");
  EXPECT_EQ(of_words.path, "options.dim");
  EXPECT_EQ(of_words.code, ErrorCode::Unsupported);
}

// The warnings of a conversion to AMB that concern text.
std::vector<std::string> text_warnings(formats::amb::testing::AmbMaker maker) {
  static const convert::SideFiles kNone;
  const auto file = maker.make();
  const io::MemorySource source(file);
  const auto conversion = begin_conversion(SourceFiles(source, kNone), R"({"to":"amb"})");
  EXPECT_TRUE(conversion) << describe(conversion.error());
  std::vector<std::string> paths;
  for (const Error& warning : conversion->warnings()) {
    if (warning.message.ends_with("will not generate text")) paths.push_back(warning.path);
  }
  return paths;
}

TEST(ConversionWarnings, SayThatTheTargetWillNotGenerateText) {
  formats::amb::testing::AmbMaker maker;
  EXPECT_TRUE(text_warnings(maker).empty());
  set_tokenizer_trial(try_tokenizer);
  EXPECT_TRUE(text_warnings(maker).empty());
  maker.config = formats::amb::testing::tiny_config(R"(, "tokenizer": {"pretokenizer": "odd"})");
  EXPECT_EQ(text_warnings(maker).size(), 1U);
  maker.config = formats::amb::testing::tiny_config();
  maker.tokenizer = {};
  EXPECT_EQ(text_warnings(maker), std::vector<std::string>{"tokenizer"});
}

TEST(ConversionReport, SummarizesTheTensors) {
  convert::Report report;
  for (const char* name : {"a", "b"}) {
    convert::TensorReport& tensor = report.tensors.emplace_back();
    tensor.name = name;
    tensor.to = tensor::DType::Int8;
    tensor.bytes_before = 8;
    tensor.bytes = 3;
  }
  const float before[] = {1, 2};
  const float after[] = {1, 1};
  report.tensors[0].errors.add(before, after);
  const io::Json document = conversion_report(&report);
  EXPECT_EQ(document.find("bytesBefore")->uint(), 16U);
  EXPECT_EQ(document.find("bytes")->uint(), 6U);
  const auto& tensors = document.find("tensors")->items();
  EXPECT_EQ(tensors[0].find("maxAbsError")->number(), 1);
  EXPECT_EQ(tensors[1].dump(), R"({"name":"b","from":"f32","to":"int8","bytesBefore":8,"bytes":3,)"
                               R"("maxAbsError":0.0,"relativeError":0.0,"cosine":1.0})");
  EXPECT_TRUE(conversion_report(nullptr).is_null());
}

TEST(ConversionReport, AveragesVectors) {
  convert::Report report;
  const float row[] = {3, 4};
  report.vectors.emplace().add(row, row);
  EXPECT_EQ(conversion_report(&report).find("vectors")->dump(),
            R"({"rows":1,"cosine":{"mean":1.0,"deviation":0.0},)"
            R"("distance":{"mean":0.0,"deviation":0.0}})");
}

}  // namespace
}  // namespace ambry::api
