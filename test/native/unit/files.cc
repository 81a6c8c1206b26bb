// Searching and reading files, and dpkg's database.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <utmp.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/hex.h"
#include "core/siphash.h"
#include "fake_root.h"
#include "files/answer.h"
#include "files/dpkg.h"
#include "files/logins.h"
#include "files/md5.h"
#include "files/privileged.h"
#include "files/search.h"
#include "files/verify.h"
#include "files/watcher.h"
#include "harness.h"

namespace desk::unit {
namespace {

using files::Dpkg;
using files::Md5;
using files::Owner;

std::string Md5Of(std::string_view bytes, std::size_t piece) {
  Md5 md5;
  for (std::size_t at = 0; at < bytes.size(); at += piece) md5.Take(bytes.substr(at, piece));
  return HexOf(md5.End());
}

// RFC 1321, appendix A.5.
void DigestsAreThoseOfTheStandard(int) {
  Check(Md5Of("", 1) == "d41d8cd98f00b204e9800998ecf8427e");
  Check(Md5Of("abc", 1) == "900150983cd24fb0d6963f7d28e17f72");
  constexpr std::string_view kLong =
      "12345678901234567890123456789012345678901234567890123456789012345678901234567890";
  for (std::size_t piece = 1; piece <= kLong.size(); ++piece)
    Check(Md5Of(kLong, piece) == "57edf4a22be3c955ac49da2e2107b67a");
  Check(Md5Of(std::string(1'000'000, 'a'), 977) == "7707d6ae4e027c70eea2a935c2296f21");
}

void NamesMatchPatterns(int) {
  Check(files::Matches("a.conf", "*.conf") && files::Matches(".conf", "*.conf"));
  Check(files::Matches("", "*") && !files::Matches("", "a") && files::Matches("a*b", "a*b"));
  Check(files::Matches("aXbXc", "a*b*c") && !files::Matches("aXbX", "a*b*c"));
  Check(!files::Matches("a.conf~", "*.conf") && files::Matches("a.conf.conf", "*.conf"));
  // A pattern that would take exponential time by backtracking.
  Check(!files::Matches(std::string(5'000, 'a'), "*a*a*a*a*a*a*a*a*a*a*b"));
}

struct Result {
  std::vector<std::string> found;
  std::vector<std::pair<std::string, int>> refused;
  bool whole = false;
};

Result Searched(const std::string& pattern, std::uint32_t viewer = 0, std::size_t most = 1'000) {
  Result result;
  result.whole = files::SearchFiles(
      pattern, viewer,
      {.found =
           [&](const files::Found& found) {
             if (result.found.size() == most) return false;
             result.found.push_back(found.path);
             return true;
           },
       .refused = [&](const std::string& path, int error) { result.refused.emplace_back(path, error); }});
  return result;
}

void PatternsAreSearched(int) {
  const Folder folder;
  const std::string top = folder.path();
  folder.Write("etc/b.conf", "");
  folder.Write("etc/a.conf", "");
  folder.Write("etc/x.d/c.conf", "");
  folder.Write("etc/x.d/deep/d.conf", "");
  folder.Link("etc/link.d", "x.d");
  folder.Link("etc/loop", "loop");
  folder.Link("etc/x.d/deep/up", "../..");
  using Names = std::vector<std::string>;
  Check(Searched(top + "/etc/*.conf").found == Names{top + "/etc/a.conf", top + "/etc/b.conf"});
  Check(Searched(top + "/etc/*.d/*.conf").found ==
        Names{top + "/etc/link.d/c.conf", top + "/etc/x.d/c.conf"});
  Check(Searched(top + "/etc/**/*.conf").found == Names{top + "/etc/a.conf", top + "/etc/b.conf",
                                                        top + "/etc/x.d/c.conf",
                                                        top + "/etc/x.d/deep/d.conf"});
  Check(Searched(top + "/nothing/*").found.empty() && Searched(top + "/nothing/*").whole);
  Check(Searched(top + "/etc/a.conf/*").refused.empty());
  const Result looped = Searched(top + "/etc/loop/*");
  Check(looped.found.empty() && looped.refused.size() == 1 && looped.refused[0].second == ELOOP);
  // The link itself is found.
  Check(Searched(top + "/etc/loop").found.size() == 1);
  Check(Searched(top + "/etc").found.empty());
  const Result cut = Searched(top + "/etc/**/*.conf", 0, 2);
  Check(cut.found.size() == 2 && !cut.whole);
}

void OthersFoldersAreNotRead(int) {
  const Folder folder;
  const std::string top = folder.path();
  folder.Write("home/public/file", "");
  folder.Write("home/private/file", "");
  Check(::chmod((top + "/home/private").c_str(), 0700) == 0 && ::chmod(top.c_str(), 0755) == 0);
  const std::uint32_t other = ::getuid() + 1;
  Check(Searched(top + "/home/*/file", other).found == std::vector<std::string>{top + "/home/public/file"});
  const Result refused = Searched(top + "/home/private/*", other);
  Check(refused.refused.size() == 1 && refused.refused[0].second == EACCES);
  Check(Searched(top + "/home/private/*", ::getuid()).found.size() == 1);
}

bool Has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::vector<std::string> PrivilegedBelow(const std::string& top) {
  std::vector<std::string> found;
  const bool whole =
      files::WalkPrivileged(top, {.found =
                                      [&](const files::Found& one, const files::Capabilities&) {
                                        found.push_back(one.path);
                                        return true;
                                      },
                                  .refused = [](const std::string&, int) { Check(false); }});
  Check(whole);
  std::ranges::sort(found);
  return found;
}

void ProgramsWithRightsAreFound(int) {
  const Folder folder;
  const std::string top = folder.path();
  struct statvfs info {};
  Check(::statvfs(top.c_str(), &info) == 0);
  const auto put = [&](const std::string& name, mode_t mode) {
    folder.Write(name, "x");
    Check(::chmod((top + "/" + name).c_str(), mode) == 0);
  };
  Check(::chmod(top.c_str(), 0755) == 0);
  put("plain", 0755);
  put("user", 04755);
  put("deep/er/group", 02755);
  put("locked", 02644);
  put("not executable", 04644);
  put("root/only", 04755);
  Check(::symlink("user", (top + "/link").c_str()) == 0);
  Check(::chmod((top + "/root").c_str(), 0700) == 0);
  std::vector<std::string> wanted{top + "/deep/er/group", top + "/user"};
  // On a file system where such rights have no effect nothing is found.
  if ((info.f_flag & ST_NOSUID) != 0) wanted.clear();
  Check(PrivilegedBelow(top) == wanted);
  files::PackageDatabases none({});
  const std::string answer = files::AnswerPrivileged(top, none);
  Check(Has(answer, R"("capabilities":"")") == !wanted.empty() && Has(answer, R"("cut":false)"));
  Check(Has(files::AnswerPrivileged(top + "/nowhere", none), R"({"files":[],"unread":[])"));
}

// As in the image folder of a user's own containers: a program there that runs as this user gives no
// additional rights.
void ProgramsOfTheOnlyUserWhoCanEnterAreLeftOut(int) {
  // To give files away needs root.
  if (::getuid() != 0) return;
  const Folder folder;
  const std::string top = folder.path();
  struct statvfs info {};
  Check(::statvfs(top.c_str(), &info) == 0);
  constexpr uid_t kUser = 4'321;
  const auto put = [&](const std::string& name, uid_t owner, mode_t mode) {
    folder.Write(name, "x");
    const std::string path = top + "/" + name;
    Check(::chown(path.c_str(), owner, owner) == 0 && ::chmod(path.c_str(), mode) == 0);
  };
  put("store/layer/usr/su", kUser, 04755);
  put("store/layer/usr/root", 0, 04755);
  put("store/layer/usr/other", kUser + 1, 04755);
  put("store/layer/usr/group", kUser, 06755);
  const std::string store = top + "/store";
  Check(::chmod(top.c_str(), 0755) == 0 && ::chown(store.c_str(), kUser, kUser) == 0);
  const std::string usr = store + "/layer/usr/";
  std::vector<std::string> wanted{usr + "group", usr + "other", usr + "root"};
  if ((info.f_flag & ST_NOSUID) != 0) wanted.clear();
  Check(::chmod(store.c_str(), 0700) == 0);
  Check(PrivilegedBelow(top) == wanted);
  // A group of this user alone, as rootless containers leave their stores.
  Check(::chmod(store.c_str(), 0710) == 0);
  Check(PrivilegedBelow(top) == wanted);
  if (!wanted.empty()) wanted.push_back(usr + "su");
  // Where others get there too, it is one.
  Check(::chmod(store.c_str(), 0701) == 0);
  Check(PrivilegedBelow(top) == wanted);
  Check(::chown(store.c_str(), kUser, kUser + 1) == 0 && ::chmod(store.c_str(), 0710) == 0);
  Check(PrivilegedBelow(top) == wanted);
}

std::string Answered(std::string_view depth, const std::string& pattern, std::uint32_t viewer = 0) {
  std::string line(depth);
  line.append(" ").append(std::to_string(viewer)).append(" ");
  line += HexOf(BytesOf(pattern));
  files::FileQuery query;
  Check(files::ParseQuery(line, query));
  files::PackageDatabases none({});
  return files::AnswerQuery(query, none);
}

void OnlyRegularFilesAreRead(int) {
  const Folder folder;
  const std::string top = folder.path();
  folder.Write("file", "line\n\xff");
  folder.Link("link", "file");
  folder.Link("nowhere", "missing");
  folder.Link("loop", "loop");
  Check(::mkfifo((top + "/fifo").c_str(), 0644) == 0);
  const std::string file = Answered("text", top + "/file");
  Check(Has(file, R"("text":"line\u000a�","cut":false)") && Has(file, R"("databases":[],"busy":false)"));
  Check(Has(Answered("digest", top + "/file"), R"("cut":false,"sha256":")"));
  Check(!Has(Answered("digest", top + "/file"), R"("text")"));
  Check(Has(Answered("facts", top + "/file"), R"("sha256":"")"));
  const std::string link = Answered("text", top + "/link");
  Check(Has(link, R"("link":"file","real":")" + top + "/file\"") && Has(link, "line"));
  Check(Has(Answered("text", top + "/nowhere"), R"("kind":"")") &&
        !Has(Answered("text", top + "/nowhere"), R"("error")"));
  Check(Has(Answered("text", top + "/loop"), R"("error":"ELOOP")"));
  // It would block forever.
  Check(Has(Answered("text", top + "/fifo"), R"("kind":"fifo")"));
}

void LargeFilesAreReadInPart(int) {
  const Folder folder;
  const std::string top = folder.path();
  folder.Write("large", std::string(300 << 10, 'a'));
  const std::string large = Answered("text", top + "/large");
  Check(Has(large, R"("cut":true)") && !Has(large, R"("sha256":"")"));
  folder.Write("huge", "first\n");
  Check(::truncate((top + "/huge").c_str(), std::int64_t{4} << 30) == 0);
  const std::string huge = Answered("text", top + "/huge");
  Check(Has(huge, "first") && Has(huge, R"("error":"EFBIG")") && huge.size() < (2U << 20U));
  Check(Has(Answered("digest", top + "/huge"), R"("error":"EFBIG")"));
}

void LinksDoNotReadForOthers(int) {
  const Folder folder;
  const std::string top = folder.path();
  folder.Write("secret", "hidden words");
  folder.Write("open", "open words");
  Check(::chmod((top + "/secret").c_str(), 0600) == 0 && ::chmod((top + "/open").c_str(), 0644) == 0);
  Check(::chmod(top.c_str(), 0755) == 0);
  const std::uint32_t other = ::getuid() + 1;
  const std::string secret = Answered("text", top + "/secret", other);
  Check(Has(secret, R"("error":"EACCES")") && !Has(secret, "hidden words"));
  Check(Has(Answered("text", top + "/open", other), "open words"));
  if (::geteuid() != 0) return;
  // The link of an ordinary user in a folder of the system.
  folder.Link("link", "secret");
  Check(::lchown((top + "/link").c_str(), 1234, 1234) == 0);
  const std::string linked = Answered("text", top + "/link");
  Check(Has(linked, R"("error":"EACCES")") && !Has(linked, "hidden words"));
}

void QueriesAreChecked(int) {
  files::FileQuery query;
  for (const std::string_view line : {"", "text", "text 0", "text 0 ", "text 0 6", "text 0 6g", "text x 2f",
                                      "text 0 61", "all 0 2f", "text 0 2f00", "text 4294967296 2f"})
    Check(!files::ParseQuery(line, query));
  Check(files::ParseQuery("digest 1000 2f2a", query) && query.pattern == "/*" && query.viewer == 1000);
}

constexpr std::string_view kStatus = R"(Package: one
Status: install ok installed
Architecture: amd64
Version: 1.0-1
Conffiles:
 /etc/one.conf 00000000000000000000000000000001
 /etc/gone.conf newconffile
Description: first
 Conffiles: none

Package: lib
Status: install ok installed
Architecture: amd64
Multi-Arch: same
Version: 2:2.0

Package: old
Status: deinstall ok config-files
Architecture: all
Version: 0.9
Conffiles:
 /etc/old.conf 00000000000000000000000000000009 obsolete

Package: never
Status: unknown ok not-installed
Architecture: all
)";

void WriteDatabase(const Folder& folder) {
  folder.Write("dpkg/status", kStatus);
  folder.Write("dpkg/info/one.list", "/.\n/etc\n/etc/one.conf\n/bin/tool\n/usr/bin/kept\n/usr/share/made\n");
  folder.Write("dpkg/info/one.md5sums",
               "00000000000000000000000000000002  bin/tool\n00000000000000000000000000000003  usr/bin/kept\n"
               "damaged\n");
  folder.Write("dpkg/info/lib:amd64.list", "/usr/bin/kept\n/lib/lib.so\n");
  folder.Write(
      "dpkg/info/lib:amd64.md5sums",
      "00000000000000000000000000000004  usr/bin/kept\n00000000000000000000000000000005  lib/lib.so\n");
  folder.Write("dpkg/info/never.list", "/usr/bin/never\n");
  folder.Write("dpkg/diversions", "/usr/bin/kept\n/usr/bin/kept.one\nlib\n");
  folder.Write("root/usr/bin/tool", "");
  folder.Link("root/bin", "usr/bin");
  folder.Link("root/lib", "usr/lib");
}

// The digests in the tests differ in their last digit only.
struct Known {
  std::string package;
  int digest = -1;
  bool configuration = false;
  bool removed = false;

  bool operator==(const Known&) const = default;
};

std::vector<Known> KnownOf(const Dpkg& dpkg, std::string_view path) {
  std::vector<Known> known;
  for (const Owner& owner : dpkg.OwnersOf(path))
    known.push_back({.package = owner.package->name + " " + owner.package->version,
                     .digest = owner.digest ? owner.digest->bytes[15] : -1,
                     .configuration = owner.configuration,
                     .removed = owner.package->removed});
  return known;
}

void OwnersAreKnown(int) {
  const Folder folder;
  WriteDatabase(folder);
  Dpkg dpkg(folder.path() / "dpkg", (folder.path() / "root").string() + "/");
  Check(dpkg.Refresh() == "read");
  using All = std::vector<Known>;
  Check(KnownOf(dpkg, "/etc/one.conf") == All{{.package = "one 1.0-1", .digest = 1, .configuration = true}});
  // By both names of a folder.
  Check(KnownOf(dpkg, "/bin/tool") == All{{.package = "one 1.0-1", .digest = 2}});
  Check(KnownOf(dpkg, "/usr/bin/tool") == KnownOf(dpkg, "/bin/tool"));
  Check(KnownOf(dpkg, "/usr/lib/lib.so") == All{{.package = "lib 2:2.0", .digest = 5}});
  // Diverted by `lib`: its own file has the path, and that of `one` lies elsewhere.
  Check(KnownOf(dpkg, "/usr/bin/kept") == All{{.package = "lib 2:2.0", .digest = 4}});
  Check(KnownOf(dpkg, "/usr/bin/kept.one") == All{{.package = "one 1.0-1", .digest = 3}});
  Check(KnownOf(dpkg, "/usr/share/made") == All{{.package = "one 1.0-1"}});
  Check(KnownOf(dpkg, "/etc/old.conf") ==
        All{{.package = "old 0.9", .digest = 9, .configuration = true, .removed = true}});
  for (const std::string_view path : {"/usr/bin/never", "/etc/gone.conf", "", "/", "bin/tool"})
    Check(KnownOf(dpkg, path).empty());
}

void ChangesAreRead(int) {
  const Folder folder;
  WriteDatabase(folder);
  Dpkg dpkg(folder.path() / "dpkg", (folder.path() / "root").string() + "/");
  Check(dpkg.Refresh() == "read");
  folder.Write("dpkg/status", "Package: new\nStatus: install ok installed\nVersion: 3\n");
  folder.Write("dpkg/info/new.list", "/usr/bin/new\n");
  Check(dpkg.Refresh() == "read" && dpkg.packages().size() == 1);
  Check(KnownOf(dpkg, "/usr/bin/new").size() == 1 && KnownOf(dpkg, "/bin/tool").empty());
  std::filesystem::remove_all(folder.path() / "dpkg");
  Check(dpkg.Refresh() == "none" && KnownOf(dpkg, "/usr/bin/new").empty());
  // A folder in its place cannot be read.
  std::filesystem::create_directories(folder.path() / "dpkg/status");
  Check(dpkg.Refresh() == "EISDIR");
}

files::Watcher::Ids ChangedSoon(files::Watcher& watcher) {
  // The kernel queues an event before the call that causes it returns.
  return watcher.Changed();
}

void ChangesAreReported(int) {
  const Folder folder;
  const std::string top = folder.path();
  folder.Write("etc/cron.d/one", "");
  folder.Write("etc/deep/a/b.conf", "");
  desk::Result<files::Watcher> opened = files::Watcher::Open();
  Check(bool(opened));
  files::Watcher& watcher = *opened;
  using Ids = files::Watcher::Ids;
  watcher.Add(1, top + "/etc/cron.d/*", 0);
  watcher.Add(2, top + "/etc/crontab", 0);
  watcher.Add(3, top + "/etc/not/yet/*.conf", 0);
  watcher.Add(4, top + "/etc/deep/**/*.conf", 0);
  watcher.Add(5, top + "/etc/*.d/*", 0);
  Check(watcher.refused() == 0 && watcher.watches() > 3 && ChangedSoon(watcher).empty());
  folder.Write("etc/cron.d/two", "x");
  Check(ChangedSoon(watcher) == Ids{1, 5});
  folder.Write("etc/crontab", "x");
  Check(ChangedSoon(watcher) == Ids{2});
  folder.Write("etc/other", "x");
  Check(ChangedSoon(watcher).empty());
  // Folders that come later.
  std::filesystem::create_directories(folder.path() / "etc/not");
  Check(ChangedSoon(watcher) == Ids{3});
  std::filesystem::create_directories(folder.path() / "etc/not/yet");
  Check(ChangedSoon(watcher) == Ids{3});
  folder.Write("etc/not/yet/x.conf", "x");
  Check(ChangedSoon(watcher) == Ids{3});
  folder.Write("etc/not/yet/x.other", "x");
  Check(ChangedSoon(watcher).empty());
  std::filesystem::create_directories(folder.path() / "etc/deep/c");
  Check(ChangedSoon(watcher) == Ids{4});
  folder.Write("etc/deep/c/d.conf", "x");
  Check(ChangedSoon(watcher) == Ids{4});
  // A folder with a new name, and its end.
  std::filesystem::rename(folder.path() / "etc/cron.d", folder.path() / "etc/away");
  Check(ChangedSoon(watcher) == Ids{1, 5});
  std::filesystem::create_directories(folder.path() / "etc/cron.d");
  ChangedSoon(watcher);
  folder.Write("etc/cron.d/three", "x");
  Check(ChangedSoon(watcher) == Ids{1, 5});
  Check(::chmod((top + "/etc/cron.d/three").c_str(), 0700) == 0);
  Check(ChangedSoon(watcher) == Ids{1, 5});
  std::filesystem::remove_all(folder.path() / "etc");
  Check(ChangedSoon(watcher) == Ids{1, 2, 3, 4, 5});
}

void LastLoginsAreRead(int) {
  const Folder folder;
  const std::string path = folder.path() / "wtmp";
  Check(files::AnswerLogins(path) == R"({"logins":[],"error":"ENOENT"})");
  std::string text;
  const auto add = [&](short type, std::string_view user, std::string_view host, std::int32_t seconds) {
    utmp record{};
    record.ut_type = type;
    user.copy(record.ut_user, sizeof record.ut_user);
    host.copy(record.ut_host, sizeof record.ut_host);
    record.ut_tv.tv_sec = seconds;
    text.append(reinterpret_cast<const char*>(&record), sizeof record);
  };
  add(USER_PROCESS, "ada", "first", 10);
  add(BOOT_TIME, "reboot", "", 20);
  // As long as the field: without a NUL.
  add(USER_PROCESS, std::string(sizeof(utmp::ut_user), 'x'), "", -5);
  add(USER_PROCESS, "ada", "second", 30);
  for (int at = 0; at < 3'000; ++at) add(DEAD_PROCESS, "", "", 40);
  folder.Write("wtmp", text + "half a record");
  const auto logins = files::LastLogins(path);
  Check(logins && logins->size() == 2 && (*logins)[0].host == "second" && (*logins)[0].seconds == 30);
  Check((*logins)[1].user.size() == sizeof(utmp::ut_user) && (*logins)[1].seconds == 0);
  Check(::mkfifo((path + "-fifo").c_str(), 0600) == 0);
  Check(files::AnswerLogins(path + "-fifo") == R"({"logins":[],"error":"EINVAL"})");
}

void PackagesAreCompared(int) {
  const Folder folder;
  const std::string top = folder.path();
  const std::string admin = top + "/dpkg";
  folder.Write("dpkg/status", "Package: one\nStatus: install ok installed\nVersion: 1\nConffiles:\n " + top +
                                  "/set 00000000000000000000000000000001\n");
  const auto relative = [&](const std::string& name) { return (top + "/" + name).substr(1); };
  const auto line = [&](const std::string& text, const std::string& name) {
    return Md5Of(text, 1) + "  " + relative(name) + "\n";
  };
  folder.Write("dpkg/info/one.md5sums", line("#!a", "program") + line("b", "text") + line("c", "missing") +
                                            line("d", "set") + line("b", "link"));
  folder.Write("dpkg/info/one.list",
               top + "/program\n" + top + "/text\n" + top + "/missing\n" + top + "/set\n" + top + "/link\n");
  folder.Write("program", "#!a");
  folder.Write("text", "b");
  folder.Write("set", "changed");
  folder.Link("link", "text");
  files::PackageDatabases::List list;
  list.push_back(std::make_unique<Dpkg>(admin, top + "/"));
  files::PackageDatabases databases(std::move(list));
  Check(databases.Refresh().size() == 1 && databases.Installed().size() == 1);
  const files::Package& package = *databases.Find("one");
  // Scripts are in no list.
  const std::vector<Owner> owners = databases.OwnersOf(admin + "/info/one.postinst");
  Check(owners.size() == 1 && owners[0].package == &package && !owners[0].digest);
  // Just written: as if it could still change within the same tick.
  Check(files::Verify(package, "").seal.empty());
  ::usleep(2'100'000);
  const files::Verification whole = files::Verify(package, "");
  Check(whole.seal.size() == 64 && whole.files == 4 && whole.missing == 1);
  Check(whole.altered.empty() && whole.unread.empty());
  const files::Verification again = files::Verify(package, whole.seal);
  Check(again.seal == whole.seal && again.files == 4 && again.missing == 1);
  // Without its digests, it is not the same as unchanged.
  std::filesystem::rename(admin + "/info/one.md5sums", admin + "/info/away");
  const files::Verification without = files::Verify(package, whole.seal);
  Check(without.files == 0 && without.unread.size() == 1);
  Check(without.unread[0].path == "package one" &&
        without.unread[0].reason == "2 of its files have no recorded digest");
  std::filesystem::rename(admin + "/info/away", admin + "/info/one.md5sums");
  // A link of the package may lead to data that no package has, and to no such program.
  folder.Write("away", "data");
  folder.Link("leads", "away");
  folder.Write("dpkg/info/one.list", top + "/program\n" + top + "/text\n" + top + "/leads\n");
  Check(files::Verify(package, whole.seal).altered.empty());
  folder.Write("away", "#!evil");
  const files::Verification away = files::Verify(package, whole.seal);
  Check(away.altered.size() == 1 && away.seal.empty() && away.altered[0].path == top + "/leads");
  Check(away.altered[0].program && files::DigestText(away.altered[0].expected) == std::string(32, '0'));
  std::filesystem::remove(folder.path() / "leads");
  folder.Write("program", "#!b");
  const files::Verification changed = files::Verify(package, whole.seal);
  Check(changed.seal.empty() && changed.altered.size() == 1);
  const files::Altered& altered = changed.altered.front();
  Check(altered.path == top + "/program" && altered.program &&
        files::DigestText(altered.found) == Md5Of("#!b", 1));
  Check(files::DigestText(altered.expected) == Md5Of("#!a", 1));
  const std::string answer = files::AnswerVerify("one " + whole.seal, databases);
  // Links to other content, and something that is no file.
  folder.Write("other", "other");
  std::filesystem::remove(folder.path() / "link");
  folder.Link("link", "other");
  std::filesystem::remove(folder.path() / "text");
  std::filesystem::create_directories(folder.path() / "text");
  const files::Verification replaced = files::Verify(package, whole.seal);
  Check(replaced.altered.size() == 3 && replaced.altered[0].path == top + "/text" &&
        replaced.altered[0].program);
  Check(replaced.altered[2].path == top + "/link" && replaced.seal.empty());
  Check(Has(answer, R"("installed":true,"seal":"","files":4,"missing":1,"altered":[{"path":")"));
  Check(Has(files::AnswerVerify("two", databases), R"("installed":false)"));
  Check(files::AnswerPackages(databases) ==
        R"({"packages":[{"id":"one","name":"one","version":"1","database":"dpkg"}],)"
        R"("databases":[{"name":"dpkg","state":"read"}]})");
}

// NOLINTNEXTLINE(cert-err58-cpp): without memory for the list of tests there is nothing to catch
const Suite kSuite{
    "files",
    {{"digests are those of the standard", DigestsAreThoseOfTheStandard},
     {"names match patterns", NamesMatchPatterns},
     {"patterns are searched", PatternsAreSearched},
     {"others' folders are not read", OthersFoldersAreNotRead},
     {"programs with rights are found", ProgramsWithRightsAreFound},
     {"programs of the only user who can enter are left out", ProgramsOfTheOnlyUserWhoCanEnterAreLeftOut},
     {"only regular files are read", OnlyRegularFilesAreRead},
     {"large files are read in part", LargeFilesAreReadInPart},
     {"links do not read for others", LinksDoNotReadForOthers},
     {"queries are checked", QueriesAreChecked},
     {"owners are known", OwnersAreKnown},
     {"last logins are read", LastLoginsAreRead},
     {"packages are compared", PackagesAreCompared},
     {"changes are read", ChangesAreRead},
     {"changes are reported", ChangesAreReported}}};

}  // namespace
}  // namespace desk::unit
