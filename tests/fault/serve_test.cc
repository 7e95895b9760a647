// The job server: clients that die, jobs that crash or are cancelled, requests that are not
// requests of mrc.
#include "cmd/serve/request.h"
#include "support/process.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <fstream>
#include <memory>

namespace mrc {
namespace {

using std::string;

class Serve : public testing::Test {
 protected:
  Serve() { begin(""); }

  void begin(const string &options) {
    server_ = std::make_unique<Background>(
        fmt::format("$MRC serve --socket {} {} 2>>{}", socket(), options, folder_.path("log")));
    wait_until("the socket", [&] { return connect_to_server(socket()).is_ok(); });
  }
  string socket() const { return folder_.path("sock"); }
  // Its exit status, or 128 and the signal. Standard output is in `out`, messages are in `err`.
  int run(const string &command) const {
    const int status = run_shell(fmt::format("cd {}; {} >out 2>err", folder_.path(""), command));
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }
  int run_served(const string &command) const {
    return run(fmt::format("$MRC --server {} {}", socket(), command));
  }
  string out() const { return folder_.read("out"); }
  string err() const { return folder_.read("err"); }
  string status() const {
    EXPECT_EQ(run("$MRC serve status --socket " + socket()), 0) << err();
    return out();
  }
  i64 jobs() const {
    const string text = status();
    return std::count(text.begin(), text.end(), '\n') - 1;
  }
  // A job that waits for its input: a pipe that `more` keeps open.
  std::unique_ptr<Background> endless(const string &verb = "count") const {
    const i64 before = jobs();
    auto client = std::make_unique<Background>(
        fmt::format("sh -c 'cd {}; exec $MRC --server {} {} fifo >endless 2>&1'", folder_.path(""),
                    socket(), verb));
    wait_until("the job",
               [&] { return jobs() > before && status().find("running") != string::npos; });
    return client;
  }
  void make_fifo() {
    ASSERT_EQ(mkfifo(folder_.path("fifo").c_str(), 0600), 0);
    writer_ = open(folder_.path("fifo").c_str(), O_RDWR | O_CLOEXEC);
  }
  static i64 open_files(pid_t process) {
    return std::distance(std::filesystem::directory_iterator(fmt::format("/proc/{}/fd", process)),
                         {});
  }
  i64 memory() const {
    std::ifstream statm(fmt::format("/proc/{}/statm", server_->id()));
    i64 size = 0, resident = 0;
    statm >> size >> resident;
    return resident * sysconf(_SC_PAGESIZE);
  }
  // The server still works.
  void expect_well() const {
    EXPECT_FALSE(server_->has_ended());
    EXPECT_EQ(run("printf 'b\\na\\nb\\n' | $MRC --server " + socket() + " count"), 0) << err();
    EXPECT_EQ(out(), "a\t1\nb\t2\n");
  }

  TemporaryFolder folder_;
  std::unique_ptr<Background> server_;
  int writer_ = -1;
};

TEST_F(Serve, GivesBytesMessagesAndStatusOfAPlainRun) {
  folder_.write("in.csv", "id,n\n1,x\n2,5\n");
  for (const string command :
       {"count -k id in.csv", "stats -a sum:n in.csv", "count -k none in.csv", "grep -c zzz in.csv",
        "count nowhere in.csv", "select -k id -o written in.csv", "sort in.csv then count",
        "fields in.csv", "plugins list", "nothing"}) {
    const int status = run("$MRC " + command);
    const string expected = out() + "\n" + err();
    EXPECT_EQ(run_served(command), status) << command;
    EXPECT_EQ(out() + "\n" + err(), expected) << command;
  }
}

TEST_F(Serve, TakesUmaskLimitsEnvironmentAndDirectory) {
  folder_.write("in", "a\n");
  EXPECT_EQ(run(fmt::format("umask 027; $MRC --server {} count in -o made", socket())), 0);
  struct stat info;
  ASSERT_EQ(stat(folder_.path("made").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
  const string most = "seq 100000 >in; ulimit -f 8; $MRC --server " + socket();
  EXPECT_NE(run(most + " sort in -o large"), 0);
  EXPECT_FALSE(std::filesystem::exists(folder_.path("large")));
  EXPECT_EQ(
      run("TZ=Asia/Tokyo $MRC --server " + socket() + " select --tz local -k 'hour(time)' in"),
      run("TZ=Asia/Tokyo $MRC select --tz local -k 'hour(time)' in"));
}

TEST_F(Serve, HasASocketForItsUserOnly) {
  struct stat info;
  ASSERT_EQ(stat(socket().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  EXPECT_EQ(run("$MRC serve --socket " + socket()), 2);
  EXPECT_NE(err().find("a server is there already"), string::npos) << err();
  folder_.write("file", "");
  EXPECT_EQ(run("$MRC serve --socket file"), 2);
  EXPECT_NE(err().find("is no socket"), string::npos) << err();
}

TEST_F(Serve, ReplacesTheSocketOfADeadServer) {
  server_->send(SIGKILL);
  server_->wait();
  EXPECT_EQ(run_served("count"), 2);
  EXPECT_NE(err().find("--server"), string::npos) << err();
  begin("");
  expect_well();
}

// As systemd starts it: the socket is file 3, and a message says when the server is ready.
TEST_F(Serve, TakesTheSocketOfSystemd) {
  const auto bound = [&](const string &name, int type) {
    const Result<string> address = socket_address(folder_.path(name));
    const int fd = ::socket(AF_UNIX, type, 0);
    EXPECT_EQ(bind(fd, reinterpret_cast<const sockaddr *>(address->data()),
                   static_cast<socklen_t>(address->size())),
              0);
    return fd;
  };
  const int listener = bound("given", SOCK_SEQPACKET), ready = bound("ready", SOCK_DGRAM);
  ASSERT_EQ(listen(listener, 1), 0);
  Background started(fmt::format(
      "sh -c 'LISTEN_FDS=1 LISTEN_PID=$$ NOTIFY_SOCKET={} exec $MRC serve --socket {} 3<&{} 2>{}'",
      folder_.path("ready"), folder_.path("unused"), listener, folder_.path("log")));
  char state[64];
  EXPECT_EQ(string(state, static_cast<size_t>(recv(ready, state, sizeof state, 0))), "READY=1");
  EXPECT_NE(folder_.read("log").find("serves at the socket of systemd"), string::npos);
  EXPECT_EQ(run(fmt::format("echo a | $MRC --server {} count", folder_.path("given"))), 0);
  EXPECT_EQ(out(), "a\t1\n");
  started.send(SIGTERM);
  EXPECT_EQ(started.wait(), 0);
  EXPECT_FALSE(std::filesystem::exists(folder_.path("unused")));
  EXPECT_TRUE(std::filesystem::exists(folder_.path("given")));
  close(listener);
  close(ready);
}

TEST_F(Serve, FallsBackIfTheEnvironmentNamesNoServer) {
  EXPECT_EQ(run("echo a | MRC_SERVER=nowhere $MRC count"), 0);
  EXPECT_EQ(out(), "a\t1\n");
  EXPECT_NE(err().find("MRC_SERVER: no server at nowhere"), string::npos) << err();
  EXPECT_EQ(run("echo a | MRC_SERVER=nowhere $MRC count -q"), 0);
  EXPECT_EQ(err(), "");
  EXPECT_EQ(run("$MRC --server nowhere count"), 2);
  EXPECT_EQ(run("$MRC --server"), 2);
}

TEST_F(Serve, EndsTheJobsOfClientsThatDie) {
  make_fifo();
  const auto client = endless("count -o made");
  client->send(SIGKILL);
  client->wait();
  wait_until("the end of the job", [&] { return jobs() == 0; });
  EXPECT_FALSE(std::filesystem::exists(folder_.path("made")));
  expect_well();
}

TEST_F(Serve, PassesSignalsOn) {
  make_fifo();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const auto client = endless();
    client->send(signal);
    const int status = client->wait();
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal) << status;
  }
  const auto client = endless("count --follow");  // SIGINT ends its input only
  client->send(SIGINT);
  EXPECT_EQ(client->wait(), 0) << folder_.read("endless");
  expect_well();
}

TEST_F(Serve, CancelsJobs) {
  make_fifo();
  const auto client = endless();
  const string table = status();
  const size_t line = table.find('\n') + 1;
  const string id = table.substr(line, table.find('\t', line) - line);
  EXPECT_EQ(run("$MRC serve cancel " + id + " --socket " + socket()), 0) << err();
  EXPECT_EQ(WTERMSIG(client->wait()), SIGTERM);
  EXPECT_EQ(run("$MRC serve cancel " + id + " --socket " + socket()), 2);
  EXPECT_NE(err().find("there is no job"), string::npos) << err();
  expect_well();
}

TEST_F(Serve, SurvivesPluginsThatCrash) {
  string lines;
  for (int i = 0; i < 1000; ++i) lines += "line\n";
  folder_.write("in", lines + "die\n");
  EXPECT_NE(
      run_served("run --force-plugin " MRC_TEST_PLUGINS "/deadly.so deadly --set how=crash in"), 0);
  expect_well();
}

TEST_F(Serve, LetsShortJobsRunBesideLongOnes) {
  make_fifo();
  std::vector<std::unique_ptr<Background>> clients;
  for (int i = 0; i < 7; ++i) clients.push_back(endless());
  expect_well();
  for (const auto &client : clients) client->send(SIGTERM);
  for (const auto &client : clients) client->wait();
}

TEST_F(Serve, EndsWhenItsJobsHaveEnded) {
  make_fifo();
  const auto client = endless();
  server_->send(SIGTERM);
  wait_until("the removal of the socket", [&] { return access(socket().c_str(), F_OK) != 0; });
  EXPECT_FALSE(server_->has_ended());
  ASSERT_EQ(write(writer_, "a\n", 2), 2);
  close(writer_);
  EXPECT_EQ(client->wait(), 0);
  EXPECT_EQ(server_->wait(), 0);
  EXPECT_EQ(folder_.read("endless"), "a\t1\n");
}

TEST_F(Serve, EndsItsJobsAtTheSecondSignal) {
  make_fifo();
  const auto client = endless();
  server_->send(SIGTERM);
  wait_until("the removal of the socket", [&] { return access(socket().c_str(), F_OK) != 0; });
  server_->send(SIGTERM);
  EXPECT_EQ(WTERMSIG(client->wait()), SIGTERM);
  EXPECT_EQ(server_->wait(), 0);
}

TEST_F(Serve, RefusesMoreMemoryThanAShare) {
  server_->send(SIGTERM);
  server_->wait();
  begin("--memory 80M --jobs 8");
  EXPECT_EQ(run_served("count --memory 1G"), 2);
  EXPECT_NE(err().find("more than the 10485760"), string::npos) << err();
  expect_well();
}

// Other messages, parts of requests, and damaged requests.
TEST_F(Serve, DoesNothingForRequestsThatAreNone) {
  Random random(first_seed());
  ServedJob job = ServedJob::of_this_process({"count", "-o", "made", "in"});
  const string text = job.to_text();
  const i64 before = open_files(server_->id());
  for (int i = 0; i < 2000; ++i) {
    const Result<Channel> channel = connect_to_server(socket());
    ASSERT_TRUE(channel.is_ok());
    const int file = STDERR_FILENO;
    std::vector<int> files(static_cast<size_t>(pick(random, 0, 4)), file);
    string first = one_of(
        random, std::vector<string>{message_of({"mrc", protocol_version(), "job",
                                                std::to_string(text.size() + pick(random, 0, 1))}),
                                    message_of({"mrc", "another", "job", "1"}),
                                    message_of({"mrc", protocol_version(), "cancel", "99"}),
                                    message_of({"mrc", protocol_version()}), string("x")});
    if (one_in(random, 2)) {
      first[static_cast<size_t>(pick(random, 0, std::ssize(first) - 1))] ^=
          static_cast<char>(pick(random, 1, 255));
    }
    channel->send(first, files);
    if (one_in(random, 2)) channel->send(text.substr(0, pick(random, 0, std::ssize(text) - 1)));
    if (one_in(random, 2))
      channel->send(message_of({"signal", std::to_string(pick(random, 0, 64))}));
  }
  wait_until("the end of the requests", [&] { return open_files(server_->id()) <= before; });
  EXPECT_EQ(jobs(), 0);
  EXPECT_FALSE(std::filesystem::exists(folder_.path("made")));
  expect_well();
}

TEST_F(Serve, TellsOtherVersionsApart) {
  const Result<Channel> channel = connect_to_server(socket());
  ASSERT_TRUE(channel.is_ok());
  channel->send(message_of({"mrc", "mrc 0.0.1", "job", "10"}));
  Channel::Message message;
  ASSERT_EQ(channel->receive(&message, true), Channel::Got::message);
  EXPECT_EQ(message.text, message_of({"other", protocol_version()}));
}

TEST_F(Serve, KeepsNothingOfJobsThatHaveEnded) {
  string lines;
  for (int i = 0; i < 200; ++i) lines += fmt::format("{}\n", i % 7);
  folder_.write("in", lines);
  const string loop = fmt::format(
      "{{ for client in 1 2 3 4 5 6 7 8; do (i=0; while [ $i -lt 15 ]; do $MRC --server {} count "
      "in; "
      "i=$((i + 1)); done | sort | uniq -c) & done; wait; }}",
      socket());
  ASSERT_EQ(run(loop), 0);
  const i64 files = open_files(server_->id()), bytes = memory();
  ASSERT_EQ(run(loop), 0);
  const string text = out();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 8 * 7);
  EXPECT_NE(text.find(" 15 0\t29\n"), string::npos) << text;
  EXPECT_LE(open_files(server_->id()), files);
  EXPECT_LT(memory(), bytes + (i64{1} << 20));
  EXPECT_EQ(err(), "");
}

}  // namespace
}  // namespace mrc
