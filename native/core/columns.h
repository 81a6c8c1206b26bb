// The columns of one sweep: a struct of arrays in one shared buffer. This file is the only description of
// their layout; JavaScript is told it by layout(). Every column starts at a multiple of 64 bytes from the
// start of the buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace desk {

// Rows per table, and bytes of the text arena (executables and cgroup paths).
struct Capacity {
  std::uint32_t processes = 0;
  std::uint32_t sockets = 0;
  std::uint32_t holders = 0;
  std::uint32_t text = 0;
};

inline constexpr std::uint32_t kMaxProcesses = 1u << 22;  // PID_MAX_LIMIT, linux/threads.h
inline constexpr std::uint32_t kMaxSockets = 1u << 22;
inline constexpr std::uint32_t kMaxHolders = 1u << 24;
inline constexpr std::uint32_t kMaxText = 1u << 30;

// Reasons of confinement (bits of the wrap column).
enum Wrap : std::uint8_t {
  kWrapSeccomp = 1,
  kWrapNsUser = 2,
  kWrapNsPid = 4,
  kWrapNsMnt = 8,
  kWrapNsNet = 16,
  kWrapLabel = 32,
  kWrapBounded = 64,
};

enum class WrapState : std::uint8_t { kFree = 0, kWrapped = 1, kBlind = 2, kNotApplicable = 3 };

// Zombie or dead by its state letter (proc_pid_stat(5) field 3).
constexpr bool IsFried(std::uint8_t state) { return state == 'Z' || state == 'X' || state == 'x'; }
// What exits and has given up what it was judged by is as good as dead: no row is between the living and the
// dead.
inline constexpr char kDeadState = 'X';
// PF_KTHREAD, linux/sched.h: a bit of the flags column.
inline constexpr std::uint32_t kPfKthread = 0x0020'0000;

// Where a listener is bound, and who holds it.
enum class Scope : std::uint8_t { kLoopback = 0, kPublic = 1 };
// Ownerless: every process that could hold it was seen, and none does. Blind: some could not be looked into.
enum class Owner : std::uint8_t { kHeld = 0, kOwnerless = 1, kBlind = 2 };

// Facts of a process (bits of the seen and refused columns).
enum Fact : std::uint16_t {
  kFactStat = 1,
  kFactStatus = 2,
  kFactExe = 4,
  kFactNsUser = 8,
  kFactNsPid = 16,
  kFactNsMnt = 32,
  kFactNsNet = 64,
  kFactCgroup = 128,
  kFactLabel = 256,
  kFactDescriptors = 512,
  kFactThreads = 1024,
};

inline constexpr std::uint32_t kCommBytes = 16;     // TASK_COMM_LEN, linux/sched.h
inline constexpr std::uint32_t kAddressBytes = 16;  // in6_addr

struct ProcessView {
  std::int32_t* pid;
  std::int32_t* ppid;
  std::uint32_t* uid;
  std::uint32_t* euid;
  std::int32_t* tty;
  std::uint32_t* flags;
  std::uint64_t* start;
  std::uint8_t* state;
  std::uint32_t* threads;
  std::int32_t* tracer;
  std::uint8_t* seccomp;
  std::uint8_t* no_new_privs;
  std::uint64_t* cap_eff;
  std::uint64_t* cap_bnd;
  std::uint32_t* ns_user;
  std::uint32_t* ns_pid;
  std::uint32_t* ns_mnt;
  std::uint32_t* ns_net;
  std::uint8_t* comm;
  std::uint32_t* exe_offset;
  std::uint32_t* exe_length;
  std::uint32_t* cgroup_offset;
  std::uint32_t* cgroup_length;
  std::uint64_t* identity;
  // 1 = mount or pid namespace other than the reference's, as the identity says.
  std::uint8_t* container;
  std::uint8_t* wrap;
  std::uint8_t* wrap_state;
  std::uint16_t* seen;
  std::uint16_t* refused;
  // Derived after a sweep (kernel/derive.h): Trait bits (core/traits.h), and 1 in the process tree of the
  // desk.
  std::uint16_t* traits;
  std::uint8_t* own;
};

struct ListenerView {
  std::uint8_t* family;
  std::uint8_t* protocol;
  std::uint8_t* address;
  std::uint16_t* port;
  std::uint32_t* inode;
  std::uint32_t* uid;
  std::uint8_t* v6only;
  // Derived after a sweep (kernel/derive.h).
  std::uint8_t* scope;
  std::uint8_t* owner;
  std::uint8_t* own;
  std::uint8_t* service;
  std::uint64_t* key;
};

struct ConnectionView {
  std::uint8_t* family;
  std::uint8_t* address;
  std::uint16_t* port;
  std::uint32_t* inode;
};

struct HolderView {
  std::uint32_t* inode;
  std::int32_t* pid;
  std::int32_t* fd;
};

// One column: its name in JavaScript, the pointer it fills, and how many elements make a row.
template <class View, class T>
struct Column {
  std::string_view name;
  T* View::*member;
  std::uint32_t width = 1;
  using Element = T;
};
template <class View, class T>
Column(std::string_view, T* View::*, std::uint32_t = 1) -> Column<View, T>;

inline constexpr std::tuple kProcessColumns{
    Column{"pid", &ProcessView::pid},
    Column{"ppid", &ProcessView::ppid},
    Column{"uid", &ProcessView::uid},
    Column{"euid", &ProcessView::euid},
    Column{"tty", &ProcessView::tty},
    Column{"flags", &ProcessView::flags},
    Column{"start", &ProcessView::start},
    Column{"state", &ProcessView::state},
    Column{"threads", &ProcessView::threads},
    Column{"tracer", &ProcessView::tracer},
    Column{"seccomp", &ProcessView::seccomp},
    Column{"noNewPrivs", &ProcessView::no_new_privs},
    Column{"capEff", &ProcessView::cap_eff},
    Column{"capBnd", &ProcessView::cap_bnd},
    Column{"nsUser", &ProcessView::ns_user},
    Column{"nsPid", &ProcessView::ns_pid},
    Column{"nsMnt", &ProcessView::ns_mnt},
    Column{"nsNet", &ProcessView::ns_net},
    Column{"comm", &ProcessView::comm, kCommBytes},
    Column{"exeOffset", &ProcessView::exe_offset},
    Column{"exeLength", &ProcessView::exe_length},
    Column{"cgroupOffset", &ProcessView::cgroup_offset},
    Column{"cgroupLength", &ProcessView::cgroup_length},
    Column{"identity", &ProcessView::identity},
    Column{"container", &ProcessView::container},
    Column{"wrap", &ProcessView::wrap},
    Column{"wrapState", &ProcessView::wrap_state},
    Column{"seen", &ProcessView::seen},
    Column{"refused", &ProcessView::refused},
    Column{"traits", &ProcessView::traits},
    Column{"own", &ProcessView::own},
};

inline constexpr std::tuple kListenerColumns{
    Column{"family", &ListenerView::family},
    Column{"protocol", &ListenerView::protocol},
    Column{"address", &ListenerView::address, kAddressBytes},
    Column{"port", &ListenerView::port},
    Column{"inode", &ListenerView::inode},
    Column{"uid", &ListenerView::uid},
    Column{"v6only", &ListenerView::v6only},
    Column{"scope", &ListenerView::scope},
    Column{"owner", &ListenerView::owner},
    Column{"own", &ListenerView::own},
    Column{"service", &ListenerView::service},
    Column{"key", &ListenerView::key},
};

inline constexpr std::tuple kConnectionColumns{
    Column{"family", &ConnectionView::family},
    Column{"address", &ConnectionView::address, kAddressBytes},
    Column{"port", &ConnectionView::port},
    Column{"inode", &ConnectionView::inode},
};

inline constexpr std::tuple kHolderColumns{
    Column{"inode", &HolderView::inode},
    Column{"pid", &HolderView::pid},
    Column{"fd", &HolderView::fd},
};

// Every table of one buffer, as pointers.
struct Columns {
  ProcessView processes{};
  ListenerView listeners{};
  ConnectionView connections{};
  HolderView holders{};
  std::uint8_t* text = nullptr;
};

// Name of the process in row `row`, raw bytes without padding.
inline std::string_view CommOf(const ProcessView& rows, std::uint32_t row) {
  const char* const comm = reinterpret_cast<const char*>(rows.comm) + std::size_t{row} * kCommBytes;
  return {comm, ::strnlen(comm, kCommBytes)};
}

// Hands out places in the buffer, one after another.
class Cursor {
 public:
  std::uint64_t Take(std::uint64_t bytes) {
    const std::uint64_t at = end_;
    end_ = (at + bytes + 63) & ~std::uint64_t{63};
    return at;
  }
  std::uint64_t end() const { return end_; }

 private:
  std::uint64_t end_ = 0;
};

// Calls visit(column, byte offset, elements) for every column of one table, in order.
template <class Table, class Visit>
void WalkTable(const Table& table, std::uint64_t rows, Cursor& cursor, Visit&& visit) {
  std::apply(
      [&](const auto&... column) {
        (visit(column,
               cursor.Take(rows * column.width * sizeof(typename std::decay_t<decltype(column)>::Element)),
               rows * column.width),
         ...);
      },
      table);
}

// Lays the tables over a buffer of at least LayoutBytes(capacity) bytes, aligned to 8.
inline Columns Bind(std::byte* base, const Capacity& capacity) {
  Columns columns;
  Cursor cursor;
  const auto into = [base](auto& view) {
    return [base, &view](const auto& column, std::uint64_t offset, std::uint64_t) {
      using Element = typename std::decay_t<decltype(column)>::Element;
      view.*(column.member) = reinterpret_cast<Element*>(base + offset);
    };
  };
  WalkTable(kProcessColumns, capacity.processes, cursor, into(columns.processes));
  WalkTable(kListenerColumns, capacity.sockets, cursor, into(columns.listeners));
  WalkTable(kConnectionColumns, capacity.sockets, cursor, into(columns.connections));
  WalkTable(kHolderColumns, capacity.holders, cursor, into(columns.holders));
  columns.text = reinterpret_cast<std::uint8_t*>(base + cursor.Take(capacity.text));
  return columns;
}

inline std::uint64_t LayoutBytes(const Capacity& capacity) {
  Cursor cursor;
  const auto nothing = [](const auto&, std::uint64_t, std::uint64_t) {};
  WalkTable(kProcessColumns, capacity.processes, cursor, nothing);
  WalkTable(kListenerColumns, capacity.sockets, cursor, nothing);
  WalkTable(kConnectionColumns, capacity.sockets, cursor, nothing);
  WalkTable(kHolderColumns, capacity.holders, cursor, nothing);
  cursor.Take(capacity.text);
  return cursor.end();
}

// First item of shard `shard` when `total` items are split evenly: floor(total × shard / shards).
inline std::uint32_t ShardBegin(std::uint32_t total, std::uint32_t shard, std::uint32_t shards) {
  return static_cast<std::uint32_t>(std::uint64_t{total} * shard / shards);
}

}  // namespace desk
