// Inspects, validates and rewrites the fixtures of every format (formats/fixtures.cpp).
#include <gtest/gtest.h>

#include <string>

#include "api/files/inspect.h"
#include "api/files/validate/run_validation.h"
#include "convert/run_conversion.h"
#include "formats/conformance.h"

namespace ambry::api {
namespace {

using formats::testing::Fixture;
using testing::at;
using testing::validate;

class EveryFormat : public ::testing::TestWithParam<Fixture> {
 protected:
  [[nodiscard]] const testing::File& file() const { return GetParam().file; }
};

TEST_P(EveryFormat, MapCoversTheFile) {
  const io::MemorySource source(file());
  const auto text = inspect(source);
  ASSERT_TRUE(text) << describe(text.error());
  const auto document = io::parse_json(*text);
  ASSERT_TRUE(document);
  uint64_t end = 0;
  for (const io::Json& region : at(*document, "regions").items()) {
    EXPECT_EQ(at(region, "offset").uint(), end) << region.dump();
    EXPECT_NE(at(region, "kind").string(), "unclaimed") << region.dump();
    end = at(region, "offset").uint() + at(region, "bytes").uint();
  }
  EXPECT_EQ(end, file().size());
}

TEST_P(EveryFormat, ValidatesTheSameForAnySplit) {
  const ValidateOptions values{Strictness::Lenient, true};
  const io::Json report = validate(file(), values, 1 << 20);
  EXPECT_TRUE(at(report, "valid").boolean()) << at(report, "errors").dump();
  EXPECT_NE(report.find("statistics"), nullptr);
  EXPECT_EQ(validate(file(), values, 7).dump(), report.dump());
  EXPECT_TRUE(at(validate(file()), "valid").boolean());
}

TEST_P(EveryFormat, TellsOnceThatItsEndIsMissing) {
  for (const size_t missing : {size_t{1}, file().size() / 4}) {
    testing::File cut = file();
    cut.resize(cut.size() - missing);
    const io::Json report = validate(cut);
    EXPECT_FALSE(at(report, "valid").boolean()) << missing;
    size_t n_cut = 0;
    for (const io::Json& error : at(report, "errors").items()) {
      if (at(error, "code").string() != "Truncated") continue;
      ++n_cut;
      const io::Json* whole = error.find("wholeBytes");
      if (whole != nullptr) EXPECT_EQ(whole->uint(), file().size()) << missing;
    }
    EXPECT_EQ(n_cut, 1U) << missing << " " << at(report, "errors").dump();
  }
}

TEST_P(EveryFormat, RewritesToTheStrictForm) {
  const io::Json report = validate(file());
  const bool writes = formats::find_format(GetParam().id)->lay_out != nullptr;
  const bool plain = GetParam().rewritten != formats::testing::Rewritten::Converts;
  ASSERT_EQ(at(report, "rewritable").boolean(), writes && plain);
  if (!writes || !plain) return;
  convert::Options options;
  options.to = GetParam().id;
  const auto written = convert::testing::run(file(), {}, options);
  ASSERT_TRUE(written) << describe(written.error());
  const io::Json strict = validate(*written, {Strictness::Strict, true});
  EXPECT_TRUE(at(strict, "valid").boolean()) << at(strict, "errors").dump();
  EXPECT_EQ(*written == file(), GetParam().rewritten == formats::testing::Rewritten::Same);
  const auto again = convert::testing::run(*written, {}, options);
  ASSERT_TRUE(again) << describe(again.error());
  EXPECT_EQ(*again, *written);
}

INSTANTIATE_TEST_SUITE_P(Formats, EveryFormat, ::testing::ValuesIn(formats::testing::fixtures()),
                         [](const auto& given) { return formats::testing::name_of(given.param); });

}  // namespace
}  // namespace ambry::api
