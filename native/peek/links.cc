#include "peek/links.h"

#include <algorithm>
#include <array>

#include "core/text.h"

namespace desk {
namespace {

// Whether `link` is `prefix` and a number.
bool IsNumbered(std::string_view link, std::string_view prefix) {
  return link.size() > prefix.size() && link.starts_with(prefix) &&
         std::ranges::all_of(link.substr(prefix.size()), IsDigit);
}

}  // namespace

LinkKind LinkKindOf(std::string_view link) {
  if (link.starts_with("socket:[")) return LinkKind::kSocket;
  if (IsNumbered(link, "/dev/input/event")) return LinkKind::kInput;
  if (IsNumbered(link, "/dev/video")) return LinkKind::kCamera;
  if (link.starts_with("/dev/snd/pcmC") && link.ends_with('c')) return LinkKind::kCapture;
  return LinkKind::kOther;
}

bool IsInternetProtocol(std::string_view name) {
  constexpr std::array<std::string_view, 18> kNames{
      "DCCP",   "DCCPv6", "MPTCP", "MPTCPv6", "PING",  "PINGv6", "RAW",      "RAWv6",     "SCTP",
      "SCTPv6", "SMC",    "SMC6",  "TCP",     "TCPv6", "UDP",    "UDP-Lite", "UDPLITEv6", "UDPv6"};
  return std::ranges::find(kNames, name) != kNames.end();
}

}  // namespace desk
