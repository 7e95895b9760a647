#include "expr/inner/agent.h"

#include <gtest/gtest.h>

#include <string>

namespace mrc {
namespace {

struct Known {
  const char *browser, *os, *device, *bot, *agent;
};
#define WEBKIT "AppleWebKit/537.36 (KHTML, like Gecko) "
constexpr Known kKnown[] = {
    // Chrome, and browsers that have its name.
    {"Chrome", "Windows", "desktop", "-",
     "Mozilla/5.0 (Windows NT 10.0; Win64; x64) " WEBKIT "Chrome/126.0.0.0 Safari/537.36"},
    {"Chrome", "macOS", "desktop", "-",
     "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) " WEBKIT "Chrome/125.0.0.0 Safari/537.36"},
    {"Chrome", "Linux", "desktop", "-",
     "Mozilla/5.0 (X11; Linux x86_64) " WEBKIT "Chrome/124.0.0.0 Safari/537.36"},
    {"Chrome", "ChromeOS", "desktop", "-",
     "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) " WEBKIT "Chrome/126.0.0.0 Safari/537.36"},
    {"Chrome", "Android", "mobile", "-",
     "Mozilla/5.0 (Linux; Android 10; K) " WEBKIT "Chrome/126.0.0.0 Mobile Safari/537.36"},
    {"Chrome", "Android", "tablet", "-",
     "Mozilla/5.0 (Linux; Android 10; K) " WEBKIT "Chrome/126.0.0.0 Safari/537.36"},
    {"Chrome", "iOS", "mobile", "-",
     "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
     "Gecko) CriOS/126.0.6478.54 Mobile/15E148 Safari/604.1"},
    {"Chrome", "iOS", "tablet", "-",
     "Mozilla/5.0 (iPad; CPU OS 8_4 like Mac OS X) AppleWebKit/600.1.4 (KHTML, like Gecko) "
     "CriOS/45.0.2454.68 Mobile/12H143 Safari/600.1.4"},
    {"Edge", "Windows", "desktop", "-",
     "Mozilla/5.0 (Windows NT 10.0; Win64; x64) " WEBKIT
     "Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0"},
    {"Edge", "Windows", "desktop", "-",
     "Mozilla/5.0 (Windows NT 10.0; Win64; x64) " WEBKIT
     "Chrome/64.0.3282.140 Safari/537.36 Edge/17.17134"},
    {"Edge", "Android", "mobile", "-",
     "Mozilla/5.0 (Linux; Android 10; HD1913) " WEBKIT
     "Chrome/125.0.6422.165 Mobile Safari/537.36 EdgA/125.0.2535.51"},
    {"Edge", "iOS", "mobile", "-",
     "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
     "Gecko) Version/17.0 EdgiOS/125.2535.60 Mobile/15E148 Safari/605.1.15"},
    {"Edge", "Windows", "console", "-",
     "Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox Series X) " WEBKIT
     "Chrome/48.0.2564.82 Safari/537.36 Edge/20.02"},
    {"Opera", "Windows", "desktop", "-",
     "Mozilla/5.0 (Windows NT 10.0; Win64; x64) " WEBKIT
     "Chrome/124.0.0.0 Safari/537.36 OPR/110.0.0.0"},
    {"Opera", "Windows", "desktop", "-",
     "Opera/9.80 (Windows NT 6.1; WOW64) Presto/2.12.388 Version/12.18"},
    {"Opera", "-", "mobile", "-",
     "Opera/9.80 (J2ME/MIDP; Opera Mini/9.80 (S60; SymbOSx) Presto/2.5.28 Version/10.1"},
    {"Opera", "Android", "mobile", "-",
     "Opera/9.80 (Android; Opera Mini/36.2.2254/119.132; U; id) Presto/2.12.423 Version/12.16"},
    {"Opera", "Windows", "desktop", "-",
     "Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.1; en) Opera 8.50"},
    {"Samsung Internet", "Android", "mobile", "-",
     "Mozilla/5.0 (Linux; Android 13; SAMSUNG SM-S918B) " WEBKIT
     "SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36"},
    {"Vivaldi", "Linux", "desktop", "-",
     "Mozilla/5.0 (X11; Linux x86_64) " WEBKIT
     "Chrome/122.0.0.0 Safari/537.36 Vivaldi/6.6.3271.61"},
    {"Yandex Browser", "Windows", "desktop", "-",
     "Mozilla/5.0 (Windows NT 10.0; Win64; x64) " WEBKIT
     "Chrome/122.0.0.0 YaBrowser/24.4.0.0 Safari/537.36"},
    {"UC Browser", "Android", "mobile", "-",
     "Mozilla/5.0 (Linux; U; Android 8.1.0; en-US; Redmi 6A) " WEBKIT
     "Version/4.0 Chrome/57.0.2987.108 UCBrowser/12.13.2.1208 Mobile Safari/537.36"},
    {"MIUI Browser", "Android", "mobile", "-",
     "Mozilla/5.0 (Linux; U; Android 9; en-us; Redmi Note 8) " WEBKIT
     "Version/4.0 Chrome/71.0.3578.141 Mobile Safari/537.36 XiaoMi/MiuiBrowser/12.1.5-g"},
    {"Silk", "Android", "tablet", "-",
     "Mozilla/5.0 (Linux; Android 9; KFMAWI) " WEBKIT
     "Silk/108.11.4 like Chrome/108.0.5359.220 Safari/537.36"},
    {"Android WebView", "Android", "mobile", "-",
     "Mozilla/5.0 (Linux; Android 12; Pixel 6 Build/SD1A.210817.023; wv) " WEBKIT
     "Version/4.0 Chrome/94.0.4606.71 Mobile Safari/537.36"},
    {"Android WebView", "Android", "mobile", "-",
     "Mozilla/5.0 (Linux; Android 4.4.4; MI 3W Build/KTU84P) " WEBKIT
     "Version/4.0 Chrome/33.0.0.0 Mobile Safari/537.36"},
    {"Chromium", "Linux", "desktop", "-",
     "Mozilla/5.0 (X11; Linux x86_64) " WEBKIT
     "Ubuntu Chromium/80.0.3987.87 Chrome/80.0.3987.87 Safari/537.36"},
    {"HeadlessChrome", "Linux", "desktop", "-",
     "Mozilla/5.0 (X11; Linux x86_64) " WEBKIT "HeadlessChrome/119.0.6045.105 Safari/537.36"},
    {"Electron", "macOS", "desktop", "-",
     "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) " WEBKIT
     "Slack/4.38 Chrome/122.0.6261.156 Electron/29.3.2 Safari/537.36"},
    // Safari, and browsers that have its name.
    {"Safari", "macOS", "desktop", "-",
     "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
     "Version/17.5 Safari/605.1.15"},
    {"Safari", "iOS", "mobile", "-",
     "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
     "Gecko) Version/17.5 Mobile/15E148 Safari/604.1"},
    {"Safari", "iOS", "tablet", "-",
     "Mozilla/5.0 (iPad; CPU OS 12_5_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
     "Version/12.1.2 Mobile/15E148 Safari/604.1"},
    {"-", "iOS", "mobile", "-",
     "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148"},
    {"Android Browser", "Android", "mobile", "-",
     "Mozilla/5.0 (Linux; U; Android 4.1.2; en-gb; GT-N7000 Build/JZO54K) AppleWebKit/534.30 "
     "(KHTML, like Gecko) Version/4.0 Mobile Safari/534.30"},
    {"Android Browser", "Android", "tablet", "-",
     "Mozilla/5.0 (Linux; U; Android 4.1.2; en-gb; GT-P3100 Build/JZO54K) AppleWebKit/534.30 "
     "(KHTML, like Gecko) Version/4.0 Safari/534.30"},
    {"Facebook", "iOS", "mobile", "-",
     "Mozilla/5.0 (iPhone; CPU iPhone OS 8_4_1 like Mac OS X) AppleWebKit/600.1.4 (KHTML, like "
     "Gecko) Mobile/12H321 [FBAN/FBIOS;FBAV/38.0.0.6.79;FBBV/14316658]"},
    {"Twitter", "iOS", "mobile", "-",
     "Mozilla/5.0 (iPhone; CPU iPhone OS 7_1_2 like Mac OS X) AppleWebKit/537.51.1 (KHTML, like "
     "Gecko) Mobile/11D257 Twitter for iPhone"},
    {"Google App", "iOS", "mobile", "-",
     "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
     "Gecko) GSA/321.0.641390393 Mobile/15E148 Safari/604.1"},
    {"DuckDuckGo", "macOS", "desktop", "-",
     "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
     "Version/17.4 Safari/605.1.15 Ddg/17.4"},
    {"PhantomJS", "Linux", "-", "-",
     "Mozilla/5.0 (Unknown; Linux x86_64) AppleWebKit/538.1 (KHTML, like Gecko) PhantomJS/2.1.1 "
     "Safari/538.1"},
    {"Epiphany", "Linux", "desktop", "-",
     "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.0 "
     "Safari/605.1.15 Epiphany/605.1.15"},
    // Firefox, and browsers that have its name.
    {"Firefox", "Windows", "desktop", "-",
     "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0"},
    {"Firefox", "macOS", "desktop", "-",
     "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:127.0) Gecko/20100101 Firefox/127.0"},
    {"Firefox", "Linux", "desktop", "-",
     "Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:126.0) Gecko/20100101 Firefox/126.0"},
    {"Firefox", "FreeBSD", "desktop", "-",
     "Mozilla/5.0 (X11; FreeBSD amd64; rv:122.0) Gecko/20100101 Firefox/122.0"},
    {"Firefox", "Android", "mobile", "-",
     "Mozilla/5.0 (Android 14; Mobile; rv:127.0) Gecko/127.0 Firefox/127.0"},
    {"Firefox", "Android", "tablet", "-",
     "Mozilla/5.0 (Android 13; Tablet; rv:109.0) Gecko/109.0 Firefox/118.0"},
    {"Firefox", "iOS", "mobile", "-",
     "Mozilla/5.0 (iPhone; CPU iPhone OS 14_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
     "Gecko) FxiOS/127.0 Mobile/15E148 Safari/605.1.15"},
    {"SeaMonkey", "Windows", "desktop", "-",
     "Mozilla/5.0 (Windows NT 6.1; WOW64; rv:36.0) Gecko/20100101 Firefox/36.0 SeaMonkey/2.33.1"},
    {"Pale Moon", "Windows", "desktop", "-",
     "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:102.0) Gecko/20100101 Goanna/6.7 Firefox/102.0 "
     "PaleMoon/33.1.1"},
    {"Camino", "macOS", "desktop", "-",
     "Mozilla/5.0 (Macintosh; U; Intel Mac OS X 10.6; en; rv:1.9.2.28) Gecko/20120308 "
     "Camino/2.1.2 (like Firefox/3.6.28)"},
    // Internet Explorer.
    {"IE", "Windows", "desktop", "-",
     "Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko"},
    {"IE", "Windows", "desktop", "-", "Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.1; SV1)"},
    {"IE", "Windows", "desktop", "-",
     "Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; Trident/4.0; .NET CLR 2.0; Tablet PC "
     "2.0)"},
    {"IE", "Windows Phone", "mobile", "-",
     "Mozilla/5.0 (Mobile; Windows Phone 8.1; Android 4.0; ARM; Trident/7.0; Touch; rv:11.0; "
     "IEMobile/11.0; NOKIA; Lumia 520) like iPhone OS 7_0_3 Mac OS X AppleWebKit/537 Safari/537"},
    // Televisions and consoles.
    {"Samsung Internet", "Tizen", "tv", "-",
     "Mozilla/5.0 (SMART-TV; LINUX; Tizen 5.5) AppleWebKit/537.36 (KHTML, like Gecko) "
     "SamsungBrowser/2.2 Chrome/63.0.3239.84 TV Safari/537.36"},
    {"Chrome", "webOS", "tv", "-",
     "Mozilla/5.0 (Web0S; Linux/SmartTV) " WEBKIT
     "Chrome/79.0.3945.79 Safari/537.36 WebAppManager"},
    {"Safari", "PlayStation", "console", "-",
     "Mozilla/5.0 (PlayStation; PlayStation 5/2.26) AppleWebKit/605.1.15 (KHTML, like Gecko) "
     "Version/13.0 Safari/605.1.15"},
    // Programs.
    {"curl", "-", "tool", "-", "curl/8.5.0"},
    {"curl", "Linux", "tool", "-", "curl/7.29.0 (x86_64-redhat-linux-gnu) libcurl/7.29.0 Linux"},
    {"PycURL", "-", "tool", "-", "PycURL/7.43.0 zlib/1.2.11"},
    {"Wget", "Linux", "tool", "-", "Wget/1.21.2 (linux-gnu)"},
    {"python-requests", "-", "tool", "-", "python-requests/2.31.0"},
    {"Python-urllib", "-", "tool", "-", "Python-urllib/3.10"},
    {"aiohttp", "-", "tool", "-", "Python/3.11 aiohttp/3.9.3"},
    {"Go-http-client", "-", "tool", "-", "Go-http-client/2.0"},
    {"Java", "-", "tool", "-", "Java/17.0.9"},
    {"Apache-HttpClient", "-", "tool", "-", "Apache-HttpClient/4.5.13 (Java/11.0.20)"},
    {"libwww-perl", "-", "tool", "-", "libwww-perl/6.67"},
    {"PowerShell", "Windows", "tool", "-",
     "Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.19041.4291"},
    {"kube-probe", "-", "tool", "-", "kube-probe/1.28"},
    {"Apache", "Linux", "tool", "-",
     "Apache/2.4.7 (Ubuntu) PHP/5.5.9 OpenSSL/1.0.1f (internal dummy connection)"},
    // Bots, whatever they say they were.
    {"-", "-", "bot", "Googlebot",
     "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"},
    {"-", "-", "bot", "Googlebot",
     "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) " WEBKIT
     "Chrome/125.0.6422.175 Mobile Safari/537.36 (compatible; Googlebot/2.1; "
     "+http://www.google.com/bot.html)"},
    {"-", "-", "bot", "Googlebot", "Googlebot-Image/1.0"},
    {"-", "-", "bot", "AdsBot-Google", "AdsBot-Google (+http://www.google.com/adsbot.html)"},
    {"-", "-", "bot", "bingbot",
     "Mozilla/5.0 " WEBKIT
     "(compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0.1938.76 "
     "Safari/537.36"},
    {"-", "-", "bot", "msnbot", "msnbot-media/1.1 (+http://search.msn.com/msnbot.htm)"},
    {"-", "-", "bot", "Yahoo! Slurp",
     "Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)"},
    {"-", "-", "bot", "YandexBot",
     "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)"},
    {"-", "-", "bot", "Baiduspider",
     "Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)"},
    {"-", "-", "bot", "Applebot",
     "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) "
     "Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)"},
    {"-", "-", "bot", "AhrefsBot",
     "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)"},
    {"-", "-", "bot", "SemrushBot",
     "Mozilla/5.0 (compatible; SemrushBot/7~bl; +http://www.semrush.com/bot.html)"},
    {"-", "-", "bot", "MJ12bot", "Mozilla/5.0 (compatible; MJ12bot/v1.4.8; http://mj12bot.com/)"},
    {"-", "-", "bot", "facebookexternalhit",
     "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)"},
    {"-", "-", "bot", "GPTBot",
     "Mozilla/5.0 " WEBKIT "; compatible; GPTBot/1.2; +https://openai.com/gptbot)"},
    {"-", "-", "bot", "ClaudeBot",
     "Mozilla/5.0 " WEBKIT "; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)"},
    {"-", "-", "bot", "Slackbot", "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)"},
    {"-", "-", "bot", "other", "ExampleBot/2.1 (+https://bot.example.net/)"},
    {"-", "-", "bot", "other", "my-crawler/0.1"},
    // No more is known than what they say, if that.
    {"Chrome", "Android", "mobile", "-",
     "Mozilla/5.0 (Linux; Android 8.1.0; CUBOT_P20) " WEBKIT
     "Chrome/78.0.3904.96 Mobile Safari/537.36"},
    {"-", "Android", "-", "-",
     "Dalvik/2.1.0 (Linux; U; Android 9; SM-G960F Build/PPR1.180610.011)"},
    {"-", "-", "-", "-", "MyApp/1 CFNetwork/1496.0.7 Darwin/23.5.0"},
    {"-", "-", "-", "-", "Mozilla/5.0"},
    {"-", "-", "-", "-", "robotics knowledge curly wgets"},
    {"-", "-", "-", "-", "MyApp/1 (+https://example.org/git/java/)"},
    {"-", "-", "-", "-", "tiny/0.1 (http://people.freebsd.org/~tiny/linux)"},
    {"-", "-", "-", "-", "$&%"},
    {"-", "-", "-", "-", ""},
};

std::string text_of(const AgentFamilies &families) {
  std::string text;
  for (const Bytes family : families) {
    text += (family.data() == nullptr ? "-" : std::string(family)) + "|";
  }
  return text;
}

TEST(Agent, HasTheFamiliesThatItNames) {
  for (int times = 0; times < 2; ++times) {
    for (const Known &known : kKnown) {
      const std::string expected =
          std::string(known.browser) + "|" + known.os + "|" + known.device + "|" + known.bot + "|";
      EXPECT_EQ(text_of(families_of_agent(known.agent)), expected) << known.agent;
      EXPECT_EQ(text_of(remembered_families_of(known.agent)), expected) << known.agent;
    }
  }
}

TEST(Agent, IsReadInAnyCaseOfLetters) {
  for (const Known &known : kKnown) {
    std::string loud = known.agent;
    for (char &c : loud) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 0x20) : c;
    EXPECT_EQ(text_of(families_of_agent(loud)), text_of(families_of_agent(known.agent))) << loud;
  }
}

TEST(Agent, IsRememberedOnlyIfItIsTheVerySame) {
  const std::string pad(2000, 'x');
  for (const char *end : {" curl/8", " Wget/1", " curl/8"}) {
    const std::string agent = pad + end;
    EXPECT_EQ(text_of(remembered_families_of(agent)), text_of(families_of_agent(agent)));
  }
  for (int i = 0; i < 5000; ++i) {
    const std::string agent = (i % 3 == 0 ? "curl/" : "Wget/") + std::to_string(i / 2);
    ASSERT_EQ(text_of(remembered_families_of(agent)), text_of(families_of_agent(agent))) << agent;
  }
}

}  // namespace
}  // namespace mrc
