// The process table that lasts from one generation to the next, with its totals: rows are replaced one by
// one, and each shared buffer receives only what changed since it was written. Not thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/arena.h"
#include "core/columns.h"
#include "kernel/lookups.h"
#include "kernel/row_counts.h"

namespace desk {

struct TableOptions {
  // See RowCounts.
  std::vector<std::uint16_t> groups;
  std::vector<std::string> programs;
  // The pid whose process tree is our own.
  std::int32_t self = 0;
};

// Filled rows of the tables.
struct TableRows {
  std::uint32_t processes = 0;
  std::uint32_t listeners = 0;
  std::uint32_t connections = 0;
  std::uint32_t holders = 0;
};

class ProcessTable {
 public:
  // Rows that lie elsewhere, and the sizes of their tables.
  struct Source {
    Columns columns;
    Capacity capacity;
  };

  explicit ProcessTable(TableOptions options);

  const Columns& columns() const { return columns_; }
  const Capacity& capacity() const { return capacity_; }
  const TableRows& rows() const { return rows_; }
  const RowCounts& counts() const { return counts_; }
  // Our own pid and its living descendants, ascending.
  std::span<const std::int32_t> own() const { return own_; }

  // Takes over a generation that was read as a whole: ascending pids, everything but traits, own and lookups,
  // which are filled there too. Vanished rows (state 0) are removed from it; the rows that remain.
  std::uint32_t Adopt(const Source& from, std::uint32_t count);
  // Of a buffer with the table's rows: the facts about descriptors, and the tables of sockets with so many
  // rows.
  void AdoptDescriptors(const Columns& from);
  void AdoptSockets(const Columns& from, const TableRows& rows);

  // Index of the first row whose pid is not below `pid`.
  std::uint32_t Find(std::int32_t pid) const;
  bool Has(std::int32_t pid) const;
  // Adds or replaces the row of a process by row `at` of `from`; descriptor facts stay. False when there is
  // no room: the table is incomplete then.
  bool Put(const Source& from, std::uint32_t at);
  void Remove(std::int32_t pid);
  // After rows were put or removed: computes again which processes are our own and which have lost or found
  // their parent, where that may have changed.
  void Settle();
  // Looks all rows up again, in these sets; none before the first call.
  void SetIdentities(Identities identities);

  // Brings a buffer of the table's capacity up to date, its sockets only when asked to. What was written into
  // the two buffers used last is not written again.
  void Publish(const Columns& to, bool sockets);

  // Pids of rows that were added, changed or removed since the last call, ascending.
  std::vector<std::int32_t> TakeChanged();
  // The same since the last call of this, or since a generation was adopted, in no order. Nothing where there
  // were too many: a generation has to be adopted.
  std::optional<std::vector<std::int32_t>> TakeEdited();
  // Whether TakeEdited would return none, and every row has a state.
  bool IsUnedited() const;
  // Whether the buffer lists the sockets that the table has, in the same order; the buffer has to be brought
  // up to date then. Without `connections` these are not compared.
  bool SameSockets(const Columns& from, std::uint32_t listeners, std::optional<std::uint32_t> connections);
  // Whether holders of sockets must be searched or verified again: some of them, or processes that may have
  // inherited sockets, changed.
  bool TakeOwnersDue();
  // Memory of rows, texts and lists.
  std::size_t Bytes() const;
  // The process holds a socket.
  bool IsHolder(std::int32_t pid) const;
  void OwnersDue() { owners_due_ = true; }

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  // What a shared buffer lacks.
  struct Target {
    const std::int32_t* pids = nullptr;
    // Rows before `tail` that differ; from `tail` on all do.
    std::vector<std::uint32_t> rows;
    std::uint32_t tail = 0;
    std::uint32_t text = 0;
    bool sockets = true;
  };
  struct Free {
    void operator()(std::byte* memory) const;
  };

  void Allocate(const Capacity& capacity);
  void Clear();
  void Compare(const Source& from, std::uint32_t at, std::uint32_t row, std::uint32_t count,
               std::uint8_t* differs) const;
  bool Intern(std::string_view text, Place& place);
  bool InternTexts(const Source& from, std::uint32_t at, std::uint32_t row);
  bool CompactTexts();
  void Edited(std::uint32_t row);
  void NoteEdited(std::int32_t pid);
  void Replaced(std::uint32_t row);
  void Moved(std::uint32_t row);
  bool IsOwn(std::int32_t pid) const;
  void NoteAdopter(std::int32_t pid);
  bool MayInherit(std::int32_t pid) const;
  bool HidesDescriptors(std::int32_t pid) const;
  std::uint8_t LookUp(std::uint32_t row) const;
  void SetLookups(std::uint32_t row, std::uint8_t lookups);
  void SettleOwn();
  void SettleParents();

  const TableOptions options_;
  Capacity capacity_;
  std::unique_ptr<std::byte[], Free> memory_;
  Columns columns_;
  TableRows rows_;
  RowCounts counts_;
  Identities identities_;
  std::vector<std::int32_t> own_;
  // A row could not be written: rows and totals do not agree until a whole generation is adopted.
  bool broken_ = false;
  bool own_due_ = true;
  // Pids that came or went since the rows were last settled.
  std::vector<std::int32_t> parents_due_;
  bool owners_due_ = false;
  // Some process hid its descriptors when the listeners were derived.
  bool descriptors_blind_ = false;
  // Ascending.
  std::vector<std::int32_t> holders_;
  std::vector<std::int32_t> changed_;
  // Since holders were last searched; ascending once asked.
  std::vector<std::int32_t> born_;
  std::vector<std::int32_t> edited_;
  // Processes that became parents of existing ones, ascending.
  std::vector<std::int32_t> adopters_;
  std::unordered_map<std::string, Place, TextHash, std::equal_to<>> texts_;
  std::uint32_t text_end_ = 0;
  std::array<Target, 2> targets_;
};

}  // namespace desk
