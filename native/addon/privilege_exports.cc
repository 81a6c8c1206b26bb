#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <string>
#include <vector>

#include "act/own_child.h"
#include "addon/aside.h"
#include "addon/boundary.h"
#include "addon/exports.h"
#include "core/notify_socket.h"
#include "privilege/privileges.h"
#include "start/client.h"
#include "start/protocol.h"

namespace desk::addon {
namespace {

constexpr int kControl = 3;

// The strings of an argument vector for execve(2).
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

  // Starts it and waits until it is ready; 0 or an errno: EPIPE when it ended before, ETIMEDOUT when it did
  // not answer.
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
    // With this end open here, its death would go unnoticed.
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
  // Undo what node did to them: close on execve(2), and O_NONBLOCK for pipes.
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
  UseStarter(IntegerArgument<int>(info, 0, "fd", 3, INT_MAX));
}

// startChild(what, value, fd): Promise<number | Refusal>; the descriptor stays open until then.
Napi::Value StartChild(const Napi::CallbackInfo& info) {
  const StartRequest request{.what = IntegerArgument<StartWhat>(info, 0, "what", 1, 2),
                             .value = IntegerArgument<std::uint32_t>(info, 1, "value", 0, 1)};
  const auto channel = IntegerArgument<int>(info, 2, "fd", 0, INT_MAX);
  return RunAside(
      info,
      [request, channel]() -> AsideValue {
        Passed passed;
        return [answer = AskStarter(request, {&channel, 1}, passed)](Napi::Env env) {
          return ValueOr(env, answer, "desk-start",
                         [env](const StartAnswer& started) { return Napi::Number::New(env, started.pid); });
        };
      },
      EventLoop::kWaits);
}

// lateChildren(): number[]
Napi::Value LateChildren(const Napi::CallbackInfo& info) { return ArrayOf(info.Env(), TakeLateChildren()); }

struct InternetAddress {
  sockaddr_storage bytes{};
  // 0 when the text is not an address.
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

// A TCP socket bound to the address by desk-start.
Result<int> Bind(const InternetAddress& address) {
  Fd socket(::socket(address.bytes.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int on = 1;
  if (!socket.valid() || ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0)
    return Errno{errno};
  const auto* const name = reinterpret_cast<const sockaddr*>(&address.bytes);
  if (const int error = BindThroughStarter(socket.get(), name, address.length); error != 0)
    return Errno{error};
  const int fd = socket.get();
  socket.Release();
  return fd;
}

// bindPort(address, port): Promise<number | Refusal>
Napi::Value BindPort(const Napi::CallbackInfo& info) {
  const std::string text = StringArgument(info, 0, "address");
  const auto port = IntegerArgument<std::uint16_t>(info, 1, "port", 1, kMostPort);
  return RunAside(
      info,
      [text, address = ParseAddress(text, port)]() -> AsideValue {
        const bool valid = address.length != 0;
        return [bound = valid ? Bind(address) : Errno{EINVAL},
                source = valid ? "bind" : text](Napi::Env env) { return ValueOr(env, bound, source); };
      },
      EventLoop::kWaits);
}

// reapChild(pid): {code, signal} | null | Refusal
Napi::Value ReapOwn(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return ValueOr(env, ReapChild(PidArgument(info, 0)), "waitpid", [env](const auto& end) -> Napi::Value {
    if (!end) return env.Null();
    return ObjectOf(env, {{"code", end->code}, {"signal", end->signal}});
  });
}

// killChild(pid): null | Refusal
Napi::Value KillOwn(const Napi::CallbackInfo& info) {
  return RefusalOrNull(info.Env(), KillChild(PidArgument(info, 0)), "pidfd_send_signal");
}

// channelPair(): [ours, theirs] | Refusal
Napi::Value ChannelPair(const Napi::CallbackInfo& info) {
  std::array<int, 2> pair{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0)
    return RefusalValue(info.Env(), errno, "socketpair");
  return ArrayOf(info.Env(), pair);
}

// keepMemoryPrivate(tracing): Refusal | null
Napi::Value KeepMemoryPrivate(const Napi::CallbackInfo& info) {
  // In this order: the files below /proc/self of a process that cannot be traced belong to root.
  const int error = ForbidCoreDumps();
  if (BooleanArgument(info, 0, "tracing", false)) ForbidTracing();
  return RefusalOrNull(info.Env(), error, "coredump_filter");
}

// ignoreSigusr1(): null | Refusal
Napi::Value IgnoreSigusr1(const Napi::CallbackInfo& info) {
  struct sigaction ignore = {};
  ignore.sa_handler = SIG_IGN;
  const int error = sigaction(SIGUSR1, &ignore, nullptr) == 0 ? 0 : errno;
  return RefusalOrNull(info.Env(), error, "sigaction");
}

// sendDatagram(address, message): null | Refusal
Napi::Value SendOneDatagram(const Napi::CallbackInfo& info) {
  const std::string address = StringArgument(info, 0, "address");
  return RefusalOrNull(info.Env(), SendDatagram(address, BytesArgument(info, 1, "message")), "sendto");
}

}  // namespace

void ExportPrivilege(Napi::Env env, Napi::Object& exports) {
  ExportFunction(env, exports, "ignoreSigusr1", IgnoreSigusr1);
  ExportFunction(env, exports, "becomeLimited", BecomeLimited);
  ExportFunction(env, exports, "useStarter", TakeStarter);
  ExportFunction(env, exports, "startChild", StartChild);
  ExportFunction(env, exports, "lateChildren", LateChildren);
  ExportFunction(env, exports, "bindPort", BindPort);
  ExportFunction(env, exports, "reapChild", ReapOwn);
  ExportFunction(env, exports, "killChild", KillOwn);
  ExportFunction(env, exports, "channelPair", ChannelPair);
  ExportFunction(env, exports, "keepMemoryPrivate", KeepMemoryPrivate);
  ExportFunction(env, exports, "sendDatagram", SendOneDatagram);
}

}  // namespace desk::addon
