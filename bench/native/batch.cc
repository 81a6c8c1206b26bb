// One round of the batch bench, in a process of its own: `ROWS PASSES PROGRAM`. Prints a JSON object: per
// kind of work the nanoseconds per row of each pass. The kinds take turns within a pass, so that they can be
// compared.
//
// PROGRAM is a file that bench/cases/batch.ts writes: the tier-1 checks of processes, compiled as the service
// does.
#include <pthread.h>
#include <sched.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "core/columns.h"
#include "kernel/lookups.h"
#include "kernel/program.h"
#include "kernel/run.h"

namespace {

using desk::kernel::Code;
using desk::kernel::Program;
using desk::kernel::Run;

// Rows judged per reported pass: small tables are judged repeatedly.
constexpr std::uint64_t kRowsPerPass = 1u << 21;

std::uint64_t Mix(std::uint64_t seed) {
  std::uint64_t z = (seed + 1) * 0x9e37'79b9'7f4a'7c15u;
  z = (z ^ (z >> 30)) * 0xbf58'476d'1ce4'e5b9u;
  z = (z ^ (z >> 27)) * 0x94d0'49bb'1331'11ebu;
  return z ^ (z >> 31);
}

// A program and what its source points at.
struct Loaded {
  std::vector<std::uint32_t> operations, outputs;
  std::vector<std::uint64_t> values, parameters;
  std::vector<std::vector<std::uint64_t>> sets;
  std::vector<std::string> columns;
  std::vector<std::uint64_t> learned;
  std::unique_ptr<Program> program;

  void Compile(std::uint32_t registers, std::uint32_t kept) {
    desk::kernel::ProgramSource source;
    source.table = "processes";
    source.columns = columns;
    source.operations = operations;
    source.values = values;
    source.parameters = static_cast<std::uint32_t>(parameters.size());
    for (const auto& set : sets) source.sets.emplace_back(set);
    source.registers = registers;
    source.outputs = outputs;
    source.kept = kept;
    program = std::make_unique<Program>(source);
  }
};

template <class T>
std::vector<T> ReadList(std::istream& in) {
  std::size_t count = 0;
  in >> count;
  std::vector<T> list(count);
  for (T& one : list) in >> one;
  return list;
}

Loaded Load(const char* path) {
  std::ifstream in(path);
  Loaded loaded;
  std::uint32_t registers = 0;
  std::uint32_t kept = 0;
  std::size_t sets = 0;
  in >> registers >> kept;
  loaded.columns = ReadList<std::string>(in);
  loaded.operations = ReadList<std::uint32_t>(in);
  loaded.values = ReadList<std::uint64_t>(in);
  loaded.parameters = ReadList<std::uint64_t>(in);
  in >> sets;
  for (std::size_t at = 0; at < sets; ++at) loaded.sets.push_back(ReadList<std::uint64_t>(in));
  loaded.outputs = ReadList<std::uint32_t>(in);
  loaded.learned = ReadList<std::uint64_t>(in);
  if (!in) throw std::runtime_error("the program file is cut off");
  loaded.Compile(registers, kept);
  return loaded;
}

Loaded One(const char* column, Code code, std::vector<std::uint64_t> values, std::vector<std::uint64_t> set) {
  Loaded loaded;
  loaded.columns = {column};
  loaded.operations = {static_cast<std::uint32_t>(code), 0, 0, 0, 1};
  loaded.values = std::move(values);
  if (code == Code::kInSet) loaded.operations = {static_cast<std::uint32_t>(code), 0, 0, 0, 0};
  loaded.sets.push_back(std::move(set));
  loaded.outputs = {0};
  loaded.Compile(1, 1);
  return loaded;
}

// Bytes of one column, kept at a multiple of 64.
struct Memory {
  std::size_t width;
  std::unique_ptr<std::uint8_t[], decltype(&std::free)> bytes;
  Memory(std::size_t wide, std::size_t rows)
      : width(wide),
        bytes(static_cast<std::uint8_t*>(std::aligned_alloc(64, (wide * rows + 127) / 64 * 64)), &std::free) {
  }
  template <class T>
  T* as() const {
    return reinterpret_cast<T*>(bytes.get());
  }
};

// A machine without findings: a tenth kernel threads, identities learned, parents present:
// pid 1 of three quarters, else one not far below, for pids are given out in order.
class Table {
 public:
  Table(std::uint32_t rows, const std::vector<std::uint64_t>& identities) : rows_(rows) {
    // Every column of a process: what the checks read changes with them.
    std::apply([this](const auto&... column) { (Add(column), ...); }, desk::kProcessColumns);
    auto* const ppid = Get<std::int32_t>("ppid");
    for (std::uint32_t row = 0; row < rows; ++row) {
      const std::uint64_t random = Mix(row);
      const bool kernel = random % 10 == 0;
      Get<std::int32_t>("pid")[row] = static_cast<std::int32_t>(row + 1);
      ppid[row] =
          static_cast<std::int32_t>(random % 4 == 0 ? row + 1 - random / 8 % std::min(row + 1, 4096u) : 1);
      Get<std::uint32_t>("flags")[row] = kernel ? 0x0020'8040 : 0x0040'0100;
      Get<std::int32_t>("tracer")[row] = 0;
      Get<std::uint32_t>("uid")[row] = static_cast<std::uint32_t>(random % 16);
      Get<std::uint64_t>("start")[row] = random % 100'000;
      Get<std::uint64_t>("identity")[row] = identities[random % identities.size()];
      Get<std::uint64_t>("capEff")[row] = Mix(random % 16);
      Get<std::uint16_t>("seen")[row] = 0x7ff;
      Get<std::uint16_t>("traits")[row] = 0;
      Get<std::uint8_t>("state")[row] = 'S';
    }
    LookUp(desk::Identities(identities, {}));
  }
  void LookUp(const desk::Identities& identities) const {
    desk::ProcessView view{};
    const auto bind = [&](const auto& column) {
      using Element = typename std::decay_t<decltype(column)>::Element;
      view.*(column.member) = Get<Element>(std::string(column.name));
    };
    std::apply([&](const auto&... column) { (bind(column), ...); }, desk::kProcessColumns);
    desk::LookUpRows(view, rows_, identities);
  }
  std::uint32_t rows() const { return rows_; }
  template <class T>
  T* Get(const std::string& name) const {
    return columns_.at(name).template as<T>();
  }
  std::size_t width(const std::string& name) const { return columns_.at(name).width; }

 private:
  template <class Column>
  void Add(const Column& column) {
    const auto& [made, _] = columns_.try_emplace(std::string(column.name),
                                                 column.width * sizeof(typename Column::Element), rows_);
    std::memset(made->second.bytes.get(), 0, made->second.width * rows_);
  }

  std::uint32_t rows_;
  std::map<std::string, Memory> columns_;
};

#if defined(__AVX512F__)
constexpr std::size_t kVector = 64;
#else
constexpr std::size_t kVector = 16;
#endif
typedef std::uint64_t Vector __attribute__((vector_size(kVector), aligned(16), may_alias));

// Reads every byte of a part of a column and does almost nothing with it: the maximum possible rate.
void ReadAll(const std::uint8_t* from, std::size_t bytes) {
  Vector sum[8] = {};
  const auto* at = reinterpret_cast<const Vector*>(from);
  const std::size_t vectors = bytes / kVector;
  for (std::size_t i = 0; i + 8 <= vectors; i += 8)
    for (std::size_t k = 0; k < 8; ++k) sum[k] |= at[i + k];
  for (std::size_t k = 1; k < 8; ++k) sum[0] |= sum[k];
  asm volatile("" : : "m"(sum[0]) : "memory");
}

using Part = std::function<void(std::uint32_t from, std::uint32_t to, int worker)>;

// Runs one program over a part of the table.
class Judge {
 public:
  Judge(const Loaded& loaded, const Table& table)
      : loaded_(loaded),
        table_(table),
        verdicts_(loaded.program->kept() * desk::kernel::BitmapBytes(table.rows())) {
    for (const std::string& name : loaded.columns) starts_.push_back(table.Get<std::uint8_t>(name));
  }
  void operator()(std::uint32_t from, std::uint32_t to, int worker) {
    Run run;
    run.rows = table_.rows();
    run.from = from;
    run.to = to;
    run.parameters = loaded_.parameters;
    run.verdicts = verdicts_;
    std::vector<std::uint64_t> counts(loaded_.outputs.size());
    desk::kernel::RunKernel(*loaded_.program, starts_, run, scratch_[worker], counts);
    asm volatile("" : : "m"(*counts.data()) : "memory");
  }

 private:
  const Loaded& loaded_;
  const Table& table_;
  std::vector<std::uint8_t> verdicts_;
  std::vector<const void*> starts_;
  desk::kernel::Scratch scratch_[2];
};

void Pin(int core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core, &set);
  ::pthread_setaffinity_np(::pthread_self(), sizeof set, &set);
}

double Seconds(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

int TurnsOf(std::uint32_t rows) { return static_cast<int>(std::max<std::uint64_t>(1, kRowsPerPass / rows)); }

// CPU nanoseconds per row, of this thread: not affected by other work on the machine.
double TimeAlone(const Part& part, std::uint32_t rows) {
  part(0, rows, 0);
  const double began = Seconds(CLOCK_THREAD_CPUTIME_ID);
  for (int turn = 0; turn < TurnsOf(rows); ++turn) part(0, rows, 0);
  return (Seconds(CLOCK_THREAD_CPUTIME_ID) - began) * 1e9 / TurnsOf(rows) / rows;
}

// Wall clock nanoseconds per row, by one worker or two, each with its half and a core of its
// own.
double TimeTogether(const Part& part, std::uint32_t rows, int workers) {
  std::atomic<int> ready{0};
  std::vector<double> began(static_cast<std::size_t>(workers)), ended(static_cast<std::size_t>(workers));
  const auto work = [&](int worker) {
    Pin(worker);
    const std::uint32_t half = rows / 2 / 64 * 64;
    const std::uint32_t from = worker == 0 ? 0 : half;
    const std::uint32_t to = worker == 0 && workers > 1 ? half : rows;
    part(from, to, worker);
    ready.fetch_add(1);
    while (ready.load() < workers) {
    }
    began[static_cast<std::size_t>(worker)] = Seconds(CLOCK_MONOTONIC);
    for (int turn = 0; turn < TurnsOf(rows); ++turn) part(from, to, worker);
    ended[static_cast<std::size_t>(worker)] = Seconds(CLOCK_MONOTONIC);
  };
  std::vector<std::thread> threads;
  for (int worker = 0; worker < workers; ++worker) threads.emplace_back(work, worker);
  for (std::thread& thread : threads) thread.join();
  return (*std::ranges::max_element(ended) - *std::ranges::min_element(began)) * 1e9 / TurnsOf(rows) / rows;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: batch ROWS PASSES PROGRAM\n";
    return 2;
  }
  const auto rows = static_cast<std::uint32_t>(std::stoul(argv[1]));
  const int passes = std::stoi(argv[2]);
  const Loaded checks = Load(argv[3]);
  const Table table(rows, checks.learned);
  const desk::Identities identities(checks.learned, {});

  std::vector<std::uint64_t> eight;
  for (std::uint64_t member = 0; member < 8; ++member) eight.push_back(Mix(member));
  const Loaded masked32 = One("flags", Code::kMasked, {0x0020'0000, 0x0020'0000}, {});
  const Loaded masked64 = One("capEff", Code::kMasked, {0xff00, 0x0100}, {});
  const Loaded in8 = One("capEff", Code::kInSet, {}, eight);
  std::size_t batch_bytes = 0;
  for (const std::string& name : checks.columns) batch_bytes += table.width(name);

  const auto read = [&table](std::vector<std::string> names) -> Part {
    return [&table, names](std::uint32_t from, std::uint32_t to, int) {
      for (const std::string& name : names) {
        const std::size_t width = table.width(name);
        ReadAll(table.Get<std::uint8_t>(name) + from * width, (to - from) * width);
      }
    };
  };
  const auto judge = [&table](const Loaded& loaded) -> Part {
    const auto judge = std::make_shared<Judge>(loaded, table);
    return [judge](std::uint32_t from, std::uint32_t to, int worker) { (*judge)(from, to, worker); };
  };
  struct Kind {
    const char* name;
    Part part;
    int workers;  // 0: this thread alone, by its CPU time
    std::vector<double> times;
  };
  std::vector<Kind> kinds;
  const auto add = [&kinds](const char* name, Part part, int workers) {
    kinds.push_back({name, std::move(part), workers, {}});
  };
  add("read32", read({"flags"}), 0);
  add("masked32", judge(masked32), 0);
  add("read64", read({"capEff"}), 0);
  add("masked64", judge(masked64), 0);
  add("in8", judge(in8), 0);
  add("readBatch", read(checks.columns), 0);
  add("batch", judge(checks), 0);
  add("batchOne", judge(checks), 1);
  add("batchTwo", judge(checks), 2);
  add(
      "lookUp", [&](std::uint32_t, std::uint32_t, int) { table.LookUp(identities); }, 0);
  for (int pass = 0; pass < passes; ++pass) {
    for (Kind& kind : kinds) {
      kind.times.push_back(kind.workers == 0 ? TimeAlone(kind.part, rows)
                                             : TimeTogether(kind.part, rows, kind.workers));
    }
  }
  std::printf("{\"rows\":%u,\"batchBytes\":%zu", rows, batch_bytes);
  for (const Kind& kind : kinds) {
    std::printf(",\"%s\":[", kind.name);
    for (std::size_t at = 0; at < kind.times.size(); ++at)
      std::printf(at == 0 ? "%.4f" : ",%.4f", kind.times[at]);
    std::printf("]");
  }
  std::printf("}\n");
  return 0;
}
