#include "fields/inner/client_word.h"

#include "unit/map/padded_text.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>

namespace mrc {
namespace {

// The padding must not matter: it could go on as the word does.
ClientWord read_padded(Bytes word, char padding = '1') {
  const PaddedText padded(word, padding);
  const ClientWord client = read_client(padded.text());
  return {client.kind, client.ip == word ? word : Bytes()};
}

TEST(ClientWord, IsAnAddressANameOrALabel) {
  using Kind = ClientKind;
  using Case = std::pair<const char *, Kind>;
  for (const auto &[word, kind] : {Case{"192.0.2.1", Kind::address},
                                   Case{"::1", Kind::address},
                                   Case{"::", Kind::address},
                                   Case{"a.b", Kind::name},
                                   Case{"localhost", Kind::label},
                                   Case{"-", Kind::label},
                                   Case{"sep", Kind::label},
                                   Case{"September", Kind::label},
                                   Case{"Sep", Kind::none},
                                   Case{"Dec", Kind::none},
                                   Case{"Sun", Kind::none},
                                   Case{"", Kind::none},
                                   Case{"192.0.2", Kind::none},
                                   Case{"12", Kind::none},
                                   Case{"12-34_5", Kind::none},
                                   Case{"16:13:46", Kind::none},
                                   Case{"16:13", Kind::none},
                                   Case{"1:2:3:4:5:6:7", Kind::none},
                                   Case{"1:2:3:4:5:6:7:8:9", Kind::none},
                                   Case{"1::2::3", Kind::none},
                                   Case{":::", Kind::none},
                                   Case{"12345::", Kind::none},
                                   Case{":1::2", Kind::none},
                                   Case{"[", Kind::none},
                                   Case{"[]", Kind::none},
                                   Case{"[:", Kind::none},
                                   Case{"%", Kind::none},
                                   Case{"%:", Kind::none},
                                   Case{":", Kind::none},
                                   Case{"a b.c", Kind::none},
                                   Case{"\xEF\xBB\xBF"
                                        "1.2.3.4",
                                        Kind::none}}) {
    for (char padding : {'1', '.', ':', 'a', ' ', '"'}) {
      EXPECT_EQ(read_padded(word, padding).kind, kind) << word;
      EXPECT_EQ(is_ipv4(PaddedText(word, padding).text()), std::string(word) == "192.0.2.1");
    }
  }
}

TEST(ClientWord, MayBeLong) {
  const std::string label(60, 'x'), name = label + "." + label + "." + label + ".example";
  EXPECT_EQ(read_padded(name).kind, ClientKind::name);
  EXPECT_EQ(read_padded(label + label).kind, ClientKind::label);
  EXPECT_EQ(read_padded(name + "/").kind, ClientKind::none);
  EXPECT_EQ(read_padded(name + name).kind, ClientKind::none);
}

TEST(ClientWord, IsAnIpv6AddressIfTheCLibrarySaysSo) {
  const std::vector<std::string> pieces = {":",    ":",   ":",    "::",    "0", "1a",
                                           "ffff", "DB8", "2001", "12345", ".", "1.2.3.4"};
  std::mt19937_64 random(first_seed());
  int addresses = 0;
  for (int i = 0; i < 300000; ++i) {
    const std::string text = random_text(&random, pieces, 2 + random() % 20);
    in6_addr address;
    const bool expected = inet_pton(AF_INET6, text.c_str(), &address) == 1;
    ASSERT_EQ(is_ipv6(PaddedText(text, ':').text()), expected) << text;
    addresses += expected;
  }
  EXPECT_GT(addresses, 1000);
}

}  // namespace
}  // namespace mrc
