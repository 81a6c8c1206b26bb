// The service's side of desk-start, tested against a simulated program: ends with 1 and the line of the first
// failed check.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <string_view>

#include "start/client.h"
#include "start/protocol.h"

namespace {

using desk::Passed;
using desk::Result;
using desk::StartAnswer;
using desk::StartRequest;
using desk::StartWhat;

void Check(bool holds, int line = __builtin_LINE()) {
  if (holds) return;
  std::printf("line %d\n", line);
  std::exit(EXIT_FAILURE);
}

// Our end of a channel; the client has the other end.
int Begin() {
  Result<desk::StarterChannel> channel = desk::MakeStarterChannel();
  Check(channel.ok());
  const int ours = channel->ours.get();
  const int theirs = channel->theirs.get();
  (*channel).ours.Release();
  (*channel).theirs.Release();
  desk::UseStarter(ours);
  return theirs;
}

StartRequest Asked(int channel) {
  StartRequest request;
  Passed given;
  Check(desk::ReceiveMessage(channel, std::as_writable_bytes(std::span(&request, 1)), given) == 0);
  return request;
}

void Answer(int channel, const StartAnswer& answer, std::span<const int> fds = {}) {
  Check(desk::SendMessage(channel, std::as_bytes(std::span(&answer, 1)), fds) == 0);
}

Result<StartAnswer> Ask(StartWhat what, Passed& passed) {
  return desk::AskStarter({.what = what}, {}, passed);
}

Result<StartAnswer> Ask(StartWhat what = StartWhat::kMail) {
  Passed passed;
  return Ask(what, passed);
}

// Sends a request while `answer` plays desk-start.
template <typename Work>
Result<StartAnswer> AskWhile(StartWhat what, Work answer) {
  auto answered = std::async(std::launch::async, answer);
  Result<StartAnswer> result = Ask(what);
  answered.get();
  return result;
}

Result<StartAnswer> AskAndAnswer(int channel, const StartAnswer& answer) {
  return AskWhile(
      StartWhat::kMail,
      [&] {
        Asked(channel);
        Answer(channel, answer);
      });
}

void RefusedRequest() {
  const int channel = Begin();
  const Result<StartAnswer> refused = AskAndAnswer(channel, {.error = EAGAIN, .pid = 0});
  Check(!refused && refused.error() == EAGAIN);
  const Result<StartAnswer> started = AskAndAnswer(channel, {.error = 0, .pid = 7});
  Check(started && started->pid == 7);
}

// As if the machine was stopped for five seconds.
void LateAnswer() {
  const int channel = Begin();
  auto asked = std::async(std::launch::async, [] { return Ask(StartWhat::kPeek); });
  // The main thread may ask for these at any time.
  while (asked.wait_for(std::chrono::milliseconds(100)) != std::future_status::ready) {
    const auto before = std::chrono::steady_clock::now();
    Check(desk::TakeLateChildren().empty());
    Check(std::chrono::steady_clock::now() - before < std::chrono::seconds(1));
  }
  const Result<StartAnswer> none = asked.get();
  Check(!none && none.error() == ETIMEDOUT);
  // Until then no request is sent, and none is waited for.
  Check(Ask().error() == ETIMEDOUT);
  Check(Asked(channel).what == StartWhat::kPeek);
  const pid_t late = ::fork();
  if (late == 0) {
    ::pause();
    ::_exit(EXIT_SUCCESS);
  }
  Answer(channel, {.error = 0, .pid = late});
  const Result<StartAnswer> started = AskAndAnswer(channel, {.error = 0, .pid = 7});
  Check(started && started->pid == 7);
  // The process that the late answer started has no caller any more.
  const std::vector<pid_t> children = desk::TakeLateChildren();
  Check(children == std::vector<pid_t>{late});
  Check(desk::TakeLateChildren().empty());
  int status = 0;
  Check(::waitpid(late, &status, 0) == late && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

void NoDescriptorFree() {
  const int channel = Begin();
  const int given = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  Result<StartAnswer> cut = AskWhile(StartWhat::kNetwork, [&] {
    Asked(channel);
    const rlimit none{.rlim_cur = 3, .rlim_max = before.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &none);
    Answer(channel, {}, {&given, 1});
  });
  ::setrlimit(RLIMIT_NOFILE, &before);
  Check(!cut && cut.error() == EBADMSG);
  const Result<StartAnswer> started = AskAndAnswer(channel, {.error = 0, .pid = 7});
  Check(started && started->pid == 7);
}

void Ended() {
  const int channel = Begin();
  ::close(channel);
  Check(Ask().error() == ENOTCONN);
  Check(Ask().error() == ENOTCONN);
  const int other = Begin();
  const Result<StartAnswer> unanswered = AskWhile(StartWhat::kMail, [&] {
    Asked(other);
    ::close(other);
  });
  Check(!unanswered && unanswered.error() == ENOTCONN);
  Check(Ask().error() == ENOTCONN);
}

}  // namespace

int main(int count, char** words) {
  const std::string_view what = count == 2 ? words[1] : "";
  if (what == "refused") RefusedRequest();
  if (what == "late") LateAnswer();
  if (what == "descriptors") NoDescriptorFree();
  if (what == "ended") Ended();
  return EXIT_SUCCESS;
}
