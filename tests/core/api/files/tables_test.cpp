// The exported tables against the tables themselves.
#include "api/files/tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "convert/conversion_table.h"
#include "convert/import/import_formats.h"
#include "convert/plan/conversion_options.h"
#include "convert/quantizations.h"
#include "formats/foreign.h"
#include "formats/registry.h"
#include "io/json/json.h"
#include "tensor/dtype/dtype_table.h"

namespace ambry::api {
namespace {

using io::Json;

const Json& exported() {
  static const Json kTables = io::parse_json(tables()).value();
  return kTables;
}

const Json& member_of(const Json& json, std::string_view key) {
  const Json* member = json.find(key);
  EXPECT_NE(member, nullptr) << key;
  static const Json kNone;
  return member == nullptr ? kNone : *member;
}

std::vector<std::string> texts(const Json& list) {
  std::vector<std::string> found;
  for (const Json& item : list.items()) found.push_back(item.string());
  return found;
}

bool holds(const Json& list, std::string_view text) {
  return std::ranges::any_of(list.items(), [&](const Json& item) { return item.string() == text; });
}

void expect_facts(const Json& row, const formats::FormatFacts& facts) {
  EXPECT_EQ(member_of(row, "id").string(), facts.id);
  EXPECT_EQ(member_of(row, "label").string(), facts.label);
  EXPECT_EQ(member_of(row, "extensions").items()[0].string(), facts.extensions[0]);
  const auto n =
      std::ranges::count_if(facts.magics, [](const auto& magic) { return !magic.empty(); });
  EXPECT_EQ(member_of(row, "magics").items().size(), static_cast<size_t>(n)) << facts.id;
}

TEST(Tables, HaveEveryFormatAndEveryImportFormat) {
  const Json& rows = member_of(exported(), "formats");
  const auto formats = formats::formats();
  const auto imports = convert::import_formats();
  ASSERT_EQ(rows.items().size(), formats.size() + imports.size());
  for (size_t i = 0; i < formats.size(); ++i) {
    const Json& row = rows.items()[i];
    expect_facts(row, formats[i].facts);
    EXPECT_EQ(member_of(row, "runs").is_null(), formats[i].runs == formats::Runs::Nothing);
    const bool is_target = std::ranges::count(convert::conversions(), formats[i].facts.id,
                                              &convert::ConversionRow::to) > 0;
    EXPECT_EQ(member_of(row, "writes").boolean(), formats[i].lay_out != nullptr || is_target);
    EXPECT_TRUE(member_of(row, "inspects").boolean());
  }
  for (size_t i = 0; i < imports.size(); ++i) {
    const Json& row = rows.items()[formats.size() + i];
    expect_facts(row, imports[i].facts);
    EXPECT_TRUE(member_of(row, "runs").is_null());
    EXPECT_FALSE(member_of(row, "inspects").boolean());
  }
  EXPECT_EQ(member_of(rows.items()[0], "runs").string(), "generator");
}

// recognise() names what it does not read, so that people know to convert it.
TEST(Tables, ReadersNameImportFormatsWithAMagic) {
  for (const convert::ImportFormat& format : convert::import_formats()) {
    for (const std::string_view magic : format.facts.magics) {
      if (magic.empty()) continue;
      const std::string head = std::string(magic) + std::string(100, '\1');
      const std::string text = formats::describe_foreign(head, head.size());
      EXPECT_NE(text.find(format.facts.label), std::string::npos) << text;
    }
  }
}

TEST(Tables, SpellMagicsAsCharactersOfOneByte) {
  const Json& rows = member_of(exported(), "formats");
  EXPECT_EQ(texts(member_of(rows.items()[0], "magics")),
            (std::vector<std::string>{"ctla", "altc", std::string("\0tla", 4)}));
  const auto fasttext = std::ranges::find_if(
      rows.items(), [](const Json& row) { return member_of(row, "id").string() == "fasttext"; });
  ASSERT_NE(fasttext, rows.items().end());
  EXPECT_EQ(texts(member_of(*fasttext, "magics")), (std::vector<std::string>{"\xC2\xBA\x16O/"}));
}

// A number in fastText's files tells models without labels from classifiers.
TEST(Tables, TellWordVectorsFromClassifiersByANumber) {
  const Json& rows = member_of(exported(), "openings");
  const auto words = std::ranges::find_if(rows.items(), [](const Json& row) {
    const Json& last = member_of(row, "marks").items().back();
    return !member_of(last, "at").is_null() && member_of(last, "at").uint() == 36;
  });
  ASSERT_NE(words, rows.items().end());
  EXPECT_EQ(member_of(*words, "kind").string(), "words");
  EXPECT_TRUE(member_of(*words, "converts").boolean());
  const Json& numbers = member_of(member_of(*words, "marks").items().back(), "bytes");
  EXPECT_EQ(texts(numbers),
            (std::vector<std::string>{std::string("\1\0\0\0", 4), std::string("\2\0\0\0", 4)}));
}

TEST(Tables, HaveEveryConversionAndQuantization) {
  const Json& conversions = member_of(exported(), "conversions");
  for (const convert::ConversionRow& row : convert::conversions()) {
    EXPECT_TRUE(holds(member_of(conversions, row.from), row.to)) << row.from << " to " << row.to;
  }
  EXPECT_TRUE(holds(member_of(conversions, "gguf"), "gguf"));
  EXPECT_FALSE(holds(member_of(conversions, "pytorch"), "pytorch"));
  EXPECT_FALSE(holds(member_of(conversions, "llama2c"), "llama2c"));
  const Json& quantizations = member_of(exported(), "quantizations");
  size_t n = 0;
  for (const auto& [to, types] : quantizations.members()) n += types.items().size();
  EXPECT_EQ(n, convert::quantizations().size());
  EXPECT_EQ(
      texts(member_of(quantizations, "amb")),
      (std::vector<std::string>{"int8", "int4", "int5", "int4_block", "int5_block", "adaptive"}));
  EXPECT_EQ(texts(member_of(exported(), "targetDTypes")),
            (std::vector<std::string>{"f32", "f16", "bf16", "int8"}));
  EXPECT_EQ(texts(member_of(exported(), "scaleTypes")), (std::vector<std::string>{"fp32", "fp16"}));
}

TEST(Tables, HaveEveryType) {
  const Json& rows = member_of(exported(), "dtypes");
  ASSERT_EQ(rows.items().size(), tensor::kDTypeTable.size());
  for (size_t i = 0; i < tensor::kDTypeTable.size(); ++i) {
    const tensor::DTypeRow& dtype = tensor::kDTypeTable[i];
    const Json& row = rows.items()[i];
    EXPECT_EQ(member_of(row, "name").string(), dtype.name);
    EXPECT_EQ(member_of(row, "block").is_null(), dtype.block.elements == 0);
    const Json* amb = member_of(row, "formats").find("amb");
    EXPECT_EQ(amb != nullptr, dtype.amb.has_value()) << dtype.name;
    if (amb != nullptr) {
      EXPECT_EQ(amb->uint(), *dtype.amb) << dtype.name;
    }
  }
}

}  // namespace
}  // namespace ambry::api
