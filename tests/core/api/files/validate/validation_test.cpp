#include "api/files/validate/validation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "api/files/validate/run_validation.h"
#include "formats/embd/make_embd.h"
#include "formats/finalfusion/make_fifu.h"
#include "formats/tinyruntime/make_tinyruntime.h"

namespace ambry::api {
namespace {

namespace embd = formats::embd::testing;
using testing::at;
using testing::brief;
using testing::kStrict;
using testing::kValues;
using testing::validate;
using Lines = std::vector<std::string>;

std::string floats(const std::vector<float>& numbers) {
  embd::File bytes;
  for (const float number : numbers) embd::put(bytes, number);
  return {bytes.begin(), bytes.end()};
}

TEST(Validation, FindsNoProblemsInAValidFile) {
  for (const ValidateOptions& options : {ValidateOptions{}, kStrict, kValues}) {
    const io::Json report = validate(embd::make_f0(), options);
    EXPECT_EQ(at(report, "format").string(), "embd");
    EXPECT_EQ(at(report, "version").string(), "F0 1.0");
    EXPECT_TRUE(at(report, "valid").boolean()) << report.dump();
    EXPECT_TRUE(at(report, "rewritable").boolean());
    EXPECT_EQ(brief(at(report, "errors")), Lines());
    EXPECT_EQ(brief(at(report, "warnings")), Lines());
    EXPECT_EQ(report.find("statistics") != nullptr, options.values);
  }
}

TEST(Validation, ReportsAllIndependentProblems) {
  embd::F0Maker maker;
  embd::File file = maker.make();
  file[maker.places.data] ^= 1;                                 // data and file checksum
  embd::put_at(file, formats::embd::kReservedAt, uint32_t{7});  // tolerated
  file[maker.places.descriptor(3)] ^= 1;                        // the hash of a name
  file[file.size() - 1] = 1;                                    // the footer's reserved word
  const io::Json report = validate(file);
  EXPECT_FALSE(at(report, "valid").boolean());
  EXPECT_FALSE(at(report, "rewritable").boolean()) << "damaged bytes are no content to keep";
  EXPECT_EQ(brief(at(report, "errors")),
            (Lines{"Mismatch footer.data_checksum", "Mismatch footer.file_checksum"}));
  EXPECT_EQ(brief(at(report, "warnings")),
            (Lines{"BadValue header.reserved", "Mismatch tensors[3].name_hash",
                   "BadValue footer.reserved"}));
  EXPECT_EQ(brief(at(validate(file, kStrict), "errors")).size(), 5U);
}

TEST(Validation, RejectsAFileWhoseLastChunkIsCut) {
  formats::finalfusion::testing::FifuMaker maker;
  const auto whole = maker.make();
  EXPECT_TRUE(at(validate(whole), "valid").boolean());
  for (size_t size = static_cast<size_t>(maker.places.norms); size < whole.size(); ++size) {
    auto file = whole;
    file.resize(size);
    const io::Json report = validate(file);
    EXPECT_FALSE(at(report, "valid").boolean()) << size;
    ASSERT_EQ(brief(at(report, "errors")).size(), 1U) << size;
    EXPECT_TRUE(brief(at(report, "errors"))[0].starts_with("Truncated norms")) << size;
  }
}

TEST(Validation, OffersARewriteForAnUntidyFile) {
  embd::F0Maker maker;
  maker.special_relative = true;
  embd::File file = maker.make();
  embd::put_at(file, formats::embd::kReservedAt, uint32_t{7});
  embd::seal(file);
  EXPECT_TRUE(at(validate(file), "valid").boolean());
  const io::Json strict = validate(file, kStrict);
  EXPECT_FALSE(at(strict, "valid").boolean());
  EXPECT_TRUE(at(strict, "rewritable").boolean());
}

TEST(Validation, OffersNoRewriteForLayoutF1) {
  const io::Json report = validate(embd::make_f1());
  EXPECT_EQ(at(report, "version").string(), "F1");
  EXPECT_FALSE(at(report, "rewritable").boolean());
}

TEST(Validation, ReportsPaddingThatIsNotZero) {
  embd::F0Maker maker;
  embd::File file = maker.make();
  const size_t padding = maker.places.data + 5 * 64 + 16;  // after embeddings.LayerNorm.weight
  file[padding] = 1;
  file[padding + 1] = 1;  // reported once for each gap
  embd::seal(file);
  const io::Json report = validate(file, {}, 7);
  ASSERT_EQ(brief(at(report, "warnings")), (Lines{"BadValue padding"}));
  EXPECT_EQ(at(at(report, "warnings").items()[0], "byteOffset").uint(), padding);
  EXPECT_EQ(brief(at(validate(file, kStrict), "errors")), (Lines{"BadValue padding"}));
  const ValidateOptions both{Strictness::Strict, true};
  EXPECT_EQ(brief(at(validate(file, both), "errors")), (Lines{"BadValue padding"}));
}

TEST(Validation, ReportsAFileOfUnknownFormat) {
  const std::string text = "<!doctype html><title>Not found</title>";
  const io::Json report = validate(testing::File(text.begin(), text.end()));
  EXPECT_TRUE(at(report, "format").is_null());
  EXPECT_FALSE(at(report, "valid").boolean());
  EXPECT_FALSE(at(report, "rewritable").boolean());
  EXPECT_EQ(brief(at(report, "errors")), (Lines{"BadMagic file"}));
}

// core/formats/tinyruntime/README.md#rule-7: the network can be read but gives NaN.
TEST(Validation, WarnsAboutValuesThatGiveNaN) {
  using formats::tinyruntime::testing::put_at;
  formats::tinyruntime::testing::Maker maker;
  maker.variant = model::CnnVariant::Dq8;
  formats::tinyruntime::testing::File file = maker.make();
  EXPECT_TRUE(at(validate(file, kValues), "warnings").items().empty());
  put_at(file, maker.places.floats, std::numeric_limits<float>::quiet_NaN());
  put_at(file, maker.places.floats + 12, -0.5F);
  put_at(file, file.size() - 4, -1.0F);
  const io::Json report = validate(file, kValues);
  EXPECT_TRUE(at(report, "errors").items().empty());
  const io::Json& warnings = at(report, "warnings");
  ASSERT_EQ(brief(warnings), (Lines{"BadValue conv.0.weight.scale", "BadValue conv.0.weight.scale",
                                    "BadValue batchnorm.1.running_var"}));
  EXPECT_EQ(at(warnings.items()[0], "byteOffset").uint(), maker.places.floats);
  EXPECT_EQ(at(warnings.items()[1], "byteOffset").uint(), maker.places.floats + 12);
  EXPECT_EQ(at(warnings.items()[2], "byteOffset").uint(), file.size() - 4);
  // Strict reading checks them unasked.
  const io::Json strict = validate(file, kStrict);
  EXPECT_FALSE(at(strict, "valid").boolean());
  EXPECT_EQ(brief(at(strict, "errors")), brief(warnings));
  EXPECT_EQ(strict.find("statistics"), nullptr);
}

TEST(Validation, ChecksEveryValue) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  embd::F0Maker maker;
  std::vector<float> words(32, 1.0F);
  words[9] = kNan;
  words[10] = -kInfinity;
  for (size_t i = 20; i < 24; ++i) words[i] = 0.0F;  // row 5
  maker.tensors[0].data = floats(words);
  maker.tensors[2].data = floats(std::vector<float>(8, 0.0F));
  const embd::File file = maker.make();
  for (const size_t piece : {1U, 13U, 5000U}) {
    const io::Json report = validate(file, kValues, piece);
    ASSERT_EQ(brief(at(report, "errors")), (Lines{"BadValue " + maker.tensors[0].name}));
    EXPECT_EQ(at(at(report, "errors").items()[0], "byteOffset").uint(), maker.places.data + 9 * 4);
    ASSERT_EQ(brief(at(report, "warnings")),
              (Lines{"BadValue " + maker.tensors[0].name, "BadValue " + maker.tensors[2].name}));
    EXPECT_EQ(at(at(report, "warnings").items()[0], "byteOffset").uint(),
              maker.places.data + 20 * 4);
    EXPECT_TRUE(at(report, "rewritable").boolean()) << "the numbers are as they are";

    const auto& statistics = at(report, "statistics").items();
    ASSERT_EQ(statistics.size(), maker.tensors.size());
    const io::Json& first = statistics[0];
    EXPECT_EQ(at(first, "tensor").string(), maker.tensors[0].name);
    EXPECT_EQ(at(first, "count").uint(), 32U);
    EXPECT_EQ(at(first, "nan").uint(), 1U);
    EXPECT_EQ(at(first, "infinite").uint(), 1U);
    EXPECT_EQ(at(first, "zeros").uint(), 4U);
    EXPECT_EQ(at(first, "zeroRows").uint(), 1U);
    EXPECT_EQ(at(first, "min").number(), 0.0);
    EXPECT_EQ(at(first, "max").number(), 1.0);
    EXPECT_DOUBLE_EQ(at(first, "mean").number(), 26.0 / 30.0);
    EXPECT_EQ(at(at(first, "rowNorms"), "max").number(), 2.0) << "row 2 is left out";
    EXPECT_TRUE(at(statistics[3], "rowNorms").is_null()) << "one dimension has no rows";
  }
}

TEST(Validation, FindsRepeatedTokens) {
  embd::F0Maker maker;
  maker.tokens[6] = "a";
  const io::Json report = validate(maker.make(), kValues);
  EXPECT_TRUE(at(report, "valid").boolean());
  EXPECT_EQ(brief(at(report, "warnings")), (Lines{"BadValue vocabulary[6]"}));
}

TEST(Validation, ChecksTheValuesOfAnIncompleteModel) {
  embd::F0Maker maker;
  maker.tensors.erase(maker.tensors.begin() + 5);  // a weight that an encoder must have
  const io::Json report = validate(maker.make(), kValues);
  EXPECT_FALSE(at(report, "valid").boolean());
  EXPECT_FALSE(at(report, "rewritable").boolean());
  EXPECT_EQ(at(report, "statistics").items().size(), maker.tensors.size());
}

TEST(Validation, GivesNoStatisticsForABrokenTable) {
  embd::F0Maker maker;
  embd::File file = maker.make();
  embd::put_at(file, maker.places.descriptor(1) + 24, uint64_t{0});  // overlaps the first
  embd::seal(file);
  const io::Json report = validate(file, kValues);
  EXPECT_EQ(brief(at(report, "errors")), (Lines{"BadValue tensors[1].data_offset"}));
  EXPECT_EQ(report.find("statistics"), nullptr);
}

}  // namespace
}  // namespace ambry::api
