#include "peek/process.h"

#include <fcntl.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <optional>
#include <string_view>
#include <vector>

#include "core/directory.h"
#include "core/fd.h"
#include "core/open_at.h"
#include "core/read.h"
#include "core/text.h"
#include "peek/environment.h"
#include "peek/image.h"
#include "peek/links.h"
#include "peek/maps.h"
#include "peek/writer.h"
#include "probe/proc_cgroup.h"
#include "probe/proc_stat.h"

namespace desk {
namespace {

constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};
// No environment that exec allowed comes near it (a quarter of the stack limit); prctl(PR_SET_MM) can make
// one longer.
constexpr std::uint64_t kMostEnvironment = 64 << 20;
constexpr int kMostDescriptors = 1 << 16;
constexpr std::size_t kMostDevices = 32;
constexpr std::uint32_t kPfExiting = 0x4;  // PF_EXITING, linux/sched.h: its memory may be gone already

// A process that is there: its folder, and below it that of a thread that lives.
struct Subject {
  Fd folder;
  // "" or "task/123/".
  std::string thread;
  std::uint64_t start = 0;
  std::uint64_t code_start = 0;

  std::string File(const char* name) const { return thread + name; }
};

bool IsEnding(const Stat& stat) { return stat.fried() || (stat.flags & kPfExiting) != 0; }

// Field 26 of proc_pid_stat(5); 0 when it may not be known.
std::uint64_t CodeStart(std::string_view stat) {
  std::string_view rest = stat.substr(std::min(stat.rfind(')'), stat.size()));
  constexpr int kCodeStart = 26;
  std::string_view value;
  for (int field = 2; field <= kCodeStart; ++field) value = TakeUntil(rest, ' ');
  return ParseNumber<std::uint64_t>(value).value_or(0);
}

// "task/123/" of a thread that lives; nothing when none does.
std::optional<std::string> LivingThread(int folder) {
  std::optional<std::string> found;
  // A refused walk has found nothing either.
  static_cast<void>(WalkNumbers(folder, "task", [&](std::int32_t tid, int) {
    const std::string below = "task/" + std::to_string(tid) + "/";
    const Result<Stat> stat = ReadStat(folder, (below + "stat").c_str(), tid);
    if (stat && !IsEnding(*stat)) found = below;
    return !found;
  }));
  return found;
}

// Nothing when the process is not there any more.
std::optional<Subject> Open(int proc, std::int32_t pid, std::uint64_t start) {
  Subject subject;
  subject.folder = Fd(::openat(proc, std::to_string(pid).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!subject.folder.valid()) return std::nullopt;
  const Result<std::string_view> text = ReadRecord(subject.folder.get(), "stat");
  if (!text) return std::nullopt;
  const Result<Stat> stat = ParseStat(*text);
  if (!stat || stat->start != start) return std::nullopt;
  subject.start = start;
  subject.code_start = CodeStart(*text);
  // The leader's own files tell nothing any more once it has exited.
  if (IsEnding(*stat)) {
    const std::optional<std::string> thread = LivingThread(subject.folder.get());
    if (!thread) return std::nullopt;
    subject.thread = *thread;
  }
  return subject;
}

// Gives a file to take(piece) until it ends; 0, the errno of a refusal, or EFBIG beyond `most` bytes.
template <class Take>
int ReadPieces(const Subject& subject, const char* name, std::uint64_t most, Take&& take) {
  const Fd file(::openat(subject.folder.get(), subject.File(name).c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (!file.valid()) return errno;
  // Only what was read into it is read.
  static std::array<char, 64 << 10> buffer;
  int error = 0;
  for (std::uint64_t read = 0;;) {
    const ssize_t got = ::read(file.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) error = errno;
    if (got <= 0) break;
    read += static_cast<std::uint64_t>(got);
    if (read > most) {
      error = EFBIG;
      break;
    }
    take(std::string_view(buffer.data(), static_cast<std::size_t>(got)));
  }
  // Others' environments hold secrets.
  ::explicit_bzero(buffer.data(), buffer.size());
  return error;
}

void WriteEnvironment(const Subject& subject, Writer& out) {
  LoaderEnvironment environment;
  const int error = ReadPieces(subject, "environ", kMostEnvironment,
                               [&](std::string_view piece) { environment.Take(piece); });
  environment.End();
  out.Name("environment");
  if (error != 0) {
    out.Refusal(error, "environ");
    return;
  }
  out.Open('{');
  for (std::size_t at = 0; at < kLoaderVariables.size(); ++at) {
    if (!environment.value(at).empty()) out.Name(kLoaderVariables[at]).Text(environment.value(at));
  }
  out.Close('}');
}

void WriteMapping(const Mapping& mapping, Writer& out) {
  std::array<char, 16> digits{};
  const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), mapping.start, 16);
  out.Name("start").Text({digits.data(), written.ptr});
  out.Name("bytes").Number(mapping.bytes);
  out.Name("permissions").Text(mapping.permissions);
  out.Name("path").Text(mapping.path);
}

// Whether a file lies where an unlinked one did, as the process sees it. Asks for nothing but the name.
bool IsReplaced(int root, std::string_view path) {
  const std::string name(WithoutDeleted(path));
  return OpenAt(root, name.c_str(), O_PATH | O_NOFOLLOW, RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS).ok();
}

// `root`, of unlinked files: where to look for what replaced them.
void WriteMappings(const Mappings& mappings, std::optional<int> root, Writer& out) {
  out.Open('{').Name("total").Number(mappings.total).Name("some").Open('[');
  for (const Mapping& mapping : mappings.some) {
    out.Open('{');
    WriteMapping(mapping, out);
    if (root) out.Name("replaced").Truth(IsReplaced(*root, mapping.path));
    out.Close('}');
  }
  out.Close(']').Close('}');
}

// False when there is no mapping at all: the process has given its memory back, and is about to end.
bool WriteMaps(const Subject& subject, Writer& out) {
  MapReader reader(subject.code_start);
  int error = ReadPieces(subject, "maps", kNoLimit, [&](std::string_view piece) { reader.Take(piece); });
  const Result<MapFacts> facts = reader.End();
  if (error == 0) error = facts.error();
  out.Name("maps");
  if (error != 0) {
    out.Refusal(error, "maps");
    return true;
  }
  if (!facts->first) return false;
  out.Open('{').Name("writableCode");
  WriteMappings(facts->writable_code, std::nullopt, out);
  out.Name("anonymousCode");
  WriteMappings(facts->anonymous_code, std::nullopt, out);
  const Fd root(facts->deleted_code.total == 0
                    ? -1
                    : ::openat(subject.folder.get(), "root", O_PATH | O_DIRECTORY | O_CLOEXEC));
  out.Name("deletedCode");
  WriteMappings(facts->deleted_code, root.get(), out);
  out.Name("first").Open('{');
  WriteMapping(*facts->first, out);
  out.Name("anonymousCode").Truth(facts->first_is_anonymous_code);
  out.Name("holdsCode").Truth(facts->first_holds_code).Close('}').Close('}');
  return true;
}

struct Descriptor {
  std::int32_t fd;
  std::string target;
  // Of a socket, as the kernel calls it.
  std::string protocol;
};

struct Descriptors {
  std::vector<Descriptor> standard_sockets;
  std::vector<Descriptor> devices;
};

// The name of a socket's protocol; a refusal when the kernel does not tell it.
Result<std::string> ProtocolOf(int directory, std::int32_t fd) {
  const std::string path = "/proc/self/fd/" + std::to_string(directory) + "/" + std::to_string(fd);
  std::array<char, 64> name{};
  const ssize_t got = ::getxattr(path.c_str(), "system.sockprotoname", name.data(), name.size() - 1);
  if (got < 0) return Errno{errno};
  return std::string(name.data());
}

Result<Descriptors> ReadDescriptors(const Subject& subject) {
  Descriptors found;
  int count = 0;
  int failed = 0;
  const Result<bool> walked =
      WalkNumbers(subject.folder.get(), subject.File("fd").c_str(), [&](std::int32_t fd, int directory) {
        if (++count > kMostDescriptors) {
          failed = EFBIG;
          return false;
        }
        std::array<char, 64> link{};  // those wanted fit
        const ssize_t got = ::readlinkat(directory, std::to_string(fd).c_str(), link.data(), link.size());
        if (got < 0) {
          if (!IsGone(errno)) failed = errno;  // gone: closed meanwhile
          return failed == 0;
        }
        const std::string_view target(link.data(), static_cast<std::size_t>(got));
        const LinkKind kind = LinkKindOf(target);
        if (kind == LinkKind::kSocket && fd <= STDERR_FILENO) {
          const Result<std::string> protocol = ProtocolOf(directory, fd);
          if (!protocol && !IsGone(protocol.error())) failed = protocol.error();
          if (protocol && IsInternetProtocol(*protocol))
            found.standard_sockets.push_back(
                {.fd = fd, .target = std::string(target), .protocol = *protocol});
        } else if (kind != LinkKind::kOther && kind != LinkKind::kSocket &&
                   found.devices.size() < kMostDevices) {
          found.devices.push_back({.fd = fd, .target = std::string(target), .protocol = {}});
        }
        return true;
      });
  if (!walked) return walked.refusal();
  if (failed != 0) return Errno{failed};
  return found;
}

void WriteDescriptors(const Subject& subject, Writer& out) {
  const Result<Descriptors> found = ReadDescriptors(subject);
  out.Name("descriptors");
  if (!found) {
    out.Refusal(found.error(), "fd");
    return;
  }
  out.Open('{').Name("standardSockets").Open('[');
  for (const Descriptor& one : found->standard_sockets) {
    out.Open('{').Name("fd").Number(static_cast<std::uint64_t>(one.fd)).Name("target").Text(one.target);
    out.Name("protocol").Text(one.protocol).Close('}');
  }
  out.Close(']').Name("devices").Open('[');
  for (const Descriptor& one : found->devices) {
    out.Open('{')
        .Name("fd")
        .Number(static_cast<std::uint64_t>(one.fd))
        .Name("target")
        .Text(one.target)
        .Close('}');
  }
  out.Close(']').Close('}');
}

void WriteCommandLine(const Subject& subject, Writer& out) {
  out.Name("emptyCommandLine");
  const Fd file(::openat(subject.folder.get(), subject.File("cmdline").c_str(), O_RDONLY | O_CLOEXEC));
  char byte = 0;
  const ssize_t got = file.valid() ? ::read(file.get(), &byte, 1) : -1;
  if (got < 0) {
    out.Refusal(errno, "cmdline");
  } else {
    out.Truth(got == 0);
  }
}

// Seconds since a start in clock ticks after boot.
std::uint64_t AgeSec(std::uint64_t start) {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  const auto started = start / static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK));
  const auto up = static_cast<std::uint64_t>(now.tv_sec);
  return up > started ? up - started : 0;
}

// The last part of the control group's path: with systemd the unit. Empty when there is none or it is
// refused.
std::string UnitOf(const Subject& subject) {
  const Result<std::string_view> path = ReadCgroup(subject.folder.get(), "cgroup");
  if (!path) return {};
  constexpr std::size_t kMostUnit = 256;
  return std::string(path->substr(path->rfind('/') + 1).substr(0, kMostUnit));
}

// What it runs by now (proc_pid_exe(5)), asked when all else was read. Empty when that is refused.
std::string ExecutableOf(const Subject& subject) {
  const Result<std::string_view> target = ReadLink(subject.folder.get(), subject.File("exe").c_str());
  return target ? std::string(*target) : std::string();
}

void WriteImage(const Result<Image>& image, Writer& out) {
  out.Name("image");
  if (!image) {
    out.Refusal(image.error(), "exe");
    return;
  }
  out.Open('{').Name("device").Text(std::to_string(image->major) + ":" + std::to_string(image->minor));
  out.Name("inode").Text(std::to_string(image->inode)).Name("size").Number(image->size);
  out.Name("modifiedNs").Text(std::to_string(image->modified));
  out.Name("changedNs").Text(std::to_string(image->changed)).Close('}');
}

std::string Gone(std::int32_t pid) { return "{\"pid\":" + std::to_string(pid) + ",\"gone\":true}"; }

void Begin(std::int32_t pid, std::uint64_t start, Writer& out) {
  out.Open('{').Name("pid").Number(static_cast<std::uint64_t>(pid)).Name("start").Text(std::to_string(start));
}

}  // namespace

std::string Peek(int proc, std::int32_t pid, std::uint64_t start) {
  const std::optional<Subject> subject = Open(proc, pid, start);
  if (!subject) return Gone(pid);
  std::string text;
  Writer out(text);
  Begin(pid, start, out);
  out.Name("facts").Open('{').Name("ageSec").Number(AgeSec(start)).Name("unit").Text(UnitOf(*subject));
  // What cannot block comes first.
  WriteDescriptors(*subject, out);
  WriteEnvironment(*subject, out);
  if (!WriteMaps(*subject, out)) return Gone(pid);
  WriteCommandLine(*subject, out);
  WriteImage(ReadImage(subject->folder.get(), subject->File("exe").c_str()), out);
  out.Name("executable").Text(ExecutableOf(*subject));
  out.Close('}').Close('}');
  // A process that was ending meanwhile looks empty, which says nothing of what it was.
  if (!Open(proc, pid, start)) return Gone(pid);
  return text;
}

std::string PeekDigest(int proc, std::int32_t pid, std::uint64_t start) {
  const std::optional<Subject> subject = Open(proc, pid, start);
  if (!subject) return Gone(pid);
  const Result<Digest> digest = ReadDigest(subject->folder.get(), subject->File("exe").c_str());
  if (!Open(proc, pid, start)) return Gone(pid);
  std::string text;
  Writer out(text);
  Begin(pid, start, out);
  if (digest) {
    WriteImage(digest->image, out);
    out.Name("sha256").Text(digest->text);
  } else {
    WriteImage(digest.refusal(), out);
  }
  out.Close('}');
  return text;
}

}  // namespace desk
