#include "probe/modules.h"

#include <fcntl.h>

#include <algorithm>

#include "core/fd.h"
#include "core/read.h"
#include "core/text.h"
#include "probe/sys_class.h"

namespace desk {
namespace {

Result<std::vector<Module>> ReadListed(int root) { return ReadFile(root, "modules").AndThen(ParseModules); }

Result<std::vector<Module>> ReadSys(const std::string& sys) {
  const Fd folder(::open((sys + "/module").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!folder.valid()) return Errno{errno};
  const auto names = ListNames(folder.get(), ".", "", "");
  if (!names) return names.refusal();
  std::vector<Module> modules;
  for (const std::string& name : *names) {
    if (name.starts_with('.')) continue;
    const Result<std::string_view> state = ReadFile(folder.get(), (name + "/initstate").c_str());
    if (IsGone(state.error()) || state.error() == ENOTDIR) continue;
    if (!state) return state.refusal();
    modules.push_back({.name = name, .live = state->starts_with("live")});
  }
  return modules;
}

// Live ones of `here` that are missing in `there`; both sorted by name.
std::vector<std::string> Missing(const std::vector<Module>& here, const std::vector<Module>& there) {
  std::vector<std::string> missing;
  for (const Module& module : here)
    if (module.live && !std::ranges::binary_search(there, module.name, {}, &Module::name))
      missing.push_back(module.name);
  return missing;
}

}  // namespace

Result<std::vector<Module>> ParseModules(std::string_view text) {
  std::vector<Module> modules;
  while (!text.empty()) {
    // `NAME SIZE REFERENCES USED-BY STATE ADDRESS [TAINTS]`
    std::string_view line = TakeUntil(text, '\n');
    const std::string_view name = TakeUntil(line, ' ');
    const auto size = ParseNumber<std::uint64_t>(TakeUntil(line, ' '));
    TakeUntil(line, ' ');
    TakeUntil(line, ' ');
    const std::string_view state = TakeUntil(line, ' ');
    if (name.empty() || !size || state.empty()) return Errno{EBADMSG};
    modules.push_back({.name = std::string(name), .live = state == "Live"});
  }
  std::ranges::sort(modules, {}, &Module::name);
  return modules;
}

Result<ModuleViews> ReadModuleViews(int root, const std::string& sys) {
  const Result<std::vector<Module>> listed = ReadListed(root);
  const Result<std::vector<Module>> in_sys = ReadSys(sys);
  // A missing file means no modules, unless the other view has some.
  const bool none_listed = listed.error() == ENOENT || (listed && listed->empty());
  const bool none_in_sys = in_sys.error() == ENOENT || (in_sys && in_sys->empty());
  if (none_listed && none_in_sys) return ModuleViews{};
  if (!listed) return listed.refusal();
  if (!in_sys) return in_sys.refusal();
  ModuleViews views{.only_listed = Missing(*listed, *in_sys), .only_in_sys = Missing(*in_sys, *listed)};
  const auto live = std::ranges::count_if(*listed, &Module::live);
  views.both = static_cast<std::uint32_t>(live) - static_cast<std::uint32_t>(views.only_listed.size());
  return views;
}

Result<std::uint64_t> ReadKernelTaint(int root) {
  return ReadFile(root, "sys/kernel/tainted").AndThen(ParseValue<std::uint64_t>);
}

}  // namespace desk
