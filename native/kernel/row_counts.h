// Totals over the process table that follow the rows: each row adds its part and takes it away again.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/columns.h"
#include "kernel/counted_set.h"

namespace desk {

// User space is what the wrap sweep judged, so that user_space = wrapped + free + wrap_blind holds by
// construction.
struct Totals {
  std::uint32_t processes = 0;
  std::uint32_t kernel_threads = 0;
  std::uint32_t wrapped = 0;
  std::uint32_t free = 0;
  std::uint32_t wrap_blind = 0;
  // Zombie or dead.
  std::uint32_t zombies = 0;
  // User space without controlling terminal.
  std::uint32_t without_tty = 0;
  std::uint32_t descriptors_blind = 0;
  std::uint32_t blind_processes = 0;
  bool operator==(const Totals&) const = default;
};

class RowCounts {
 public:
  // `groups`: sets of Fact bits whose refusals are counted. `programs`: executables to find processes of,
  // paths or base names.
  RowCounts(std::span<const std::uint16_t> groups, std::span<const std::string> programs);

  void Clear();
  // The row with its traits. What was added is removed before the row changes.
  void Add(const Columns& columns, const Capacity& capacity, std::uint32_t row);
  void Remove(const Columns& columns, const Capacity& capacity, std::uint32_t row);

  const Totals& totals() const { return totals_; }
  // Distinct identities of user space.
  std::uint32_t identities() const { return identities_.distinct(); }
  // Per group, the user-space processes that refused one of its facts.
  std::span<const std::uint32_t> hiding() const { return hiding_; }
  // Per program, the user-space processes that run it, ascending.
  std::span<const std::vector<std::int32_t>> programs() const { return running_; }
  // Processes whose executable was unlinked, by the text of its link (memfds aside), ascending.
  std::span<const std::int32_t> deleted() const { return deleted_; }

 private:
  template <bool kAdds>
  void Count(const Columns& columns, const Capacity& capacity, std::uint32_t row);
  template <bool kAdds>
  void CountUserSpace(const ProcessView& rows, std::uint32_t row);

  std::vector<std::uint16_t> groups_;
  std::vector<std::string> names_;
  Totals totals_;
  CountedSet identities_;
  std::vector<std::uint32_t> hiding_;
  std::vector<std::vector<std::int32_t>> running_;
  std::vector<std::int32_t> deleted_;
};

}  // namespace desk
