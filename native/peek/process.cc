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
#include "core/hex.h"
#include "core/open_at.h"
#include "core/read.h"
#include "core/text.h"
#include "peek/command_line.h"
#include "peek/environment.h"
#include "peek/image.h"
#include "peek/links.h"
#include "peek/maps.h"
#include "peek/peers.h"
#include "peek/subject.h"
#include "peek/writer.h"
#include "probe/proc_cgroup.h"
#include "probe/proc_fd.h"

namespace desk {
namespace {

// exec allows much less (a quarter of the stack limit), but prctl(PR_SET_MM) can set a longer one.
constexpr std::uint64_t kMostEnvironment = 64 << 20;
constexpr int kMostDescriptors = 1 << 16;
constexpr std::size_t kMostDevices = 32;
// Some 100,000 sockets.
constexpr std::uint64_t kMostTable = 16 << 20;

void WriteEnvironment(const Subject& subject, Writer& out) {
  LoaderEnvironment environment;
  const int error = ReadPieces(subject, "environ", kMostEnvironment, [&](std::string_view piece) {
    environment.Take(piece);
    return true;
  });
  environment.End();
  out.Name("environment");
  if (error != 0) {
    out.Refusal(error, "environ");
    return;
  }
  std::optional<bool> secure;
  out.Open('{');
  for (std::size_t at = 0; at < kLoaderVariables.size(); ++at) {
    const LoaderEnvironment::Value& value = environment.value(at);
    if (value.text.empty()) continue;
    if (!secure) secure = IsSecure(ReadVector(subject));
    if (*secure) break;
    out.Name(kLoaderVariables[at]).Open('{').Name("text").Text(value.text);
    out.Name("whole").Truth(value.whole).Close('}');
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

// Whether there is a file at the path of an unlinked one, as the process sees it. Resolves only the name.
bool IsReplaced(int root, std::string_view path) {
  const std::string name(WithoutDeleted(path));
  return OpenAt(root, name.c_str(), O_PATH | O_NOFOLLOW, RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS).ok();
}

// Without the end of the object.
void WriteMappings(const Mappings& mappings, Writer& out) {
  out.Open('{').Name("total").Number(mappings.total).Name("whole").Truth(mappings.whole);
  out.Name("some").Open('[');
  for (const Mapping& mapping : mappings.some) {
    out.Open('{');
    WriteMapping(mapping, out);
    out.Close('}');
  }
  out.Close(']');
}

// Whether there are any, and all of their paths exist again.
bool AreReplaced(const Subject& subject, const Paths& deleted) {
  if (!deleted.whole || deleted.some.empty()) return false;
  const Fd root(::openat(subject.folder.get(), "root", O_PATH | O_DIRECTORY | O_CLOEXEC));
  return root.valid() && std::ranges::all_of(deleted.some, [&root](const std::string& path) {
           return IsReplaced(root.get(), path);
         });
}

// False when there is no mapping at all: the process has released its memory and is about to end.
bool WriteMaps(const Subject& subject, Writer& out) {
  MapReader reader(subject.code_start, ExecutableOf(subject));
  int error = ReadPieces(subject, "maps", kNoLimit, [&](std::string_view piece) {
    reader.Take(piece);
    return true;
  });
  const Result<MapFacts> facts = reader.End();
  if (error == 0) error = facts.error();
  out.Name("maps");
  if (error != 0) {
    out.Refusal(error, "maps");
    return true;
  }
  if (!facts->first) return false;
  out.Open('{').Name("writableCode");
  WriteMappings(facts->writable_code, out);
  out.Close('}').Name("anonymousCode");
  WriteMappings(facts->anonymous_code, out);
  out.Close('}').Name("deletedCode");
  WriteMappings(facts->deleted_code, out);
  out.Name("replaced").Truth(AreReplaced(subject, facts->deleted_paths));
  out.Close('}').Name("first").Open('{');
  WriteMapping(*facts->first, out);
  out.Name("anonymousCode").Truth(facts->first_is_anonymous_code);
  out.Name("holdsCode").Truth(facts->first_holds_code).Close('}').Close('}');
  return true;
}

struct Descriptor {
  std::int32_t fd;
  std::string target;
  // Of a socket, as the kernel calls it.
  std::string protocol = {};
  // Of a socket: nothing when it is not connected or could not be read.
  std::optional<Peer> peer = std::nullopt;
};

struct Descriptors {
  std::vector<Descriptor> standard_sockets;
  std::vector<Descriptor> devices;
};

// The name of a socket's protocol, or the errno.
Result<std::string> ProtocolOf(int directory, std::int32_t fd) {
  const std::string path = "/proc/self/fd/" + std::to_string(directory) + "/" + std::to_string(fd);
  std::array<char, 64> name{};
  const ssize_t got = ::getxattr(path.c_str(), "system.sockprotoname", name.data(), name.size() - 1);
  if (got < 0) return Errno{errno};
  return std::string(name.data());
}

// The peer of a socket, from the tables of the process' network namespace.
std::optional<Peer> PeerOf(const Subject& subject, const Descriptor& socket) {
  const std::string_view table = TableOf(socket.protocol);
  const std::optional<std::uint32_t> inode = ParseSocketLink(socket.target);
  if (table.empty() || !inode) return std::nullopt;
  PeerReader reader(*inode);
  // A refusal counts as not found.
  static_cast<void>(ReadPieces(subject, std::string(table).c_str(), kMostTable, [&](std::string_view piece) {
    reader.Take(piece);
    return !reader.found();
  }));
  return reader.peer();
}

// Each device once, with a limit per kind: one kind cannot displace another.
bool IsWanted(const std::vector<Descriptor>& devices, LinkKind kind, std::string_view target) {
  std::size_t same = 0;
  for (const Descriptor& one : devices) {
    if (one.target == target) return false;
    if (LinkKindOf(one.target) == kind) ++same;
  }
  return same < kMostDevices;
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
        std::array<char, 64> link{};  // long enough for the links of interest
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
                   IsWanted(found.devices, kind, target)) {
          found.devices.push_back({.fd = fd, .target = std::string(target)});
        }
        return true;
      });
  if (!walked) return walked.refusal();
  if (failed != 0) return Errno{failed};
  for (Descriptor& socket : found.standard_sockets) socket.peer = PeerOf(subject, socket);
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
    out.Name("protocol").Text(one.protocol).Name("peer");
    if (one.peer)
      out.Open('{').Name("address").Text(one.peer->address).Name("port").Number(one.peer->port).Close('}');
    else
      out.Raw("null");
    out.Close('}');
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

// Seconds since a start in clock ticks after boot.
std::uint64_t AgeSec(std::uint64_t start) {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  const auto started = start / static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK));
  const auto up = static_cast<std::uint64_t>(now.tv_sec);
  return up > started ? up - started : 0;
}

// The system service that it belongs to. Empty when there is none or it is unreadable.
std::string UnitOf(const Subject& subject) {
  const Result<std::string_view> path = ReadCgroup(subject.folder.get(), "cgroup");
  return path ? std::string(SystemService(*path)) : std::string();
}

void WriteParent(int proc, const Subject& subject, Writer& out) {
  const Result<Stat> parent = ReadStat(proc, subject.parent);
  out.Name("parent");
  // A younger process has reused the pid.
  if (!parent || parent->start > subject.start) {
    out.Raw("null");
    return;
  }
  out.Open('{')
      .Name("pid")
      .Number(static_cast<std::uint64_t>(parent->pid))
      .Name("name")
      .Text(CommOf(parent->comm))
      .Close('}');
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

std::string DigestText(std::int32_t pid, std::uint64_t start, const Result<Digest>& digest) {
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

}  // namespace

std::string Peek(int proc, std::int32_t pid, std::uint64_t start) {
  const std::optional<Subject> subject = OpenSubject(proc, pid, start);
  if (!subject) return Gone(pid);
  std::string text;
  Writer out(text);
  Begin(pid, start, out);
  out.Name("facts").Open('{').Name("ageSec").Number(AgeSec(start)).Name("unit").Text(UnitOf(*subject));
  // Reads that cannot block come first.
  WriteDescriptors(*subject, out);
  WriteEnvironment(*subject, out);
  if (!WriteMaps(*subject, out)) return Gone(pid);
  if (!WriteCommandLine(*subject, out)) return Gone(pid);
  WriteImage(ReadImage(subject->folder.get(), subject->File("exe").c_str()), out);
  out.Name("executable").Text(ExecutableOf(*subject));
  out.Close('}').Close('}');
  // A process that is ending appears empty, which is not a fact about it.
  if (!OpenSubject(proc, pid, start)) return Gone(pid);
  return text;
}

std::string Describe(int proc, std::int32_t pid, std::uint64_t start, bool arguments) {
  const std::optional<Subject> subject = OpenSubject(proc, pid, start);
  if (!subject) return Gone(pid);
  std::string text;
  Writer out(text);
  Begin(pid, start, out);
  out.Name("about").Open('{');
  WriteParent(proc, *subject, out);
  const Result<std::string_view> directory = ReadLink(subject->folder.get(), subject->File("cwd").c_str());
  out.Name("directory");
  if (directory)
    out.Text(*directory);
  else
    out.Refusal(directory.error(), "cwd");
  if (arguments) WriteArguments(*subject, out);
  out.Name("executable").Text(ExecutableOf(*subject));
  out.Close('}').Close('}');
  if (!OpenSubject(proc, pid, start)) return Gone(pid);
  return text;
}

std::string PeekDigest(int proc, std::int32_t pid, std::uint64_t start) {
  const std::optional<Subject> subject = OpenSubject(proc, pid, start);
  if (!subject) return Gone(pid);
  const Result<Digest> digest = ReadDigest(subject->folder.get(), subject->File("exe").c_str());
  if (!OpenSubject(proc, pid, start)) return Gone(pid);
  return DigestText(pid, start, digest);
}

std::optional<std::string> PeekFile(std::int32_t pid, std::uint64_t start, std::string_view path) {
  const std::optional<std::string> bytes = ParseHexPath(path);
  if (!bytes) return std::nullopt;
  return DigestText(pid, start, ReadFileDigest(bytes->c_str()));
}

}  // namespace desk
