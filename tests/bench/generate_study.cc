// generate_study TABLE MEGABYTES FILE: the tables of the tasks of the in-depth study (5.3), the
// same on every machine.
//   grep      records of 100 bytes with their end; one of 10,000 has XYZ in it
//   rankings  pageURL,pageRank,avgDuration with a header; one of 500 has a rank above 10
//   visits    sourceIP,destURL,visitDate,adRevenue,userAgent,countryCode,languageCode,searchWord,
//             duration with a header. Clients: one for 75 visits, 2,000 at least, whose addresses
//             have 2,000 beginnings of seven bytes. Dates: 30 years from 1980 on, all as likely.
//             Pages: those of rankings with a fifth of the megabytes.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

namespace {

using Random = std::mt19937_64;

constexpr long kRanking = 52, kVisit = 133;  // bytes of a record, on average

std::string make_word(uint64_t seed, uint64_t letters) {
  std::string word;
  for (uint64_t state = seed; word.size() < letters; state = state * 6364136223846793005 + 1) {
    word += static_cast<char>('a' + (state >> 40) % 26);
  }
  return word;
}

// Different pages have different addresses, of 20 to 70 bytes.
std::string url_of(uint64_t page) {
  const uint64_t seed = (page + 1) * 0x9E3779B97F4A7C15;
  return fmt::format("http://{}.example/{}/{}", make_word(seed, 4), make_word(~seed, seed % 45),
                     page);
}

long pages_for(long bytes) { return std::max(bytes / kRanking, 10L); }

void write_grep(long bytes, std::FILE *file) {
  Random random(21);
  for (long row = 0; row < bytes / 100; ++row) {
    std::string line = fmt::format("{:010} ", row);
    while (line.size() < 99) line += static_cast<char>('a' + random() % 26);
    if (row % 10000 == 5000) line.replace(40, 3, "XYZ");
    fmt::print(file, "{}\n", line);
  }
}

void write_rankings(long bytes, std::FILE *file) {
  Random random(22);
  fmt::print(file, "pageURL,pageRank,avgDuration\n");
  for (long page = 0; page < pages_for(bytes); ++page) {
    const double u = std::max(std::generate_canonical<double, 53>(random), 1e-9);
    const auto rank = static_cast<long>(std::pow(u, -1 / 2.59));
    fmt::print(file, "{},{},{}\n", url_of(static_cast<uint64_t>(page)), rank, 1 + random() % 100);
  }
}

std::string address_of(uint64_t client) {
  return fmt::format("{}.{}.{}.{}", 100 + client % 100, 100 + client / 100 % 20,
                     client / 2000 % 256, client / 512000 % 256);
}

std::string date_of(uint64_t day) {
  using namespace std::chrono;
  const year_month_day date = sys_days(1980y / January / 1) + days(day);
  return fmt::format("{}-{:02}-{:02}", int(date.year()), unsigned(date.month()),
                     unsigned(date.day()));
}

void write_visits(long bytes, std::FILE *file) {
  constexpr uint64_t kDays = 10958;
  constexpr const char *kPlaces[] = {"USA,USA-EN", "DEU,DEU-DE", "FRA,FRA-FR", "JPN,JPN-JA",
                                     "BRA,BRA-PT", "IND,IND-EN", "MEX,MEX-ES", "POL,POL-PL"};
  const long rows = std::max(bytes / kVisit, 100L);
  const auto pages = static_cast<uint64_t>(pages_for(bytes / 5));
  const uint64_t clients = std::max<uint64_t>(static_cast<uint64_t>(rows) / 75, 2000);
  Random random(23);
  fmt::print(file,
             "sourceIP,destURL,visitDate,adRevenue,userAgent,countryCode,languageCode,searchWord,"
             "duration\n");
  for (long row = 0; row < rows; ++row) {
    const uint64_t cents = random() % 100000;
    fmt::print(file, "{},{},{},{}.{:02},Mozilla/{}.0 ({}),{},{},{}\n",
               address_of(random() % clients), url_of(random() % pages), date_of(random() % kDays),
               cents / 100, cents % 100, 4 + random() % 5, make_word(random() % 30, 12),
               kPlaces[random() % 8], make_word(random() % 10000, 8), 1 + random() % 10);
  }
}

}  // namespace

int main(int argc, char **argv) {
  const std::string table = argc == 4 ? argv[1] : "";
  const auto write = table == "grep"       ? write_grep
                     : table == "rankings" ? write_rankings
                     : table == "visits"   ? write_visits
                                           : nullptr;
  const long megabytes = write == nullptr ? 0 : std::atol(argv[2]);
  std::FILE *file = megabytes > 0 ? std::fopen(argv[3], "wb") : nullptr;
  if (file == nullptr) {
    fmt::print(stderr, "usage: generate_study grep|rankings|visits MEGABYTES FILE\n");
    return 2;
  }
  write(megabytes * 1000000, file);
  return std::fclose(file) == 0 ? 0 : 1;
}
