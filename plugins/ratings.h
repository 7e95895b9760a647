/* Ratings of movies, the input of four programs of MaRCO. A line for each movie,
 *
 *     MOVIE:USER_RATING,USER_RATING,...
 *
 * as in the PUMA benchmarks, which made such lines from the Netflix data. MOVIE is any text
 * without ':' and ','. USER is a number of up to 18 digits, and RATING one from 1 to 5. Blanks
 * may follow ':' and ',', and a ',' may be last. Lines may be of any length. */
#ifndef MRC_PLUGINS_RATINGS_H
#define MRC_PLUGINS_RATINGS_H

#include "mrc_plugin.h"

#define MOST_STARS 5

typedef struct rating {
  int64_t user, stars;
} rating;

/* The ratings of a line, read one by one. */
typedef struct ratings {
  mrc_text movie;
  int64_t taken;
  const char *wrong; /* set after the last rating: why the line is invalid, or NULL */
  const char *at, *end;
} ratings;

static inline void ratings_begin(ratings *all, mrc_text line) {
  const char *colon = line.size == 0 ? NULL : (const char *)memchr(line.data, ':', line.size);
  memset(all, 0, sizeof *all);
  if (colon == NULL || colon == line.data ||
      memchr(line.data, ',', (size_t)(colon - line.data)) != NULL) {
    all->wrong = "not MOVIE:USER_RATING,...";
    return;
  }
  all->movie.data = line.data;
  all->movie.size = (size_t)(colon - line.data);
  all->at = colon + 1;
  all->end = line.data + line.size;
}

static inline int ratings_end(ratings *all, const char *wrong) {
  all->wrong = wrong;
  all->at = all->end;
  return 0;
}

/* Returns 1 and sets *next if there is another rating. */
static inline int ratings_next(ratings *all, rating *next) {
  const char *at = all->at, *const end = all->end, *digits;
  while (at < end && *at == ' ') ++at;
  if (at == end) {
    if (all->wrong != NULL) return 0;
    return ratings_end(all, all->taken == 0 ? "no ratings" : NULL);
  }
  next->user = 0;
  for (digits = at; at < end && (unsigned char)(*at - '0') < 10; ++at) {
    if (at - digits == 18) return ratings_end(all, "a user of more than 18 digits");
    next->user = next->user * 10 + (*at - '0');
  }
  if (at == digits || end - at < 2 || *at != '_') return ratings_end(all, "not USER_RATING");
  next->stars = at[1] - '0';
  at += 2;
  if (next->stars < 1 || next->stars > MOST_STARS || (at < end && *at != ',')) {
    return ratings_end(all, "a rating that is not 1 to 5");
  }
  all->at = at + (at < end);
  ++all->taken;
  return 1;
}

#endif
