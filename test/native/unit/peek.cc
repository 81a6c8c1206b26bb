// The parsers of desk-peek, and its report about made-up processes.
#include <fcntl.h>

#include <cerrno>
#include <string>
#include <string_view>

#include "core/fd.h"
#include "fake_root.h"
#include "harness.h"
#include "peek/environment.h"
#include "peek/links.h"
#include "peek/maps.h"
#include "peek/process.h"
#include "peek/writer.h"
#include "probe/proc_cgroup.h"

namespace desk::unit {
namespace {

using namespace std::string_view_literals;  // NOLINT(google-build-using-namespace): literals

void OnlyLoaderVariablesAreKept(int) {
  constexpr std::string_view kText =
      "SECRET=LD_PRELOAD=no\0LD_PRELOADED=no\0LD_PRELOAD=first\0ALD_PRELOAD=no\0LD_PRELOAD=last\0LD_PRELOAD="
      "\0LD_AUDIT\0"
      "LD_LIBRARY_PATH=/a:/b"sv;
  for (std::size_t piece = 1; piece <= kText.size(); ++piece) {
    LoaderEnvironment environment;
    for (std::size_t at = 0; at < kText.size(); at += piece) environment.Take(kText.substr(at, piece));
    environment.End();
    Check(environment.value(0).text.empty() && environment.value(0).whole);
    Check(environment.value(1).text == "/a:/b" && environment.value(1).whole);
    // Set twice: the loader decides which of the two counts.
    Check(environment.value(2).text == "last" && !environment.value(2).whole);
  }
}

void LongEnvironmentsCostNoMemory(int) {
  LoaderEnvironment environment;
  environment.Take("LD_AUDIT=");
  const std::string part(1 << 16, 'a');
  for (int i = 0; i < 1000; ++i) environment.Take(part);
  environment.End();
  Check(environment.value(0).text == std::string(kMostLoaderValue, 'a') && !environment.value(0).whole);
}

void OnlyWholeValuesAreWhole(int) {
  const std::string most(kMostLoaderValue, 'a');
  for (const std::string& tail : {std::string(), std::string("b"), std::string(":/tmp/evil.so")}) {
    for (const std::size_t piece : {std::size_t{7}, most.size() + 100}) {
      LoaderEnvironment environment;
      const std::string text = "LD_PRELOAD=" + most + tail;
      for (std::size_t at = 0; at < text.size(); at += piece) environment.Take(text.substr(at, piece));
      environment.End();
      Check(environment.value(2).text == most && environment.value(2).whole == tail.empty());
    }
  }
  LoaderEnvironment twice;
  twice.Take("LD_PRELOAD=/a\0LD_PRELOAD=/a\0"sv);
  twice.End();
  Check(twice.value(2).text == "/a" && twice.value(2).whole);
}

constexpr std::string_view kMaps =
    "00400000-00401000 r--p 00000000 fe:01 11                         /usr/bin/a b\n"
    "00401000-00402000 r-xp 00001000 fe:01 11                         /usr/bin/a b\n"
    "00500000-00501000 rwxp 00000000 00:00 0                          [heap]\n"
    "7f0000000000-7f0000001000 r-xp 00000000 00:00 0 \n"
    "7f0000002000-7f0000003000 r-xs 00000000 00:05 7                  /memfd:code (deleted)\n"
    "7f0000004000-7f0000005000 r-xp 00000000 fe:01 12                 /usr/lib/old.so (deleted)\n"
    "7f0000006000-7f0000007000 rw-p 00000000 fe:01 12                 /usr/lib/old.so (deleted)\n"
    "7f0000008000-7f0000009000 r-xp 00000000 00:00 0                  [vdso]\n";

void MappingsAreTakenApart(int) {
  const Result<MapLine> line = ParseMapLine("00400000-00401000 r-xp 00000000 fe:01 11       /a b (deleted)");
  Check(line.ok() && line->start == 0x400000 && line->end == 0x401000 && line->path == "/a b (deleted)");
  Check(line->executable() && !line->writable());
  for (const std::string_view text :
       {"", "00400000", "00400000-00401000", "00401000-00400000 r-xp 0 0:0 0",
        "00400000-00401000 rwx 0 0:0 0", "00400000-00401000 r-xq 0 0:0 0", "00400000-00401000 r-xp 0 00 0",
        "00400000-00401000 r-xp 0 0:0 x", "-00401000 r-xp 0 0:0 0", "fffffffffffffffff-1 r-xp 0 0:0 0"})
    Check(ParseMapLine(text).error() == EBADMSG);
  for (std::size_t piece = 1; piece <= kMaps.size(); piece += 7) {
    MapReader reader(0x400010, "/usr/bin/a b");
    for (std::size_t at = 0; at < kMaps.size(); at += piece) reader.Take(kMaps.substr(at, piece));
    const Result<MapFacts> facts = reader.End();
    Check(facts.ok());
    Check(facts->writable_code.total == 1 && facts->writable_code.some[0].path == "[heap]");
    Check(facts->anonymous_code.total == 2 && facts->anonymous_code.some[0].path.empty());
    Check(facts->anonymous_code.some[1].path == "/memfd:code (deleted)");
    Check(facts->deleted_code.total == 1 && facts->deleted_code.some[0].start == 0x7f0000004000);
    Check(facts->first && facts->first->path == "/usr/bin/a b" && facts->first_holds_code);
    Check(!facts->first_is_anonymous_code);
  }
  MapReader overwritten(0, "");
  overwritten.Take("00400000-00401000 r-xp 00000000 00:00 0 \nnonsense");
  Check(overwritten.End().error() == EBADMSG);
}

void ManyMappingsAreCounted(int) {
  MapReader reader(0, "");
  for (int i = 0; i < 1000; ++i) reader.Take("00400000-00401000 r-xp 00000000 00:00 0 \n");
  const Result<MapFacts> facts = reader.End();
  Check(facts.ok() && facts->anonymous_code.total == 1000 &&
        facts->anonymous_code.some.size() == kMostMappings);
  Check(facts->anonymous_code.whole);
  Check(facts->first_is_anonymous_code && !facts->first_holds_code);
}

std::string CodeOf(const std::string& path) {
  return "00400000-00401000 r-xp 00000000 fe:01 7 " + path + "\n";
}

MapFacts FactsOf(const std::string& text, const std::string& executable = "") {
  MapReader reader(0, executable);
  reader.Take(text);
  return *reader.End();
}

// A path after the first of its kind, or a path that was cut, is counted.
void CutListsAreMarked(int) {
  std::string text;
  for (std::size_t at = 0; at < kMostMappings; ++at) text += CodeOf("/memfd:a (deleted)");
  Check(FactsOf(text).anonymous_code.whole);
  Check(FactsOf(text + CodeOf("/memfd:a (deleted)") + CodeOf("")).anonymous_code.whole);
  Check(!FactsOf(text + CodeOf("/memfd:evil (deleted)") + CodeOf("")).anonymous_code.whole);
  const std::string longest = "/" + std::string(kMostMappingPath - 11, 'x');
  Check(FactsOf(CodeOf(longest + " (deleted)")).deleted_code.whole);
  Check(!FactsOf(CodeOf(longest + "x (deleted)")).deleted_code.whole);
  std::string many;
  for (std::size_t at = 0; at < kMostPaths; ++at) many += CodeOf("/lib/" + std::to_string(at) + " (deleted)");
  Check(FactsOf(many).deleted_paths.whole && FactsOf(many).deleted_paths.some.size() == kMostPaths);
  Check(!FactsOf(many + CodeOf("/tmp/evil (deleted)")).deleted_paths.whole);
  // The program itself is not one of its libraries.
  const MapFacts own = FactsOf(CodeOf("/opt/p (deleted)"), "/opt/p (deleted)");
  Check(own.deleted_code.total == 0 && own.deleted_paths.some.empty());
}

void BackingsAreTold(int) {
  Check(BackingOf("/usr/lib/a.so") == Backing::kFile &&
        BackingOf("/usr/lib/a.so (deleted)") == Backing::kDeleted);
  for (const std::string_view anonymous : {"", "[heap]", "[stack]", "[anon:code]", "/dev/zero (deleted)",
                                           "/SYSV00000000 (deleted)", "/anon_hugepage (deleted)"})
    Check(BackingOf(anonymous) == Backing::kAnonymous);
  Check(BackingOf("/memfd:x (deleted)") == Backing::kMemfd && BackingOf("[vdso]") == Backing::kKernel);
  Check(WithoutDeleted("/a (deleted)") == "/a" && WithoutDeleted("/a") == "/a");
}

void LinksAreTold(int) {
  Check(LinkKindOf("socket:[7]") == LinkKind::kSocket &&
        LinkKindOf("/dev/input/event10") == LinkKind::kInput);
  Check(LinkKindOf("/dev/video0") == LinkKind::kCamera &&
        LinkKindOf("/dev/snd/pcmC0D0c") == LinkKind::kCapture);
  for (const std::string_view other : {"", "/dev/input/event", "/dev/input/mice", "/dev/snd/pcmC0D0p",
                                       "/dev/video0x", "/tmp/dev/video0", "pipe:[7]"})
    Check(LinkKindOf(other) == LinkKind::kOther);
  Check(IsInternetProtocol("TCP") && IsInternetProtocol("UDPv6") && IsInternetProtocol("MPTCP"));
  Check(!IsInternetProtocol("UNIX") && !IsInternetProtocol("UNIX-STREAM") && !IsInternetProtocol("") &&
        !IsInternetProtocol("NETLINK"));
}

void OnlyServicesOfTheSystemAreUnits(int) {
  Check(SystemService("/system.slice/sshd.service") == "sshd.service");
  constexpr std::string_view kInstance = "echo@3-127.0.0.1:7-127.0.0.1:40000.service";
  Check(SystemService("/system.slice/system-echo.slice/" + std::string(kInstance)) == kInstance);
  for (const std::string_view path :
       {"/", "/sshd.service", "/system.slice", "/system.slice/", "/system.slice/sshd.socket",
        "/user.slice/user-1000.slice/user@1000.service/app.slice/sshd.service",
        "/system.slice/user@1000.service/sshd.service", "/system.slice/docker-0.scope/sshd.service",
        "/system.slice/docker.service/system.slice/sshd.service", "/docker/0/system.slice/sshd.service",
        "/../system.slice/sshd.service", "/system.slice/../sshd.service", "/system.slice//sshd.service"})
    Check(SystemService(path).empty());
}

void BytesBecomeJson(int) {
  std::string json;
  AppendJsonString(json, "a\"\\\n\x1f\xff/\x7f\xc3\xa4"sv);
  Check(json == "\"a\\\"\\\\\\u000a\\u001f\xef\xbf\xbd/\x7f\xc3\xa4\"");
}

// Three processes; number 2 has all the files that are read of a process.
void WriteOne(const Folder& folder, std::string_view maps, std::string_view environ,
              std::string_view cmdline) {
  WriteProcesses(folder, 3);
  folder.Write("2/maps", maps);
  folder.Write("2/environ", environ);
  folder.Write("2/cmdline", cmdline);
  folder.Link("2/fd/0", "/dev/video3");
  folder.Link("2/fd/7", "/dev/null");
  folder.Link("2/root", "/");
}

void ProcessesAreTold(int) {
  const Folder folder;
  WriteOne(folder, kMaps, "A=b\0LD_AUDIT=/x\0"sv, "");
  const Fd proc(::open(folder.path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  const std::string told = Peek(proc.get(), 2, 1002);
  for (
      const std::string_view part :
      {R"({"pid":2,"start":"1002","facts":{"ageSec":)", R"("unit":"")",
       R"("environment":{"LD_AUDIT":{"text":"/x","whole":true}})",
       R"("devices":[{"fd":0,"target":"/dev/video3"}])", R"("standardSockets":[])",
       R"("emptyCommandLine":true)",
       R"("writableCode":{"total":1,"whole":true,"some":[{"start":"500000","bytes":4096,"permissions":"rwxp","path":"[heap]"}]})",
       R"x("path":"/usr/lib/old.so (deleted)"}],"replaced":false})x",
       R"("first":{"start":"400000","bytes":4096,"permissions":"r--p","path":"/usr/bin/a b","anonymousCode":false,"holdsCode":false})"})
    Check(told.find(part) != std::string::npos);
  Check(told.ends_with("}}"));
}

void TheWrongProcessIsGone(int) {
  const Folder folder;
  WriteOne(folder, kMaps, "", "a");
  const Fd proc(::open(folder.path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  Check(Peek(proc.get(), 2, 1003) == R"({"pid":2,"gone":true})");
  Check(Peek(proc.get(), 99, 1002) == R"({"pid":99,"gone":true})");
  folder.Write("2/maps", "");
  Check(Peek(proc.get(), 2, 1002) == R"({"pid":2,"gone":true})");
}

// proc_pid_stat(5) up to field 52, with the start of the code and the end of the environment.
std::string StatOf(int pid, std::uint64_t code_start, std::uint64_t environment_end) {
  return std::to_string(pid) + " (a) S 1 2 2 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 1 0 " +
         std::to_string(1000 + pid) + " 9 9 9 " + std::to_string(code_start) +
         " 9 9 9 9 0 0 0 0 0 0 0 17 0 0 0 0 0 0 9 9 9 9 9 9 " + std::to_string(environment_end) + " 0\n";
}

// During execve(2) a process has no command line yet, which is no fact about it.
void AProcessBeingStartedIsGone(int) {
  const Folder folder;
  WriteOne(folder, kMaps, "", "");
  const Fd proc(::open(folder.path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  const auto told = [&](std::uint64_t code_start, std::uint64_t environment_end) {
    folder.Write("2/stat", StatOf(2, code_start, environment_end));
    return Peek(proc.get(), 2, 1002);
  };
  constexpr std::string_view kEmpty = R"("emptyCommandLine":true)";
  Check(told(4096, 0) == R"({"pid":2,"gone":true})");
  Check(told(0, 0) == R"({"pid":2,"gone":true})");
  Check(told(4096, 9000).find(kEmpty) != std::string::npos);
  // Hidden from this reader.
  Check(told(1, 0).find(kEmpty) != std::string::npos);
  folder.Write("2/cmdline", "a");
  Check(told(4096, 0).find(R"("emptyCommandLine":false)") != std::string::npos);
}

void RefusalsAreTold(int) {
  const Folder folder;
  WriteOne(folder, "nonsense\n", "", "a");
  const Fd proc(::open(folder.path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  Check(Peek(proc.get(), 2, 1002).find(R"("maps":{"errno":74,"code":"EBADMSG","source":"maps"})") !=
        std::string::npos);
  Check(Peek(proc.get(), 1, 1001).find(R"("environment":{"errno":2,"code":"ENOENT","source":"environ"})") !=
        std::string::npos);
}

// NOLINTNEXTLINE(cert-err58-cpp): without memory for the list of tests there is nothing to catch
const Suite kSuite{"peek",
                   {{"only the loader's variables are kept", OnlyLoaderVariablesAreKept},
                    {"long environments cost no memory", LongEnvironmentsCostNoMemory},
                    {"only whole values are whole", OnlyWholeValuesAreWhole},
                    {"mappings are taken apart", MappingsAreTakenApart},
                    {"many mappings are counted", ManyMappingsAreCounted},
                    {"cut lists are marked as cut", CutListsAreMarked},
                    {"backings are told", BackingsAreTold},
                    {"links are told", LinksAreTold},
                    {"only services of the system are units", OnlyServicesOfTheSystemAreUnits},
                    {"bytes become JSON", BytesBecomeJson},
                    {"processes are told", ProcessesAreTold},
                    {"the wrong process is gone", TheWrongProcessIsGone},
                    {"a process being started is gone", AProcessBeingStartedIsGone},
                    {"refusals are told", RefusalsAreTold}}};

}  // namespace
}  // namespace desk::unit
