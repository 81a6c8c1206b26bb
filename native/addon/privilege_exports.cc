#include "addon/privilege_exports.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
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

// Starts desk-start and waits until it is ready; our end of its socket, or a refusal.
Result<Fd> StartStarter(const Words& words, const Words& environment, pid_t& pid) {
  int pair[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) return Errno{errno};
  Fd ours(pair[0]);
  Fd theirs(pair[1]);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    ::posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
  ::posix_spawn_file_actions_adddup2(&actions, theirs.get(), kControl);
  ::posix_spawn_file_actions_addchdir_np(&actions, "/");
  const int error = ::posix_spawn(&pid, words.first(), &actions, nullptr, words.get(), environment.get());
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return Errno{error};
  const timeval timeout{.tv_sec = 5, .tv_usec = 0};
  ::setsockopt(ours.get(), SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
  StartAnswer answer;
  Passed passed;
  // Else nothing would report that it ended before it was ready.
  theirs = Fd();
  if (const int failed = ReceiveMessage(ours.get(), std::as_writable_bytes(std::span(&answer, 1)), passed);
      failed != 0)
    return Errno{failed};
  return ours;
}

// becomeLimited(kept, program, environment, starter, starterEnvironment): Refusal
Napi::Value BecomeLimited(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  Capabilities kept = 0;
  for (const std::int32_t capability : Int32Argument(info, 0, "kept")) kept |= CapabilityBits({capability});
  const Words program(StringsArgument(info, 1, "program"));
  std::vector<std::string> environment = StringsArgument(info, 2, "environment");
  const std::vector<std::string> starter_words = StringsArgument(info, 3, "starter");
  const Words starter_environment(StringsArgument(info, 4, "starterEnvironment"));
  Fd starter;
  if (!starter_words.empty()) {
    const Words starter_program(starter_words);
    pid_t pid = 0;
    Result<Fd> started = StartStarter(starter_program, starter_environment, pid);
    if (!started) return RefusalValue(env, started.error(), starter_program.first());
    starter = std::move(*started);
    ::fcntl(starter.get(), F_SETFD, 0);
    environment.push_back("DESK_STARTER=" + std::to_string(starter.get()) + ":" + std::to_string(pid));
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

// startChild(what, value, fd): number | Refusal
Napi::Value StartChild(const Napi::CallbackInfo& info) {
  const auto what = static_cast<StartWhat>(IntegerArgument(info, 0, "what", 1, 2));
  const auto value = static_cast<std::uint32_t>(IntegerArgument(info, 1, "value", 0, 1));
  const auto fd = static_cast<int>(IntegerArgument(info, 2, "fd", 0, INT_MAX));
  Passed passed;
  const Result<StartAnswer> answer = AskStarter({.what = what, .value = value}, {&fd, 1}, passed);
  if (!answer) return RefusalValue(info.Env(), answer.error(), "desk-start");
  return Napi::Number::New(info.Env(), answer->pid);
}

// lateChildren(): number[]
Napi::Value LateChildren(const Napi::CallbackInfo& info) {
  Napi::Array pids = Napi::Array::New(info.Env());
  for (const pid_t pid : TakeLateChildren()) pids.Set(pids.Length(), pid);
  return pids;
}

// bindPort(address, port): number | Refusal
Napi::Value BindPort(const Napi::CallbackInfo& info) {
  const std::string address = StringArgument(info, 0, "address");
  const auto port = static_cast<std::uint16_t>(IntegerArgument(info, 1, "port", 1, UINT16_MAX));
  StartRequest request{.what = StartWhat::kBind};
  auto& v4 = reinterpret_cast<sockaddr_in&>(request.address);
  auto& v6 = reinterpret_cast<sockaddr_in6&>(request.address);
  if (::inet_pton(AF_INET, address.c_str(), &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
    v4.sin_port = htons(port);
    request.length = sizeof v4;
  } else if (::inet_pton(AF_INET6, address.c_str(), &v6.sin6_addr) == 1) {
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(port);
    request.length = sizeof v6;
  } else {
    return RefusalValue(info.Env(), EINVAL, address);
  }
  Passed passed;
  const Result<StartAnswer> answer = AskStarter(request, {}, passed);
  if (!answer) return RefusalValue(info.Env(), answer.error(), "bind");
  const int fd = passed.fds[0].get();
  passed.fds[0].Release();
  return Napi::Number::New(info.Env(), fd);
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
