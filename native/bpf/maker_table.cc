#include "bpf/maker_table.h"

#include <array>
#include <cstddef>
#include <mutex>
#include <utility>

#include "bpf/syscall.h"

namespace desk::bpf {
namespace {

struct Shared {
  std::mutex mutex;
  // By MakerTable::Sockets.
  std::array<std::weak_ptr<const MakerTable>, 2> tables;
};

// Never destroyed: a worker may still use it while the process ends.
Shared& TheShared() {
  static auto* const shared = new Shared;
  return *shared;
}

}  // namespace

Result<std::shared_ptr<const MakerTable>> MakerTable::Share(Sockets sockets) {
  Shared& shared = TheShared();
  const std::lock_guard guard(shared.mutex);
  std::weak_ptr<const MakerTable>& known = shared.tables[static_cast<std::size_t>(sockets)];
  if (std::shared_ptr<const MakerTable> table = known.lock()) return table;
  Result<Fd> map =
      CreateMap(kMapLruHash, sizeof(std::uint32_t), sizeof(ListenerMaker), kEntries, "desk_makers");
  if (!map) return map.refusal();
  const auto table = std::make_shared<MakerTable>();
  table->map_ = std::move(*map);
  known = table;
  return std::shared_ptr<const MakerTable>(table);
}

std::optional<ListenerMaker> MakerTable::Find(std::uint32_t inode) const {
  ListenerMaker maker;
  if (LookUp(map_.get(), &inode, &maker) != 0 || maker.pid == 0) return std::nullopt;
  return maker;
}

std::optional<ListenerMaker> MakerOf(std::uint32_t inode) {
  Shared& shared = TheShared();
  const std::lock_guard guard(shared.mutex);
  for (const std::weak_ptr<const MakerTable>& known : shared.tables) {
    const std::shared_ptr<const MakerTable> table = known.lock();
    if (!table) continue;
    if (const std::optional<ListenerMaker> maker = table->Find(inode)) return maker;
  }
  return std::nullopt;
}

}  // namespace desk::bpf
