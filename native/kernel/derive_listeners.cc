#include "kernel/derive_listeners.h"

#include <netinet/in.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>
#include <string_view>

#include "core/siphash.h"
#include "core/utf8.h"

namespace desk {
namespace {

constexpr std::uint8_t kMapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};  // RFC 4291 section 2.5.5.2
constexpr std::uint8_t kOne[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

void MoveRow(const ListenerView& rows, std::uint32_t to, std::uint32_t from) {
  const auto move = [to, from](auto* column) { column[to] = column[from]; };
  move(rows.family);
  move(rows.protocol);
  std::memmove(rows.address + std::size_t{to} * kAddressBytes,
               rows.address + std::size_t{from} * kAddressBytes, kAddressBytes);
  move(rows.port);
  move(rows.inode);
  move(rows.uid);
  move(rows.v6only);
}

// The combined holders of one listener.
struct HeldListener {
  bool any = false;
  bool all_own = true;
  std::uint32_t first_row = 0;  // of the lowest pid
};

// Row of a pid in the ascending pid column; `count` when it is absent.
std::uint32_t RowOf(const ProcessView& rows, std::uint32_t count, std::int32_t pid) {
  const std::span<const std::int32_t> pids(rows.pid, count);
  const auto at = std::ranges::lower_bound(pids, pid);
  return at != pids.end() && *at == pid ? static_cast<std::uint32_t>(at - pids.begin()) : count;
}

std::vector<HeldListener> JoinHolders(const Columns& columns, const Capacity& capacity,
                                      const DeriveRequest& request, std::uint32_t count) {
  std::vector<HeldListener> held(count);
  std::vector<std::uint32_t> by_inode(count);
  std::iota(by_inode.begin(), by_inode.end(), 0);
  const auto inode = [&columns](std::uint32_t row) { return columns.listeners.inode[row]; };
  std::ranges::sort(by_inode, {}, inode);
  for (std::uint32_t at = 0; at < std::min(request.holders, capacity.holders); ++at) {
    const std::uint32_t wanted = columns.holders.inode[at];
    const auto first = std::ranges::lower_bound(by_inode, wanted, {}, inode);
    const std::span listeners(first, std::ranges::upper_bound(first, by_inode.end(), wanted, {}, inode));
    if (listeners.empty()) continue;
    // A holder that is not in the table any more does not count.
    const std::uint32_t row = RowOf(columns.processes, request.count, columns.holders.pid[at]);
    if (row == request.count || columns.processes.state[row] == 0) continue;
    for (const std::uint32_t listener : listeners) {
      HeldListener& one = held[listener];
      one.first_row = one.any ? std::min(one.first_row, row) : row;
      one.any = true;
      one.all_own = one.all_own && columns.processes.own[row] != 0;
    }
  }
  return held;
}

}  // namespace

bool IsLoopback(std::uint8_t family, const std::uint8_t* address) {
  if (family == 4) return address[0] == 127;
  if (std::memcmp(address, kMapped, sizeof kMapped) == 0) return address[12] == 127;
  return std::memcmp(address, kOne, sizeof kOne) == 0;
}

std::uint32_t DropTwice(const ListenerView& rows, std::uint32_t count) {
  std::vector<std::uint32_t> seen(rows.inode, rows.inode + count);
  std::ranges::sort(seen);
  const auto twice = [](std::uint32_t one, std::uint32_t other) { return one != 0 && one == other; };
  if (std::ranges::adjacent_find(seen, twice) == seen.end()) return count;
  seen.clear();
  std::uint32_t kept = 0;
  for (std::uint32_t row = 0; row < count; ++row) {
    const std::uint32_t inode = rows.inode[row];
    const auto at = std::ranges::lower_bound(seen, inode);
    if (inode != 0 && at != seen.end() && *at == inode) continue;
    seen.insert(at, inode);
    if (kept != row) MoveRow(rows, kept, row);
    ++kept;
  }
  return kept;
}

void DeriveListeners(const Columns& columns, const Capacity& capacity, const DeriveRequest& request,
                     std::uint32_t count, bool seen) {
  const ListenerView& rows = columns.listeners;
  const std::vector<HeldListener> held = JoinHolders(columns, capacity, request, count);
  std::string text;
  for (std::uint32_t row = 0; row < count; ++row) {
    const bool loopback = IsLoopback(rows.family[row], rows.address + std::size_t{row} * kAddressBytes);
    const bool udp = rows.protocol[row] == IPPROTO_UDP;
    const std::uint16_t port = rows.port[row];
    const auto& range = request.ephemeral;
    const Owner owner = held[row].any ? Owner::kHeld : seen ? Owner::kOwnerless : Owner::kBlind;
    rows.scope[row] = static_cast<std::uint8_t>(loopback ? Scope::kLoopback : Scope::kPublic);
    rows.owner[row] = static_cast<std::uint8_t>(owner);
    rows.own[row] = held[row].any && held[row].all_own ? 1 : 0;
    // UDP above the range is usually a client that waits for an answer.
    rows.service[row] = !udp || !range || port < range->low ? 1 : 0;
    // The key of the baseline, as listenerKey of src/checks/subjects.ts writes it.
    text.assign(loopback ? "loopback" : "public").append(udp ? " udp " : " tcp ");
    if (range && port >= range->low && port <= range->high) {
      text.append("ephemeral ");
    } else {
      text.append(std::to_string(port)).append(1, ' ');
    }
    if (owner == Owner::kOwnerless) {
      text.append("ownerless");
    } else if (held[row].any) {
      AppendLossy(text, ExecutableOf(columns, capacity, held[row].first_row));
    }
    rows.key[row] = HashIdentity(text);
  }
}

}  // namespace desk
