#include <sys/statvfs.h>
#include <sys/timex.h>

#include <cerrno>
#include <cstdint>
#include <string>
#include <vector>

#include "addon/aside.h"
#include "addon/boundary.h"
#include "addon/exports.h"
#include "apt/updates.h"
#include "files/logins.h"

namespace desk::addon {
namespace {

// fileSystem(path): Promise<FileSystemSpace | Refusal>
Napi::Value FileSystem(const Napi::CallbackInfo& info) {
  const std::string path = StringArgument(info, 0, "path");
  return RunAside(info, [path]() -> AsideValue {
    struct statvfs space {};
    const int error = ::statvfs(path.c_str(), &space) == 0 ? 0 : errno;
    return [space, error](Napi::Env env) -> Napi::Value {
      if (error != 0) return RefusalValue(env, error, "statvfs");
      // As doubles: exact up to 2^53 bytes, 8 PiB.
      const auto bytes = [&space](fsblkcnt_t blocks) {
        return static_cast<double>(blocks) * static_cast<double>(space.f_frsize);
      };
      return ObjectOf(env, {{"bytes", bytes(space.f_blocks)},
                            {"freeBytes", bytes(space.f_bfree)},
                            {"availableBytes", bytes(space.f_bavail)},
                            {"inodes", static_cast<double>(space.f_files)},
                            {"freeInodes", static_cast<double>(space.f_favail)}});
    };
  });
}

// clockState(): ClockState | Refusal
Napi::Value ClockState(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  timex clock{};
  // No mode: it reads, which needs no privilege (adjtimex(2)).
  if (::adjtimex(&clock) < 0) return RefusalValue(env, errno, "adjtimex");
  return ObjectOf(env, {{"synchronised", (clock.status & STA_UNSYNC) == 0},
                        {"maxErrorUs", static_cast<double>(clock.maxerror)}});
}

// lastLogins(path): Promise<Login[] | Refusal>
Napi::Value LastLogins(const Napi::CallbackInfo& info) {
  const std::string path = StringArgument(info, 0, "path");
  return RunAside(info, [path]() -> AsideValue {
    return [logins = files::LastLogins(path)](Napi::Env env) {
      return ValueOr(env, logins, "wtmp", [env](const std::vector<files::Login>& found) {
        return ArrayOf(env, found, [env](const files::Login& one) {
          return ObjectOf(env, {{"user", TextValue(env, one.user)},
                                {"line", TextValue(env, one.line)},
                                {"host", TextValue(env, one.host)},
                                {"seconds", static_cast<double>(one.seconds)}});
        });
      });
    };
  });
}

// aptUpdates(root): Promise<AptUpdates>
Napi::Value AptUpdates(const Napi::CallbackInfo& info) {
  const std::string root = StringArgument(info, 0, "root");
  return RunAside(info, [root]() -> AsideValue {
    return [updates = apt::UpdatesOfApt(root)](Napi::Env env) -> Napi::Value {
      return ObjectOf(env, {{"trouble", TextValue(env, updates.trouble)},
                            {"all", static_cast<double>(updates.all)},
                            {"security", static_cast<double>(updates.security)},
                            {"seconds", static_cast<double>(updates.seconds)}});
    };
  });
}

}  // namespace

void ExportVitals(Napi::Env env, Napi::Object& exports) {
  ExportFunction(env, exports, "fileSystem", FileSystem);
  ExportFunction(env, exports, "clockState", ClockState);
  ExportFunction(env, exports, "lastLogins", LastLogins);
  ExportFunction(env, exports, "aptUpdates", AptUpdates);
}

}  // namespace desk::addon
