// The sockets of the table, and the descriptors that show who holds them.
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "core/rows.h"
#include "core/sorted.h"
#include "table/process_table.h"

namespace desk {
namespace {

// The columns of listeners that the kernel does not say.
constexpr std::array<std::string_view, 5> kDerived{"scope", "owner", "own", "service", "key"};

template <class Table, class View>
bool SameRows(const Table& table, const View& one, const View& other, std::uint32_t rows) {
  const auto same = [&](const auto& column) {
    if (std::ranges::find(kDerived, column.name) != kDerived.end()) return true;
    const std::size_t bytes = column.width * sizeof(typename std::decay_t<decltype(column)>::Element);
    return std::memcmp(one.*(column.member), other.*(column.member), rows * bytes) == 0;
  };
  return std::apply([&](const auto&... column) { return (same(column) && ...); }, table);
}

}  // namespace

void ProcessTable::AdoptDescriptors(const Columns& from) {
  const auto adopt = [&](std::uint16_t* facts, const std::uint16_t* theirs) {
    if (std::memcmp(facts, theirs, rows_.processes * sizeof(std::uint16_t)) == 0) return;
    for (std::uint32_t row = 0; row < rows_.processes; ++row) {
      if (((facts[row] ^ theirs[row]) & kFactDescriptors) == 0) continue;
      counts_.Remove(columns_, capacity_, row);
      facts[row] ^= kFactDescriptors;
      counts_.Add(columns_, capacity_, row);
      Replaced(row);
    }
  };
  adopt(columns_.processes.seen, from.processes.seen);
  adopt(columns_.processes.refused, from.processes.refused);
}

void ProcessTable::AdoptSockets(const Columns& from, const TableRows& rows) {
  CopyRows(kListenerColumns, from.listeners, 0, columns_.listeners, 0, rows.listeners);
  CopyRows(kConnectionColumns, from.connections, 0, columns_.connections, 0, rows.connections);
  CopyRows(kHolderColumns, from.holders, 0, columns_.holders, 0, rows.holders);
  rows_.listeners = rows.listeners;
  rows_.connections = rows.connections;
  rows_.holders = rows.holders;
  holders_.assign(columns_.holders.pid, columns_.holders.pid + rows.holders);
  SortDistinct(holders_);
  descriptors_blind_ = counts_.totals().descriptors_blind > 0;
  for (Target& target : targets_) target.sockets = target.sockets || target.pids != from.processes.pid;
}

bool ProcessTable::SameSockets(const Columns& from, std::uint32_t listeners,
                               std::optional<std::uint32_t> connections) {
  for (Target& target : targets_) target.sockets = target.sockets || target.pids == from.processes.pid;
  return listeners == rows_.listeners &&
         SameRows(kListenerColumns, from.listeners, columns_.listeners, listeners) &&
         (!connections ||
          (*connections == rows_.connections &&
           SameRows(kConnectionColumns, from.connections, columns_.connections, *connections)));
}

void ProcessTable::NoteAdopter(std::int32_t pid) {
  const auto at = std::ranges::lower_bound(adopters_, pid);
  if (at == adopters_.end() || *at != pid) adopters_.insert(at, pid);
}

// The process that forked it may be one that holds sockets: its parent does, hides its descriptors, is as new
// as itself, or is one that receives children of others (PR_SET_CHILD_SUBREAPER in prctl(2)).
bool ProcessTable::MayInherit(std::int32_t pid) const {
  const std::uint32_t row = Find(pid);
  if (row == rows_.processes || columns_.processes.pid[row] != pid) return false;
  const std::int32_t parent = columns_.processes.ppid[row];
  return parent <= 1 || IsHolder(parent) || std::ranges::binary_search(born_, parent) ||
         std::ranges::binary_search(adopters_, parent) || HidesDescriptors(parent);
}

// A process that hides its descriptors may hold any socket.
bool ProcessTable::HidesDescriptors(std::int32_t pid) const {
  return Has(pid) && (columns_.processes.refused[Find(pid)] & kFactDescriptors) != 0;
}

bool ProcessTable::TakeOwnersDue() {
  SortDistinct(born_);
  owners_due_ =
      owners_due_ || std::ranges::any_of(born_, [this](std::int32_t pid) { return MayInherit(pid); });
  born_.clear();
  std::erase_if(adopters_, [this](std::int32_t pid) { return !Has(pid); });
  // A socket without a holder is ownerless only while every process shows its descriptors.
  const bool turned = (counts_.totals().descriptors_blind > 0) != descriptors_blind_;
  return std::exchange(owners_due_, false) || turned;
}

}  // namespace desk
