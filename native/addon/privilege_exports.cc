#include "addon/privilege_exports.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <memory>
#include <string>
#include <vector>

#include "act/own_child.h"
#include "addon/boundary.h"
#include "privilege/privileges.h"
#include "start/client.h"
#include "start/protocol.h"

namespace desk::addon {
namespace {

constexpr int kControl = 3;

// Words for execve(2) over an array of strings.
class Words {
 public:
  explicit Words(std::vector<std::string> texts) : texts_(std::move(texts)) {
    for (std::string& text : texts_) words_.push_back(text.data());
    words_.push_back(nullptr);
  }
  char* const* get() const { return words_.data(); }
  const char* first() const { return words_.front(); }

 private:
  std::vector<std::string> texts_;
  std::vector<char*> words_;
};

std::vector<std::string> StringsArgument(const Napi::CallbackInfo& info, std::size_t index,
                                         const char* name) {
  if (!info[index].IsArray())
    throw Napi::TypeError::New(info.Env(), std::string(name) + " must be an array of strings");
  const auto array = info[index].As<Napi::Array>();
  std::vector<std::string> texts;
  for (std::uint32_t at = 0; at < array.Length(); ++at) {
    const Napi::Value value = array.Get(at);
    if (!value.IsString())
      throw Napi::TypeError::New(info.Env(), std::string(name) + " must be an array of strings");
    texts.push_back(value.As<Napi::String>().Utf8Value());
  }
  return texts;
}

// A desk-start that this process has started: ended and reaped, unless it is to outlive this.
class StartedStarter {
 public:
  StartedStarter() = default;
  StartedStarter(const StartedStarter&) = delete;
  StartedStarter& operator=(const StartedStarter&) = delete;
  ~StartedStarter() {
    if (pid_ <= 0) return;
    KillChild(pid_);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }

  // Starts it and waits until it is ready; 0 or an errno: EPIPE when it ended before, ETIMEDOUT when it said
  // nothing.
  int Start(const Words& words, const Words& environment) {
    Result<StarterChannel> made = MakeStarterChannel();
    if (!made) return made.error();
    StarterChannel& channel = *made;
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      ::posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
    ::posix_spawn_file_actions_adddup2(&actions, channel.theirs.get(), kControl);
    ::posix_spawn_file_actions_addchdir_np(&actions, "/");
    pid_t pid = 0;
    const int error = ::posix_spawn(&pid, words.first(), &actions, nullptr, words.get(), environment.get());
    ::posix_spawn_file_actions_destroy(&actions);
    if (error != 0) return error;
    pid_ = pid;
    socket_ = std::move(channel.ours);
    // Else nothing would report that it ended before it was ready.
    channel.theirs = Fd();
    StartAnswer answer;
    Passed passed;
    const int failed = ReceiveMessage(socket_.get(), std::as_writable_bytes(std::span(&answer, 1)), passed);
    return failed == EAGAIN ? ETIMEDOUT : failed;
  }

  int socket() const { return socket_.get(); }
  pid_t pid() const { return pid_; }

 private:
  Fd socket_;
  pid_t pid_ = 0;
};

// becomeLimited(kept, program, environment, starter, starterEnvironment): Refusal
Napi::Value BecomeLimited(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  Capabilities kept = 0;
  for (const std::int32_t capability : Int32Argument(info, 0, "kept")) kept |= CapabilityBits({capability});
  const Words program(StringsArgument(info, 1, "program"));
  std::vector<std::string> environment = StringsArgument(info, 2, "environment");
  const std::vector<std::string> starter_words = StringsArgument(info, 3, "starter");
  const Words starter_environment(StringsArgument(info, 4, "starterEnvironment"));
  StartedStarter starter;
  if (!starter_words.empty()) {
    if (const int error = starter.Start(Words(starter_words), starter_environment); error != 0)
      return RefusalValue(env, error, "desk-start");
    ::fcntl(starter.socket(), F_SETFD, 0);
    environment.push_back("DESK_STARTER=" + std::to_string(starter.socket()) + ":" +
                          std::to_string(starter.pid()));
  }
  if (const int error = ForbidCoreDumps(); error != 0) return RefusalValue(env, error, "coredump_filter");
  // Kernels before 5.11 charge BPF programs and maps to this limit, which only CAP_SYS_RESOURCE raises.
  const rlimit unlimited{.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
  ::setrlimit(RLIMIT_MEMLOCK, &unlimited);
  if (const int error = LimitPrivileges({.kept = kept, .bounding = kept}); error != 0)
    return RefusalValue(env, error, "capset");
  // Node has them closed at execve(2), and makes pipes non-blocking; both are undone.
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    const int flags = ::fcntl(fd, F_GETFL);
    if (flags >= 0) ::fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
    ::fcntl(fd, F_SETFD, 0);
  }
  const Words all(std::move(environment));
  ::execve(program.first(), program.get(), all.get());
  return RefusalValue(env, errno, program.first());
}

// useStarter(fd)
void TakeStarter(const Napi::CallbackInfo& info) {
  UseStarter(static_cast<int>(IntegerArgument(info, 0, "fd", 3, INT_MAX)));
}

// Asks desk-start on a thread of the pool: an answer may take seconds. Settled with `Value`.
class Question : public Napi::AsyncWorker {
 public:
  static Napi::Promise Ask(std::unique_ptr<Question> question) {
    const Napi::Promise promise = question->deferred_.Promise();
    question->Queue();
    // It ends itself when it is done.
    static_cast<void>(question.release());
    return promise;
  }

 protected:
  Question(Napi::Env env, const char* name) : Napi::AsyncWorker(env, name), deferred_(env) {}

  virtual Napi::Value Value() = 0;

 private:
  void OnOK() override { deferred_.Resolve(Value()); }
  void OnError(const Napi::Error& error) override { deferred_.Reject(error.Value()); }

  Napi::Promise::Deferred deferred_;
};

class ChildQuestion : public Question {
 public:
  ChildQuestion(Napi::Env env, const StartRequest& request, int channel)
      : Question(env, "desk.startChild"), request_(request), channel_(channel) {}

 private:
  void Execute() override {
    Passed passed;
    answer_ = AskStarter(request_, {&channel_, 1}, passed);
  }
  Napi::Value Value() override {
    if (!answer_) return RefusalValue(Env(), answer_.error(), "desk-start");
    return Napi::Number::New(Env(), answer_->pid);
  }

  StartRequest request_;
  int channel_;
  Result<StartAnswer> answer_ = Errno{ENOTCONN};
};

// startChild(what, value, fd): Promise<number | Refusal>; the descriptor stays open until then.
Napi::Value StartChild(const Napi::CallbackInfo& info) {
  const auto what = static_cast<StartWhat>(IntegerArgument(info, 0, "what", 1, 2));
  const auto value = static_cast<std::uint32_t>(IntegerArgument(info, 1, "value", 0, 1));
  const auto fd = static_cast<int>(IntegerArgument(info, 2, "fd", 0, INT_MAX));
  return Question::Ask(
      std::make_unique<ChildQuestion>(info.Env(), StartRequest{.what = what, .value = value}, fd));
}

// lateChildren(): number[]
Napi::Value LateChildren(const Napi::CallbackInfo& info) {
  Napi::Array pids = Napi::Array::New(info.Env());
  for (const pid_t pid : TakeLateChildren()) pids.Set(pids.Length(), pid);
  return pids;
}

struct InternetAddress {
  sockaddr_storage bytes{};
  // 0 when the text is no address.
  socklen_t length = 0;
};

InternetAddress ParseAddress(const std::string& text, std::uint16_t port) {
  InternetAddress address;
  auto& v4 = reinterpret_cast<sockaddr_in&>(address.bytes);
  auto& v6 = reinterpret_cast<sockaddr_in6&>(address.bytes);
  if (::inet_pton(AF_INET, text.c_str(), &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
    v4.sin_port = htons(port);
    address.length = sizeof v4;
  } else if (::inet_pton(AF_INET6, text.c_str(), &v6.sin6_addr) == 1) {
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(port);
    address.length = sizeof v6;
  }
  return address;
}

class BindQuestion : public Question {
 public:
  BindQuestion(Napi::Env env, const InternetAddress& address)
      : Question(env, "desk.bindPort"), address_(address) {}

 private:
  void Execute() override {
    socket_ = Fd(::socket(address_.bytes.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const int on = 1;
    error_ = !socket_.valid() || ::setsockopt(socket_.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0
                 ? errno
                 : BindThroughStarter(socket_.get(), reinterpret_cast<const sockaddr*>(&address_.bytes),
                                      address_.length);
  }
  Napi::Value Value() override {
    if (error_ != 0) return RefusalValue(Env(), error_, "bind");
    const int fd = socket_.get();
    socket_.Release();
    return Napi::Number::New(Env(), fd);
  }

  InternetAddress address_;
  Fd socket_;
  int error_ = 0;
};

// bindPort(address, port): Promise<number | Refusal>
Napi::Value BindPort(const Napi::CallbackInfo& info) {
  const std::string text = StringArgument(info, 0, "address");
  const auto port = static_cast<std::uint16_t>(IntegerArgument(info, 1, "port", 1, UINT16_MAX));
  const InternetAddress address = ParseAddress(text, port);
  if (address.length == 0) {
    const Napi::Promise::Deferred refused(info.Env());
    refused.Resolve(RefusalValue(info.Env(), EINVAL, text));
    return refused.Promise();
  }
  return Question::Ask(std::make_unique<BindQuestion>(info.Env(), address));
}

pid_t PidArgument(const Napi::CallbackInfo& info) {
  return static_cast<pid_t>(IntegerArgument(info, 0, "pid", 1, INT_MAX));
}

// reapChild(pid): {code, signal} | null | Refusal
Napi::Value ReapOwn(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Result<std::optional<ChildEnd>> end = ReapChild(PidArgument(info));
  if (!end) return RefusalValue(env, end.error(), "waitpid");
  if (!*end) return env.Null();
  Napi::Object ended = Napi::Object::New(env);
  ended.Set("code", (*end)->code);
  ended.Set("signal", (*end)->signal);
  return ended;
}

// killChild(pid): null | Refusal
Napi::Value KillOwn(const Napi::CallbackInfo& info) {
  const int error = KillChild(PidArgument(info));
  return error == 0 ? info.Env().Null() : Napi::Value(RefusalValue(info.Env(), error, "pidfd_send_signal"));
}

// channelPair(): [ours, theirs] | Refusal
Napi::Value ChannelPair(const Napi::CallbackInfo& info) {
  int pair[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    return RefusalValue(info.Env(), errno, "socketpair");
  Napi::Array both = Napi::Array::New(info.Env(), 2);
  both.Set(0u, pair[0]);
  both.Set(1u, pair[1]);
  return both;
}

// keepMemoryPrivate(tracing): Refusal | null
Napi::Value KeepMemoryPrivate(const Napi::CallbackInfo& info) {
  // In this order: the files below /proc/self of a process that cannot be traced belong to root.
  const int error = ForbidCoreDumps();
  if (BooleanArgument(info, 0, "tracing", false)) ForbidTracing();
  return error == 0 ? info.Env().Null() : Napi::Value(RefusalValue(info.Env(), error, "coredump_filter"));
}

}  // namespace

void ExportPrivilege(Napi::Env env, Napi::Object& exports) {
  ExportFunction(env, exports, "becomeLimited", BecomeLimited);
  ExportFunction(env, exports, "useStarter", TakeStarter);
  ExportFunction(env, exports, "startChild", StartChild);
  ExportFunction(env, exports, "lateChildren", LateChildren);
  ExportFunction(env, exports, "bindPort", BindPort);
  ExportFunction(env, exports, "reapChild", ReapOwn);
  ExportFunction(env, exports, "killChild", KillOwn);
  ExportFunction(env, exports, "channelPair", ChannelPair);
  ExportFunction(env, exports, "keepMemoryPrivate", KeepMemoryPrivate);
}

}  // namespace desk::addon
