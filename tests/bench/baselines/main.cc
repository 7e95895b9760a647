// baselines PROGRAM INPUT... [NUMBER...]: see baselines.h.
#include "baselines.h"

namespace {

struct Program {
  const char *name;
  void (*run)(const Arguments &arguments);
  size_t least;  // arguments
};

constexpr Program kPrograms[] = {
    {"histogram", histogram, 1},
    {"inverted_index", inverted_index, 1},
    {"kmeans", kmeans, 2},
    {"linear_regression", linear_regression, 1},
    {"matrix_multiply", matrix_multiply, 2},
    {"pca", pca, 1},
    {"string_match", string_match, 1},
    {"word_count", word_count, 1},
};

}  // namespace

int main(int argc, char **argv) {
  for (const Program &program : kPrograms) {
    if (argc < 2 || std::strcmp(argv[1], program.name) != 0) continue;
    const Arguments arguments(argv + 2, argv + argc);
    if (arguments.size() < program.least) break;
    program.run(arguments);
    return 0;
  }
  std::fprintf(stderr,
               "usage: baselines histogram FILE\n"
               "       baselines inverted_index FILE\n"
               "       baselines kmeans FILE CLUSTERS [ROUNDS]\n"
               "       baselines linear_regression FILE\n"
               "       baselines matrix_multiply FILE FILE\n"
               "       baselines pca FILE\n"
               "       baselines string_match FILE [KEY...]\n"
               "       baselines word_count FILE\n");
  return 2;
}
