// The columns of one sweep (core/columns.def): a struct of arrays in one shared buffer, which JavaScript lays
// out by layout(). Every column starts at a multiple of 64 bytes from the start of the buffer.
#pragma once

#include <array>
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
  bool operator==(const Capacity&) const = default;
};

inline constexpr std::uint32_t kMaxProcesses = 1u << 22;  // PID_MAX_LIMIT, linux/threads.h
inline constexpr std::uint32_t kMaxSockets = 1u << 22;
inline constexpr std::uint32_t kMaxHolders = 1u << 24;
inline constexpr std::uint32_t kMaxText = 1u << 30;

enum Wrap : std::uint8_t {
#define WRAP(name, value) name = (value),
#include "core/columns.def"
};

enum class WrapState : std::uint8_t {
#define WRAP_STATE(name, value) name = (value),
#include "core/columns.def"
};

// Zombie or dead by its state letter (proc_pid_stat(5) field 3).
constexpr bool IsZombie(std::uint8_t state) { return state == 'Z' || state == 'X' || state == 'x'; }
// Runs, sleeps or is idle: a difference of these says nothing about the process.
constexpr bool IsScheduled(std::uint8_t state) {
  return state == 'R' || state == 'S' || state == 'D' || state == 'I';
}
// Also for a process that is exiting and has already given up what it would be judged by.
inline constexpr char kDeadState = 'X';
// PF_KTHREAD, linux/sched.h: a bit of the flags column.
inline constexpr std::uint32_t kPfKthread = 0x0020'0000;

enum Lookup : std::uint8_t {
#define LOOKUP(name, value) name = (value),
#include "core/columns.def"
};

enum class Scope : std::uint8_t {
#define SCOPE(name, value) name = (value),
#include "core/columns.def"
};

enum class Owner : std::uint8_t {
#define OWNER(name, value) name = (value),
#include "core/columns.def"
};

enum Fact : std::uint16_t {
#define FACT(name, value) name = (value),
#include "core/columns.def"
};

inline constexpr std::uint32_t kCommBytes = 16;     // TASK_COMM_LEN, linux/sched.h
inline constexpr std::uint32_t kAddressBytes = 16;  // in6_addr

struct ProcessView {
#define PROCESS(member, name, Element, ...) Element* member;
#include "core/columns.def"
};

struct ListenerView {
#define LISTENER(member, name, Element, ...) Element* member;
#include "core/columns.def"
};

struct ConnectionView {
#define CONNECTION(member, name, Element, ...) Element* member;
#include "core/columns.def"
};

struct HolderView {
#define HOLDER(member, name, Element, ...) Element* member;
#include "core/columns.def"
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
#define PROCESS(member, name, Element, ...) Column{name, &ProcessView::member __VA_OPT__(, ) __VA_ARGS__},
#include "core/columns.def"
};

inline constexpr std::tuple kListenerColumns{
#define LISTENER(member, name, Element, ...) Column{name, &ListenerView::member __VA_OPT__(, ) __VA_ARGS__},
#include "core/columns.def"
};

inline constexpr std::tuple kConnectionColumns{
#define CONNECTION(member, name, Element, ...) \
  Column{name, &ConnectionView::member __VA_OPT__(, ) __VA_ARGS__},
#include "core/columns.def"
};

inline constexpr std::tuple kHolderColumns{
#define HOLDER(member, name, Element, ...) Column{name, &HolderView::member __VA_OPT__(, ) __VA_ARGS__},
#include "core/columns.def"
};

// Every table of one buffer, as pointers.
struct Columns {
  ProcessView processes{};
  ListenerView listeners{};
  ConnectionView connections{};
  HolderView holders{};
  std::uint8_t* text = nullptr;
};

// A name without its padding, raw bytes.
inline std::string_view CommOf(const std::array<char, kCommBytes>& comm) {
  return {comm.data(), ::strnlen(comm.data(), comm.size())};
}
// The same of the process in row `row`.
inline std::string_view CommOf(const ProcessView& rows, std::uint32_t row) {
  const char* const comm = reinterpret_cast<const char*>(rows.comm) + std::size_t{row} * kCommBytes;
  return {comm, ::strnlen(comm, kCommBytes)};
}

// A text of a row. JavaScript can write to a buffer: positions are checked like any argument.
inline std::string_view TextOf(const Columns& columns, const Capacity& capacity, std::uint32_t offset,
                               std::uint32_t length) {
  if (offset > capacity.text || length > capacity.text - offset) return {};
  return {reinterpret_cast<const char*>(columns.text) + offset, length};
}

inline std::string_view ExecutableOf(const Columns& columns, const Capacity& capacity, std::uint32_t row) {
  const ProcessView& rows = columns.processes;
  return TextOf(columns, capacity, rows.exe_offset[row], rows.exe_length[row]);
}

inline std::string_view CgroupOf(const Columns& columns, const Capacity& capacity, std::uint32_t row) {
  const ProcessView& rows = columns.processes;
  return TextOf(columns, capacity, rows.cgroup_offset[row], rows.cgroup_length[row]);
}

// Allocates ranges of the buffer, one after another.
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

// Calls visit(columns of a table, its rows, the view of the table) for every table, in their order in the
// buffer.
template <class Visit>
void EachTable(const Capacity& capacity, Columns& columns, Visit&& visit) {
  visit(kProcessColumns, capacity.processes, columns.processes);
  visit(kListenerColumns, capacity.sockets, columns.listeners);
  visit(kConnectionColumns, capacity.sockets, columns.connections);
  visit(kHolderColumns, capacity.holders, columns.holders);
}

// Lays the tables over a buffer of at least LayoutBytes(capacity) bytes, aligned to 8.
inline Columns Bind(std::byte* base, const Capacity& capacity) {
  Columns columns;
  Cursor cursor;
  EachTable(capacity, columns, [&](const auto& table, std::uint64_t rows, auto& view) {
    WalkTable(table, rows, cursor, [&](const auto& column, std::uint64_t offset, std::uint64_t) {
      using Element = typename std::decay_t<decltype(column)>::Element;
      view.*(column.member) = reinterpret_cast<Element*>(base + offset);
    });
  });
  columns.text = reinterpret_cast<std::uint8_t*>(base + cursor.Take(capacity.text));
  return columns;
}

inline std::uint64_t LayoutBytes(const Capacity& capacity) {
  Columns columns;
  Cursor cursor;
  EachTable(capacity, columns, [&](const auto& table, std::uint64_t rows, auto&) {
    WalkTable(table, rows, cursor, [](const auto&, std::uint64_t, std::uint64_t) {});
  });
  cursor.Take(capacity.text);
  return cursor.end();
}

// First item of shard `shard` when `total` items are split evenly: floor(total × shard / shards).
inline std::uint32_t ShardBegin(std::uint32_t total, std::uint32_t shard, std::uint32_t shards) {
  return static_cast<std::uint32_t>(std::uint64_t{total} * shard / shards);
}

}  // namespace desk
