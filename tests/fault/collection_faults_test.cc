// Archives and databases that are cut off, locked, changed or damaged.
#include "base/int.h"
#include "support/process.h"
#include "support/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

namespace mrc {
namespace {

using std::string;

class CollectionFaults : public testing::Test {
 protected:
  // Runs mrc in the folder. Returns its exit status.
  int run(const string &arguments) const {
    return WEXITSTATUS(shell(fmt::format("timeout 60 $MRC {} >out 2>err", arguments)));
  }
  int shell(const string &command) const {
    return run_shell(fmt::format("cd {} && {}", folder_.path("."), command));
  }
  // Makes a table of so many rows, whose sum of n is known.
  void make_table(i64 rows) const {
    sqlite3 *database = open("x.db");
    execute(database, "PRAGMA page_size=512; CREATE TABLE t(n, pad)");
    execute(database, fmt::format("WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c "
                                  "WHERE n < {}) INSERT INTO t SELECT n, 'padding of a row' FROM c",
                                  rows));
    sqlite3_close(database);
  }
  sqlite3 *open(const string &name) const {
    sqlite3 *database = nullptr;
    EXPECT_EQ(sqlite3_open(folder_.path(name).c_str(), &database), SQLITE_OK);
    return database;
  }
  static void execute(sqlite3 *database, const string &sql) {
    char *error = nullptr;
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &error), SQLITE_OK) << error;
  }
  bool said(const string &text) const { return folder_.read("err").find(text) != string::npos; }

  const TemporaryFolder folder_;
};

TEST_F(CollectionFaults, WhatLiesBeforeTheCutOfAnArchiveIsUsed) {
  shell("for i in $(seq 9); do yes line | head -n 5000 >f$i; done; tar -cf a.tar f?");
  shell(
      "gzip -k a.tar; for i in a.tar a.tar.gz; do s=$(stat -c %s $i); head -c $((s * 2 / 3)) $i "
      ">short.$i; done");
  EXPECT_EQ(run("count a.tar"), 0);
  EXPECT_EQ(folder_.read("out"), "line\t45000\n");
  for (const char *name : {"short.a.tar", "short.a.tar.gz"}) {
    for (const char *threads : {"-j1", "-j3"}) {
      EXPECT_EQ(run(fmt::format("count {} {}", threads, name)), 3) << name;
      EXPECT_TRUE(said(name)) << folder_.read("err");
      // At least the members that lie wholly before the cut.
      const string out = folder_.read("out");
      const i64 lines = out.starts_with("line\t") ? std::stoll(out.substr(5)) : 0;
      EXPECT_GE(lines, 20000) << name;
      EXPECT_LT(lines, 45000) << name;
    }
  }
}

TEST_F(CollectionFaults, ALockedDatabaseIsNamed) {
  make_table(10);
  sqlite3 *writer = open("x.db");
  execute(writer, "BEGIN EXCLUSIVE");
  EXPECT_EQ(run("stats -a sum:n 'sqlite:x.db?table=t'"), 2);
  EXPECT_TRUE(said("x.db: SQLite says: database is locked")) << folder_.read("err");
  execute(writer, "COMMIT");
  EXPECT_EQ(run("stats -a sum:n 'sqlite:x.db?table=t'"), 0);
  sqlite3_close(writer);
}

TEST_F(CollectionFaults, ADatabaseWithALogIsReadAsItIs) {
  make_table(10);
  sqlite3 *writer = open("x.db");
  execute(writer,
          "PRAGMA journal_mode=wal; INSERT INTO t VALUES(100, ''); BEGIN IMMEDIATE; "
          "INSERT INTO t VALUES(1000, '')");
  EXPECT_EQ(run("stats -a sum:n 'sqlite:x.db?table=t'"), 0) << folder_.read("err");
  EXPECT_EQ(folder_.read("out"), "155\n");
  execute(writer, "COMMIT");
  EXPECT_EQ(run("stats -a sum:n 'sqlite:x.db?table=t'"), 0);
  EXPECT_EQ(folder_.read("out"), "1155\n");
  sqlite3_close(writer);
}

TEST_F(CollectionFaults, DamageInADatabaseIsNamedAndTheRestUsed) {
  make_table(20000);
  EXPECT_EQ(run("stats -a count 'sqlite:x.db?table=t'"), 0);
  EXPECT_EQ(folder_.read("out"), "20000\n");
  shell(
      "cp x.db y.db && s=$(stat -c %s x.db) && yes damage | head -c 20480 | "
      "dd of=y.db bs=512 seek=$((s / 1024)) iflag=fullblock conv=notrunc status=none");
  EXPECT_EQ(run("stats -a count 'sqlite:y.db?table=t'"), 3);
  EXPECT_TRUE(said("y.db: SQLite says: database disk image is malformed")) << folder_.read("err");
  shell("s=$(stat -c %s x.db) && head -c $((s / 1024 * 512)) x.db >z.db");
  EXPECT_NE(run("stats -a count 'sqlite:z.db?table=t'"), 0);
  EXPECT_TRUE(said("z.db: SQLite says: ")) << folder_.read("err");
}

TEST_F(CollectionFaults, AnArchiveThatIsGoneMeanwhileIsNamed) {
  shell("seq 9 >f; tar -cf a.tar f; rm -f a.zip");
  EXPECT_EQ(run("count no.tar:f"), 2);
  EXPECT_TRUE(said("no.tar:f: No such file or directory")) << folder_.read("err");
}

}  // namespace
}  // namespace mrc
