#include "base/digests.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace mrc {
namespace {

std::string hex_of(Bytes text) {
  std::string hex;
  for (const u8 byte : sha256(text)) hex += fmt::format("{:02x}", byte);
  return hex;
}

// The examples of FIPS 180-4, and texts whose length and end fill a block or not.
TEST(Sha256, IsThatOfTheStandard) {
  EXPECT_EQ(hex_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hex_of(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  EXPECT_EQ(hex_of(std::string(55, 'b')),
            "eb2c86e932179f4ba13fe8715a26124b77d6bad290b9b4c1cc140cf633300c19");
  EXPECT_EQ(hex_of(std::string(56, 'b')),
            "a5fc6e203a4c2b657d0d153885932414b2ffc6a93f0f8bf8b3183315e5a7212c");
  EXPECT_EQ(hex_of(std::string(63, 'b')),
            "94e419fabac7f930810f9636354042f8c1426d2f834d4ab65c93dc1e69326b13");
  EXPECT_EQ(hex_of(std::string(64, 'b')),
            "a0fab1377f49a759b57f63318262ebe89fabfc990e8e93ceac2984561482b9d4");
  EXPECT_EQ(hex_of(std::string(119, 'b')),
            "68297a9eb141ce16bbc0847da1c0c48e2858704feaa13993bde29f87a198a6e1");
  EXPECT_EQ(hex_of(std::string(120, 'b')),
            "392add47fbaa8197a874ebe770a947a26dd6f2becce5f64688cc4d18c9da93bd");
}

TEST(Xxh64, IsThatOfXxhsum) {
  EXPECT_EQ(xxh64(""), 0xef46db3751d8e999u);
  EXPECT_EQ(xxh64("abc"), 0x44bc2cf5ad770999u);
}

}  // namespace
}  // namespace mrc
