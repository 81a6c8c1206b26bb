#include "probe/promiscuous.h"

#include <fcntl.h>
#include <net/if.h>
#include <unistd.h>

#include <optional>
#include <string_view>

#include "core/read.h"
#include "core/text.h"
#include "probe/sys_class.h"

namespace desk {
namespace {

// An attribute of an interface.
Result<std::string_view> Attribute(int nodes, const std::string& name, const char* attribute) {
  return ReadFile(nodes, (name + '/' + attribute).c_str()).AndThen([](std::string_view text) {
    return Result<std::string_view>(FirstLine(text));
  });
}

std::optional<std::int32_t> Number(int nodes, const std::string& name, const char* attribute) {
  const Result<std::string_view> text = Attribute(nodes, name, attribute);
  return text ? ParseNumber<std::int32_t>(*text) : std::nullopt;
}

bool Has(int nodes, const std::string& name, const char* what) {
  return ::faccessat(nodes, (name + '/' + what).c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

std::string KindOf(int nodes, const std::string& name) {
  if (Has(nodes, name, "bridge")) return "bridge";
  if (Has(nodes, name, "brport") || Has(nodes, name, "master")) return "port";
  constexpr std::string_view kType = "DEVTYPE=";
  if (const Result<std::string_view> uevent = ReadFile(nodes, (name + "/uevent").c_str())) {
    for (std::string_view rest = *uevent; !rest.empty();) {
      const std::string_view line = TakeUntil(rest, '\n');
      if (line.starts_with(kType)) return std::string(line.substr(kType.size()));
    }
  }
  const auto index = Number(nodes, name, "ifindex");
  const auto link = Number(nodes, name, "iflink");
  return index && link && *index != *link ? "link" : "plain";
}

}  // namespace

Result<std::vector<PromiscuousInterface>> ListPromiscuous(const std::string& sys) {
  const Result<Fd> nodes = OpenClass(sys, "net");
  if (!nodes) return nodes.refusal();
  const auto names = ListNames(nodes->get(), ".", "", "");
  if (!names) return names.refusal();
  std::vector<PromiscuousInterface> found;
  for (const std::string& name : *names) {
    // A file among the folders (bonding_masters), or an interface that is gone.
    if (name.starts_with('.')) continue;
    const Result<std::string_view> flags = Attribute(nodes->get(), name, "flags");
    if (flags.error() == ENOTDIR || IsGone(flags.error()) || flags.error() == ENODEV) continue;
    if (!flags) return flags.refusal();
    if (!flags->starts_with("0x")) return Errno{EBADMSG};
    const auto bits = ParseNumber<std::uint32_t>(flags->substr(2), 16);
    if (!bits) return Errno{EBADMSG};
    if ((*bits & IFF_PROMISC) == 0) continue;
    found.push_back({.name = name,
                     .index = Number(nodes->get(), name, "ifindex").value_or(0),
                     .kind = KindOf(nodes->get(), name)});
  }
  return found;
}

}  // namespace desk
