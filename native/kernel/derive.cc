#include "kernel/derive.h"

#include <netinet/in.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>

#include "core/rows.h"
#include "core/siphash.h"
#include "core/traits.h"
#include "core/utf8.h"
#include "kernel/lookups.h"
#include "kernel/pid_set.h"

namespace desk {
namespace {

constexpr std::uint8_t kMapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};  // RFC 4291 section 2.5.5.2
constexpr std::uint8_t kOne[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

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
                                      const ListenerRequest& request) {
  const std::uint32_t count = request.listeners;
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

constexpr int kMostPasses = 4;

// A zombie has no descendants, files or memory: it does not count as ours.
bool Lives(const ProcessView& rows, std::uint32_t row) {
  return rows.state[row] != 0 && !IsZombie(rows.state[row]);
}

// Finds descendants over rows sorted by parent, for trees that need too many plain passes.
void WalkTree(const ProcessView& rows, std::uint32_t count, PidSet& own) {
  std::vector<std::uint32_t> by_parent;
  by_parent.reserve(count);
  for (std::uint32_t row = 0; row < count; ++row)
    if (Lives(rows, row)) by_parent.push_back(row);
  const auto parent = [&rows](std::uint32_t row) { return rows.ppid[row]; };
  std::ranges::stable_sort(by_parent, {}, parent);
  std::vector<std::int32_t> waiting;
  for (std::uint32_t row = 0; row < count; ++row)
    if (rows.own[row] != 0) waiting.push_back(rows.pid[row]);
  while (!waiting.empty()) {
    const std::int32_t pid = waiting.back();
    waiting.pop_back();
    const auto first = std::ranges::lower_bound(by_parent, pid, {}, parent);
    const auto past = std::ranges::upper_bound(first, by_parent.end(), pid, {}, parent);
    for (const std::uint32_t row : std::span(first, past)) {
      if (rows.own[row] != 0) continue;
      rows.own[row] = 1;
      own.Add(rows.pid[row]);
      waiting.push_back(rows.pid[row]);
    }
  }
}

}  // namespace

bool IsLoopback(std::uint8_t family, const std::uint8_t* address) {
  if (family == 4) return address[0] == 127;
  if (std::memcmp(address, kMapped, sizeof kMapped) == 0) return address[12] == 127;
  return std::memcmp(address, kOne, sizeof kOne) == 0;
}

void DeriveTraits(const Columns& columns, const Capacity& capacity, std::uint32_t row) {
  const ProcessView& rows = columns.processes;
  const bool judged = rows.wrap_state[row] != static_cast<std::uint8_t>(WrapState::kNotApplicable);
  rows.traits[row] =
      rows.state[row] == 0 && !judged ? 0 : TraitsOf(CommOf(rows, row), ExecutableOf(columns, capacity, row));
}

// Parents usually have the lower pid: one pass in row order finds all, the second confirms it.
std::vector<std::int32_t> MarkOwn(const ProcessView& rows, std::uint32_t count, std::int32_t self) {
  PidSet own;
  own.Add(self);
  for (std::uint32_t row = 0; row < count; ++row) rows.own[row] = rows.pid[row] == self ? 1 : 0;
  bool found = true;
  for (int pass = 0; found && pass < kMostPasses; ++pass) {
    found = false;
    for (std::uint32_t row = 0; row < count; ++row) {
      if (rows.own[row] != 0 || !own.Has(rows.ppid[row]) || !Lives(rows, row)) continue;
      rows.own[row] = 1;
      own.Add(rows.pid[row]);
      found = true;
    }
  }
  if (found) WalkTree(rows, count, own);
  return own.Take();
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
    if (kept != row) CopyRows(kListenerColumns, rows, row, rows, kept, 1);
    ++kept;
  }
  return kept;
}

void DeriveListeners(const Columns& columns, const Capacity& capacity, const ListenerRequest& request) {
  const ListenerView& rows = columns.listeners;
  const std::vector<HeldListener> held = JoinHolders(columns, capacity, request);
  std::string text;
  std::string holder;
  for (std::uint32_t row = 0; row < request.listeners; ++row) {
    const bool loopback = IsLoopback(rows.family[row], rows.address + std::size_t{row} * kAddressBytes);
    const bool udp = rows.protocol[row] == IPPROTO_UDP;
    const std::uint16_t port = rows.port[row];
    const auto& range = request.ephemeral;
    const Owner owner = held[row].any ? Owner::kHeld : request.seen ? Owner::kOwnerless : Owner::kBlind;
    rows.scope[row] = static_cast<std::uint8_t>(loopback ? Scope::kLoopback : Scope::kPublic);
    rows.owner[row] = static_cast<std::uint8_t>(owner);
    rows.own[row] = held[row].any && held[row].all_own ? 1 : 0;
    // UDP above the range is usually a client that waits for an answer.
    rows.service[row] = !udp || !range || port < range->low ? 1 : 0;
    // The key of the baseline, as listenerKey of src/checks/subjects.ts writes it.
    holder.clear();
    if (owner == Owner::kOwnerless)
      holder = "ownerless";
    else if (held[row].any)
      AppendLossy(holder, ExecutableOf(columns, capacity, held[row].first_row));
    const bool ephemeral = range && port >= range->low && port <= range->high && !holder.empty();
    if (holder.empty()) holder.append("uid ").append(std::to_string(rows.uid[row]));
    text.assign(loopback ? "loopback" : "public").append(udp ? " udp " : " tcp ");
    text.append(ephemeral ? "ephemeral" : std::to_string(port)).append(1, ' ').append(holder);
    rows.key[row] = HashIdentity(text);
  }
}

Tally TallyOf(const RowCounts& counts, std::uint32_t listeners, std::vector<std::int32_t> own) {
  const auto deleted = counts.deleted().first(std::min(counts.deleted().size(), kMostDeleted));
  return {.totals = counts.totals(),
          .identities = counts.identities(),
          .listeners = listeners,
          .hiding = {counts.hiding().begin(), counts.hiding().end()},
          .programs = {counts.programs().begin(), counts.programs().end()},
          .deleted = {deleted.begin(), deleted.end()},
          .own = std::move(own)};
}

Tally Derive(const Columns& columns, const Capacity& capacity, const DeriveRequest& request) {
  const ProcessView& rows = columns.processes;
  RowCounts counts(request.groups, request.programs);
  for (std::uint32_t row = 0; row < request.count; ++row) {
    DeriveTraits(columns, capacity, row);
    counts.Add(columns, capacity, row);
  }
  LookUpRows(rows, request.count, {});
  std::vector<std::int32_t> own = MarkOwn(rows, request.count, request.self);
  const std::uint32_t listeners = DropTwice(columns.listeners, request.listeners);
  DeriveListeners(columns, capacity,
                  {.count = request.count,
                   .listeners = listeners,
                   .holders = request.holders,
                   .ephemeral = request.ephemeral,
                   .seen = request.sight_complete && counts.totals().descriptors_blind == 0});
  return TallyOf(counts, listeners, std::move(own));
}

}  // namespace desk
