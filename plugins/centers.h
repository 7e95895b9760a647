// Movies as vectors of ratings. Finds the nearest of a few movies, the centers, by the cosine of
// the angle.
//
// A movie has a coordinate for each user. The cosine of two movies is their product divided by the
// product of their lengths; the length of the movie itself is the same for all centers. Products
// and squared lengths are integers, and fractions of integers are compared exactly, so the nearest
// center does not depend on the order of additions.
//
// The centers are a hash table of users, each with a row of stars by center. So a rating of a movie
// costs one look-up for any number of centers.
#pragma once

#include "ratings.h"

#include <cmath>
#include <vector>

class Centers {
 public:
  // The cosine of a movie and its center is product / sqrt(square of movie * square of center).
  struct Nearest {
    int64_t center = -1;  // the first of the nearest; -1: no user rated both
    int64_t product = 0;
    int64_t square = 0;  // of the movie
  };

  explicit Centers(const std::vector<std::vector<rating>> &movies)
      : count_(movies.size()), squares_(movies.size()) {
    size_t entries = 0;
    for (const auto &movie : movies) entries += movie.size();
    size_t slots = 16;
    while (slots < entries * 2) slots *= 2;
    users_.assign(slots, -1);
    stars_.assign(slots * count_, 0);
    for (size_t center = 0; center < count_; ++center) add(center, movies[center]);
  }

  size_t size() const { return count_; }

  // Reads a line of ratings. `products` is a buffer of size() words.
  Nearest find(ratings *line, std::vector<int64_t> *products) const {
    Nearest found;
    products->assign(count_, 0);
    for (rating next; ratings_next(line, &next) != 0;) {
      found.square += next.stars * next.stars;
      const size_t slot = slot_of(next.user);
      if (users_[slot] < 0) continue;
      const signed char *row = stars_.data() + slot * count_;
      for (size_t i = 0; i < count_; ++i) (*products)[i] += next.stars * row[i];
    }
    for (size_t i = 0; i < count_; ++i) {
      const int64_t product = (*products)[i];
      if (product == 0) continue;
      if (found.center < 0 || nearer(product, squares_[i], found.product, square(found.center))) {
        found.center = static_cast<int64_t>(i);
        found.product = product;
      }
    }
    return found;
  }

  double cosine(const Nearest &found) const {
    return static_cast<double>(found.product) /
           std::sqrt(static_cast<double>(found.square) * static_cast<double>(square(found.center)));
  }

 private:
  // True if a / sqrt(a_square) > b / sqrt(b_square).
  static bool nearer(__int128 a, int64_t a_square, __int128 b, int64_t b_square) {
    return a * a * b_square > b * b * a_square;
  }

  int64_t square(int64_t center) const { return squares_[static_cast<size_t>(center)]; }

  // Returns the slot of a user, or the empty one where it belongs. Users are not negative.
  size_t slot_of(int64_t user) const {
    const size_t mask = users_.size() - 1;
    size_t slot = (static_cast<uint64_t>(user) * 0x9E3779B97F4A7C15 >> 32) & mask;
    while (users_[slot] >= 0 && users_[slot] != user) slot = (slot + 1) & mask;
    return slot;
  }

  // If a user has rated a movie twice, the last rating counts.
  void add(size_t center, const std::vector<rating> &movie) {
    for (const rating &one : movie) {
      const size_t slot = slot_of(one.user);
      users_[slot] = one.user;
      signed char &stars = stars_[slot * count_ + center];
      squares_[center] += one.stars * one.stars - stars * stars;
      stars = static_cast<signed char>(one.stars);
    }
  }

  size_t count_;
  std::vector<int64_t> squares_;  // of the lengths of centers
  std::vector<int64_t> users_;    // by slot; -1: empty
  std::vector<signed char> stars_;
};

// Returns the ratings of a line. Empty, with line->wrong set, if the line is invalid.
inline std::vector<rating> take_ratings(ratings *line) {
  std::vector<rating> all;
  for (rating next; ratings_next(line, &next) != 0;) all.push_back(next);
  if (line->wrong != nullptr) all.clear();
  return all;
}
