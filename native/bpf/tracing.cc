#include "bpf/tracing.h"

#include <fcntl.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "bpf/btf.h"
#include "bpf/btf_file.h"
#include "bpf/file_program.h"
#include "bpf/task_program.h"
#include "core/read.h"

namespace desk::bpf {
namespace {

// Inode numbers of the initial namespaces: linux/proc_ns.h, PROC_*_INIT_INO.
struct Initial {
  const char* link;
  std::string_view target;
  const char* name;
};
constexpr std::array<Initial, 3> kInitial{{
    {"/proc/self/ns/user", "user:[4026531837]", "user"},
    {"/proc/self/ns/pid", "pid:[4026531836]", "pid"},
    {"/proc/self/ns/time", "time:[4026531834]", "time"},
}};

std::string Because(const std::string& what, int error) { return what + ": " + std::strerror(error); }

class Loader {
 public:
  explicit Loader(Tracing& tracing) : tracing_(tracing) {}

  void Load() {
    LoadWith([this](const Btf& btf) {
      if (LoadTasks(btf)) LoadFiles(btf);
    });
  }
  // The task iterator alone, even where there is a better source.
  void LoadSeqFile() {
    LoadWith([this](const Btf& btf) { LoadSeqFileTasks(btf); });
  }

 private:
  template <class Next>
  void LoadWith(Next&& next) {
    if (!InInitialNamespaces()) return;
    const Result<BtfFile> file = BtfFile::Read();
    if (!file) {
      const char* const hint =
          file.error() == ENOENT ? " (the kernel was built without CONFIG_DEBUG_INFO_BTF, or /sys is hidden)"
                                 : "";
      return Fail(Stage::kBtf, file.error(), Because(kBtfPath, file.error()) + hint);
    }
    const Result<Btf> btf = Btf::Parse(file->bytes());
    if (!btf)
      return Fail(Stage::kBtf, btf.error(),
                  Because("The kernel's type information cannot be parsed", btf.error()));
    next(*btf);
  }

  void Fail(Stage stage, int error, std::string reason) {
    tracing_.stage = stage;
    tracing_.error = error;
    tracing_.reason = std::move(reason);
  }

  bool InInitialNamespaces() {
    const auto other = OutsideInitialNamespaces();
    if (!other) return true;
    Fail(Stage::kNamespace, other->error,
         "The kernel's iterators use the pids, uids and start times of the initial namespaces; the desk runs "
         "in another " +
             other->step + " namespace, or the namespace is unknown");
    return false;
  }

  // Plain loads first; if the verifier refuses them, loads by the helper.
  template <class Program, class Assemble>
  std::optional<Iterator> LoadEither(const Btf& btf, const char* name, Assemble&& assemble,
                                     Program& program) {
    for (const Reading reading : {Reading::kDirect, Reading::kHelper}) {
      std::string missing;
      Result<Program> assembled = assemble(btf, reading, missing);
      if (!assembled) {
        Fail(Stage::kBtf, assembled.error(),
             Because("The kernel's types do not have " + missing, assembled.error()));
        return std::nullopt;
      }
      program = std::move(assembled.value());
      Iterator::Step step{};
      std::string log;
      Result<Iterator> iterator =
          Iterator::Load(program.instructions, program.attach_btf_id, name, step, log);
      if (iterator) return std::move(iterator.value());
      const int error = iterator.error();
      // The verifier refuses with EACCES, too, but then there is a log.
      if (error == EPERM || (error == EACCES && log.empty())) {
        Fail(Stage::kPermission, error,
             "Loading a BPF program is not permitted: it needs root, or the capabilities CAP_BPF and "
             "CAP_PERFMON");
        return std::nullopt;
      }
      if (step == Iterator::Step::kLink) {
        Fail(Stage::kIterator, error, Because("The kernel refuses to attach the iterator program", error));
        return std::nullopt;
      }
      Fail(Stage::kProgram, error, Because("The kernel refuses the iterator program", error) + LastLine(log));
    }
    return std::nullopt;
  }

  // The verifier's error is before its statistics, in the last lines.
  static std::string LastLine(std::string_view log) {
    while (!log.empty()) {
      while (log.ends_with('\n')) log.remove_suffix(1);
      const std::size_t begin = log.rfind('\n');
      const std::string_view line = log.substr(begin == std::string_view::npos ? 0 : begin + 1);
      if (!line.starts_with("processed ")) return line.empty() ? "" : std::string(" (").append(line) + ")";
      log = log.substr(0, begin == std::string_view::npos ? 0 : begin);
    }
    return "";
  }

  bool LoadTasks(const Btf& btf) {
    Result<std::unique_ptr<OpenCodedTasks>> tasks = OpenCodedTasks::Load(btf);
    if (!tasks) return LoadSeqFileTasks(btf);
    tracing_.tasks = std::move(tasks.value());
    return true;
  }

  bool LoadSeqFileTasks(const Btf& btf) {
    TaskProgram program;
    std::optional<Iterator> iterator = LoadEither(btf, "desk_tasks", AssembleTaskProgram, program);
    if (!iterator) return false;
    auto tasks = std::make_unique<SeqFileTasks>(std::move(*iterator), program.facts);
    // A first run, so that failures show before the iterator is used.
    const Result<TaskRecords> read = tasks->ReadAll();
    const int error = read ? (read->records.empty() ? EBADMSG : 0) : read.error();
    if (error != 0) {
      Fail(Stage::kIterator, error, Because("The task iterator cannot be read", error));
      return false;
    }
    tracing_.tasks = std::move(tasks);
    Fail(Stage::kNone, 0, "");
    return true;
  }

  void LoadFiles(const Btf& btf) {
    FileProgram program;
    tracing_.files = LoadEither(btf, "desk_sockets", AssembleFileProgram, program);
    if (!tracing_.files) tracing_.files_error = tracing_.error;
    Fail(Stage::kNone, 0, "");
  }

  Tracing& tracing_;
};

std::atomic<bool> seq_file_forced = false;

}  // namespace

std::optional<Unavailable> OutsideInitialNamespaces() {
  for (const Initial& initial : kInitial) {
    const Result<std::string_view> target = ReadLink(AT_FDCWD, initial.link);
    // Kernels without that kind of namespace have no link; a missing pid link means that there is no /proc.
    if (target.error() == ENOENT && initial.name != std::string_view("pid")) continue;
    if (target && *target == initial.target) continue;
    return Unavailable{target ? EXDEV : target.error(), initial.name};
  }
  return std::nullopt;
}

const Tracing& TheTracing() {
  // Never destroyed: worker threads may still read while the process ends.
  static const Tracing* const tracing = [] {
    auto* const fresh = new Tracing;
    Loader(*fresh).Load();
    return fresh;
  }();
  return *tracing;
}

TaskSource* TasksInUse() {
  if (!seq_file_forced) return TheTracing().tasks.get();
  static const Tracing* const forced = [] {
    auto* const fresh = new Tracing;
    Loader(*fresh).LoadSeqFile();
    return fresh;
  }();
  return forced->tasks.get();
}

void ForceSeqFile(bool forced) { seq_file_forced = forced; }

const char* StageName(Stage stage) {
  // In the order of Stage.
  constexpr const char* kNames[] = {"", "permission", "btf", "program", "iterator", "namespace"};
  return kNames[static_cast<std::size_t>(stage)];
}

Result<std::span<const std::byte>> ReadSocketRecords() {
  thread_local ReadBuffer buffer;
  const Tracing& tracing = TheTracing();
  if (!tracing.files) return Errno{tracing.tasks ? tracing.files_error : tracing.error};
  return tracing.files->Read(buffer);
}

}  // namespace desk::bpf
