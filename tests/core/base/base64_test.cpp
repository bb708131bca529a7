#include "base/base64.h"

#include <gtest/gtest.h>

namespace ambry {
namespace {

// RFC 4648, section 10.
TEST(Base64, DecodesTheStandardsExamples) {
  EXPECT_EQ(decode_base64(""), "");
  EXPECT_EQ(decode_base64("Zg=="), "f");
  EXPECT_EQ(decode_base64("Zm8="), "fo");
  EXPECT_EQ(decode_base64("Zm9v"), "foo");
  EXPECT_EQ(decode_base64("Zm9vYmE="), "fooba");
  EXPECT_EQ(decode_base64("+/+/"), "\xFB\xFF\xBF");
}

TEST(Base64, RefusesInvalidText) {
  for (const char* text :
       {"Z", "Zg", "Zg=", "Zg===", "Z===", "====", "Zh==", "Zm9=", "Zm 9", "Zm-_", "=Zg="}) {
    EXPECT_FALSE(decode_base64(text)) << text;
  }
}

}  // namespace
}  // namespace ambry
