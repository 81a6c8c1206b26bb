#include "bpf/maker_table.h"

#include <mutex>

#include "bpf/syscall.h"

namespace desk::bpf {
namespace {

struct Published {
  std::mutex mutex;
  std::weak_ptr<const MakerTable> table;
};

// Never destroyed: a worker may still ask while the process ends.
Published& ThePublished() {
  static auto* const published = new Published;
  return *published;
}

}  // namespace

Result<MakerTable> MakerTable::Create() {
  Result<Fd> map = CreateRecentMap(sizeof(std::uint32_t), sizeof(ListenerMaker), kEntries, "desk_makers");
  if (!map) return map.refusal();
  MakerTable table;
  table.map_ = std::move(*map);
  return table;
}

std::optional<ListenerMaker> MakerTable::Find(std::uint32_t inode) const {
  ListenerMaker maker;
  if (LookUp(map_.get(), &inode, &maker) != 0 || maker.pid == 0) return std::nullopt;
  return maker;
}

void PublishMakers(const std::shared_ptr<const MakerTable>& table) {
  Published& published = ThePublished();
  const std::lock_guard guard(published.mutex);
  published.table = table;
}

std::optional<ListenerMaker> MakerOf(std::uint32_t inode) {
  std::shared_ptr<const MakerTable> table;
  {
    Published& published = ThePublished();
    const std::lock_guard guard(published.mutex);
    table = published.table.lock();
  }
  return table ? table->Find(inode) : std::nullopt;
}

}  // namespace desk::bpf
