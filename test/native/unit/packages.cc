// Databases of rpm and pacman, and the formats that they are in.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/hex.h"
#include "core/siphash.h"
#include "database_makers.h"
#include "fake_root.h"
#include "files/answer.h"
#include "files/databases.h"
#include "files/digest.h"
#include "files/folder_links.h"
#include "files/inflate.h"
#include "files/md5.h"
#include "files/mtree.h"
#include "files/pacman.h"
#include "files/rpm.h"
#include "files/rpm_header.h"
#include "files/sqlite.h"
#include "files/verify.h"
#include "harness.h"

namespace desk::unit {
namespace {

using files::Algorithm;
using files::Pacman;
using files::Rpm;
using files::Sqlite;

// Of "abc" (FIPS 180-4).
constexpr std::string_view kAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

std::string DigestOf(Algorithm algorithm, std::string_view bytes) {
  files::Hasher hasher(algorithm);
  hasher.Take(bytes);
  return files::DigestText(hasher.End());
}

void DigestsNameTheirAlgorithm(int) {
  Check(DigestOf(Algorithm::kMd5, "abc") == "900150983cd24fb0d6963f7d28e17f72");
  Check(DigestOf(Algorithm::kSha256, "abc") == "sha256:" + std::string(kAbc));
  Check(files::DigestText({.algorithm = Algorithm::kOther}).empty());
  Check(!files::ParseDigest(Algorithm::kMd5, kAbc) && !files::ParseDigest(Algorithm::kSha256, "ab"));
  Check(!files::ParseDigest(Algorithm::kOther, kAbc));
  Check(files::IsOfNothing(files::Hasher(Algorithm::kSha256).End()));
}

std::string BytesOfHex(std::string_view hex) {
  std::string bytes;
  for (; !hex.empty(); hex.remove_prefix(2))
    bytes += static_cast<char>(ParseNumber<std::uint8_t>(hex.substr(0, 2), 16).value_or(0));
  return bytes;
}

int GunzipError(const std::string& bytes, std::size_t most) { return files::Gunzip(bytes, most).error(); }

// As zlib writes them.
void GzipIsRead(int) {
  const std::string fixed = BytesOfHex("1f8b08000000000002034b4c4a4e44450004c026dc12000000");
  const std::string stored =
      BytesOfHex("1f8b08080000000002036e616d6500010600f9ff73746f7265640bf9435606000000");
  const std::string zeros = BytesOfHex("1f8b0800000000000203edc13101000000c2a0f54f6d0d0fa" +
                                       std::string(193, '0') + "8057037d9511d4a0860100");
  Check(*files::Gunzip(fixed, 18) == "abcabcabcabcabcabc" && GunzipError(fixed, 17) == EFBIG);
  Check(*files::Gunzip(stored, 6) == "stored" && GunzipError(stored, 5) == EFBIG);
  Check(*files::Gunzip(zeros, 100'000) == std::string(100'000, '\0') && GunzipError(zeros, 99'999) == EFBIG);
  for (const std::string& whole : {fixed, stored, zeros}) {
    for (std::size_t size = 0; size < whole.size(); ++size)
      Check(GunzipError(whole.substr(0, size), 1 << 20) == EBADMSG);
    Check(GunzipError(whole + "x", 1 << 20) == EBADMSG);
    std::string other = whole;
    other[other.size() - 8] ^= 1;
    Check(GunzipError(other, 1 << 20) == EBADMSG);
  }
}

void MtreesAreRead(int) {
  const std::string text =
      "#mtree\n/set type=file uid=0 mode=644\n./usr type=dir mode=755\n"
      "./usr/a\\040b\\303\\274 size=3 mode=4755 md5digest=900150983cd24fb0d6963f7d28e17f72 "
      "sha256digest=" +
      std::string(kAbc) + "\n./usr/link type=link link=a\n# nothing\n" +
      "./old md5digest=900150983cd24fb0d6963f7d28e17f72\n";
  std::vector<files::MtreeEntry> entries;
  const auto take = [&](const files::MtreeEntry& entry) { entries.push_back(entry); };
  Check(files::EachMtreeEntry(text, take) && entries.size() == 4);
  Check(!entries[0].regular && entries[0].mode == 0755);
  Check(entries[1].path == "/usr/a b\xc3\xbc" && entries[1].mode == 04755 && entries[1].regular);
  Check(files::DigestText(*entries[1].digest) == "sha256:" + std::string(kAbc));
  Check(!entries[2].regular && !entries[2].digest);
  Check(entries[3].mode == 0644 && files::DigestText(*entries[3].digest).size() == 32);
  for (const std::string_view damaged :
       {"", "mtree\n", "#mtree\nusr\n", "#mtree\n./a mode=9\n", "#mtree\n./a\\1\n", "#mtree\n./a\\000\n",
        "#mtree\n./a sha256digest=0\n"})
    Check(!files::EachMtreeEntry(damaged, take));
}

std::optional<std::vector<files::RpmFile>> FilesOf(std::string_view bytes) {
  std::vector<files::RpmFile> all;
  if (!files::EachRpmFile(bytes, [&](const files::RpmFile& file) { all.push_back(file); }))
    return std::nullopt;
  return all;
}

void HeadersAreRead(int) {
  HeaderMaker maker = PackageOf({"a", "b", "c", "d", "e"},
                                {std::string(kAbc), std::string(kAbc), "", "x", std::string(kAbc)});
  // Replaced by another package, and not installed.
  maker.Numbers(1029, 1, {0, 1, 0, 0, 2}).Numbers(1003, 4, {7});
  const std::string whole = maker.Bytes();
  const auto header = files::ParseRpmHeader(whole);
  Check(header && header->name == "made" && header->version == "7:1-2" && header->installed == 100);
  const auto all = *FilesOf(whole);
  Check(all.size() == 4 && all[0].path == "/opt/a" && all[0].mode == 04755);
  Check(files::DigestText(*all[0].digest) == "sha256:" + std::string(kAbc));
  Check(!all[1].digest && !all[2].digest && all[3].digest->algorithm == Algorithm::kOther);
  // A configuration file, one that is made later, one whose content is not verified.
  HeaderMaker kinds = PackageOf({"a", "b", "c"}, std::vector<std::string>(3, std::string(kAbc)));
  const auto kept = *FilesOf(kinds.Numbers(1037, 4, {1, 64, 0}).Numbers(1045, 4, {~0U, ~0U, ~1U}).Bytes());
  Check(kept[0].configuration && !kept[1].digest && !kept[1].configuration && kept[2].configuration);
  const auto sha512 = *FilesOf(PackageOf({"a"}, {std::string(128, 'a')}, 10).Bytes());
  Check(sha512[0].digest->algorithm == Algorithm::kOther);
  const auto old = *FilesOf(PackageOf({"a"}, {std::string(32, 'a')}, 1).Bytes());
  Check(files::DigestText(*old[0].digest) == std::string(32, 'a'));
  HeaderMaker bare;
  Check(FilesOf(bare.Text(1000, "gpg-pubkey").Bytes())->empty());
  // Damaged in every way that lengths can be.
  for (std::size_t size = 0; size < whole.size(); ++size) {
    Check(!files::ParseRpmHeader(std::string_view(whole).substr(0, size)));
    Check(!FilesOf(std::string_view(whole).substr(0, size)));
  }
  Check(!FilesOf(PackageOf({"a"}, {}).Bytes()));
  HeaderMaker far = PackageOf({"a"}, {""});
  Check(!FilesOf(far.Numbers(1116, 4, {1}).Bytes()));
  HeaderMaker many = PackageOf({"a"}, {""});
  Check(!FilesOf(many.Texts(1117, {"a", "b"}).Bytes()));
  Check(!FilesOf(PackageOf({"a"}, {""}, 8, "/" + std::string(5'000, 'x')).Bytes()));
}

struct Rows {
  int error = 0;
  std::vector<std::pair<std::int64_t, std::string>> rows;
};

Rows RowsOf(const Folder& folder, std::string_view database, std::string_view wal = "",
            std::optional<std::int64_t> only = {}) {
  folder.Write("db", database);
  folder.Write("db-wal", wal);
  const auto open = [&](const char* name) {
    return Fd(::open((folder.path() / name).c_str(), O_RDONLY | O_CLOEXEC));
  };
  desk::Result<Sqlite> opened = Sqlite::Open(open("db"), open("db-wal"));
  Rows result{.error = opened.error(), .rows = {}};
  if (!opened) return result;
  result.error = (*opened).EachRow(
      "Packages",
      [&](std::int64_t row, const std::vector<files::SqliteValue>& values) {
        Check(values.size() == 2);
        result.rows.emplace_back(row, values[1].bytes);
        return 0;
      },
      only);
  return result;
}

void RowsAreRead(int) {
  const Folder folder;
  const std::string large(1'500, 'x');
  const std::string row = RowOf(large);
  const std::size_t local = LocalPart(row.size());
  const auto overflow = [&](std::uint32_t next, std::size_t at) {
    std::string page = Big(next, 4) + row.substr(at, kPage - 4);
    page.resize(kPage, '\0');
    return page;
  };
  const std::string leaves = LeafPage({{.row = 1, .blob = "one"}, {.row = 5, .blob = "five"}}) +
                             LeafPage({{.row = 300, .blob = large, .overflow = 5}});
  const std::string rest =
      overflow(6, local) + overflow(7, local + kPage - 4) + overflow(0, local + 2 * (kPage - 4));
  const std::string database = SchemaPage() + BranchPage({{3, 5}}, 4) + leaves + rest;
  const Rows all = RowsOf(folder, database);
  Check(all.error == 0 && all.rows.size() == 3 &&
        all.rows[1] == std::pair<std::int64_t, std::string>(5, "five"));
  Check(all.rows[2].first == 300 && all.rows[2].second == large);
  for (const auto& one : all.rows) Check(RowsOf(folder, database, "", one.first).rows == Rows{0, {one}}.rows);
  Check(RowsOf(folder, database, "", 4).rows.empty() && RowsOf(folder, database, "", 301).rows.empty());
  // Cut at a page, and within one.
  Check(RowsOf(folder, database.substr(0, 6 * kPage)).error == EBADMSG);
  Check(RowsOf(folder, database.substr(0, 6 * kPage + 100)).error == EBADMSG);
  Check(RowsOf(folder, SchemaPage().substr(0, 50)).error == EBADMSG);
  Check(RowsOf(folder, "").error == EBADMSG);
  Check(RowsOf(folder, std::string(kPage, '\0')).error == EBADMSG);
  // Pages that lead to themselves.
  Check(RowsOf(folder, SchemaPage() + BranchPage({{2, 5}}, 2)).error == EBADMSG);
  Check(RowsOf(folder, SchemaPage() + BranchPage({{3, 1}, {3, 2}, {3, 3}}, 3) + leaves).error == EBADMSG);
  Check(
      RowsOf(folder, SchemaPage() + LeafPage({{.row = 1, .blob = large, .overflow = 3}}) + overflow(3, local))
          .error == EBADMSG);
  // Two cells in one place.
  std::string twice = LeafPage({{.row = 1, .blob = std::string(300, 'x')}});
  twice.replace(3, 2, Big(2, 2)).replace(10, 2, twice.substr(8, 2));
  Check(RowsOf(folder, SchemaPage() + twice).error == EBADMSG);
  Check(RowsOf(folder, SchemaPage(9)).error == EBADMSG && RowsOf(folder, SchemaPage(0)).error == EBADMSG);
}

void TheLogIsApplied(int) {
  const Folder folder;
  const auto leaf = [](const std::string& text) { return LeafPage({{.row = 1, .blob = text}}); };
  const std::string old = SchemaPage() + leaf("old");
  const std::string wal = WalOf({{2, leaf("first")}, {2, leaf("new")}}, 2);
  const auto only = [&](std::string_view database, std::string_view log) {
    const Rows rows = RowsOf(folder, database, log);
    Check(rows.error == 0 && rows.rows.size() == 1);
    return rows.rows[0].second;
  };
  Check(only(old, "") == "old" && only(old, wal) == "new");
  // Nothing of a transaction that has no end, or another checksum, and of a log that is none.
  Check(only(old, wal.substr(0, wal.size() - 1)) == "old" && only(old, wal.substr(0, 40)) == "old");
  std::string other = wal;
  other.back() ^= 1;
  Check(only(old, other) == "old" && only(old, "x" + wal) == "old");
  // A database that has nothing but its log yet, and pages that it has there alone.
  Check(only("", WalOf({{1, SchemaPage()}, {2, leaf("all")}}, 2)) == "all");
  Check(only(old, WalOf({{2, BranchPage({}, 3)}, {3, leaf("behind")}}, 3)) == "behind");
}

void RpmDatabasesAreRead(int) {
  const Folder folder;
  const std::string top = folder.path();
  const std::string path = top + "/rpm/rpmdb.sqlite";
  folder.Write("root/usr/bin/x", "");
  folder.Link("root/bin", "usr/bin");
  folder.Link("root/usr/sbin", "bin");
  folder.Link("root/sbin", "usr/sbin");
  Rpm rpm({top + "/nowhere", top + "/rpm"}, top + "/root/");
  Check(rpm.Refresh() == "none");
  HeaderMaker maker = PackageOf({"a"}, {std::string(kAbc)}, 8);
  const std::string database = SchemaPage() + LeafPage({{.row = 3, .blob = maker.Bytes().substr(0, 10)}});
  folder.Write("rpm/rpmdb.sqlite", database);
  Check(rpm.Refresh() == "EBADMSG" && rpm.packages().empty());
  HeaderMaker tools;
  tools.Text(1000, "to\nols")
      .Text(1001, "1")
      .Text(1002, "2")
      .Numbers(1030, 2, {0100755})
      .Texts(1035, {std::string(kAbc)});
  tools.Numbers(1037, 4, {0})
      .Numbers(1116, 4, {0})
      .Texts(1117, {"tool"})
      .Texts(1118, {"/sbin/"})
      .Numbers(5011, 4, {8});
  folder.Write("rpm/rpmdb.sqlite", SchemaPage() + LeafPage({{.row = 3, .blob = tools.Bytes()}}));
  Check(rpm.Refresh() == "read" && rpm.packages().size() == 1);
  Check(rpm.packages()[0].id == "rpm:to?ols-1-2");
  const std::vector<files::Owner> owners = rpm.OwnersOf("/usr/bin/tool");
  Check(owners.size() == 1 && owners[0].mode == 0755 && !owners[0].configuration);
  Check(rpm.PackageWith(*owners[0].digest) == owners[0].package);
  std::vector<std::string> listed;
  const auto list = [&](const std::string& file, const files::Digest&) { listed.push_back(file); };
  Check(rpm.EachDigest(rpm.packages()[0], list) == 0 && listed == std::vector<std::string>{"/usr/bin/tool"});
  // What a crash has left has to be rolled back first.
  folder.Write("rpm/rpmdb.sqlite-journal", "x");
  Check(rpm.Refresh().find("journal") != std::string::npos && rpm.packages().empty());
  std::filesystem::remove(path + "-journal");
  std::filesystem::remove(path);
  folder.Write("rpm/Packages.db", "");
  Check(rpm.Refresh().find("ndb") != std::string::npos);
  std::filesystem::rename(top + "/rpm/Packages.db", top + "/rpm/Packages");
  Check(rpm.Refresh().find("Berkeley") != std::string::npos);
  Check(!rpm.IsBusy());
}

void PacmanDatabasesAreRead(int) {
  const Folder folder;
  const std::string top = folder.path();
  const std::string local = "pacman/local/made-1-2/";
  Pacman pacman(top + "/pacman", top + "/");
  Check(pacman.Refresh() == "none" && !pacman.IsBusy());
  folder.Write("pacman/local/ALPM_DB_VERSION", "9\n");
  folder.Write(local + "desc", "%NAME%\nmade\n\n%VERSION%\n1-2\n\n%INSTALLDATE%\n100\n\n");
  folder.Write(local + "files",
               "%FILES%\nopt/\nopt/a\nopt/link\netc/made.conf\n\n%BACKUP%\netc/"
               "made.conf\t900150983cd24fb0d6963f7d28e17f72\n");
  const auto one = [&](std::string_view path) {
    const std::vector<files::Owner> owners = pacman.OwnersOf(path);
    Check(owners.size() == 1 && owners[0].package->version == "1-2");
    return owners[0];
  };
  const auto nothing = [](const std::string&, const files::Digest&) { Check(false); };
  // Without its mtree its files are owned, and comparing them is an error.
  Check(pacman.Refresh() == "read" && pacman.packages()[0].id == "pacman:made-1-2");
  Check(!one("/opt/a").digest && pacman.OwnersOf("/opt/").empty());
  Check(pacman.EachDigest(pacman.packages()[0], nothing) == ENOENT);
  const std::string mtree = "#mtree\n/set type=file mode=644\n./.PKGINFO sha256digest=" + std::string(kAbc) +
                            "\n./opt/a mode=4755 sha256digest=" + std::string(kAbc) +
                            "\n./etc/made.conf sha256digest=" + std::string(kAbc) + "\n";
  folder.Write(local + "mtree", StoredGzip(mtree));
  folder.Write("pacman/local/other-1-1/desc", "%NAME%\nother\n\n%VERSION%\n1-1\n");
  folder.Write("pacman/local/other-1-1/files", "");
  Check(pacman.Refresh() == "read" && pacman.packages().size() == 2);
  Check(files::DigestText(*one("/opt/a").digest) == "sha256:" + std::string(kAbc) &&
        one("/opt/a").mode == 04755);
  Check(one("/etc/made.conf").configuration && one("/etc/made.conf").digest && !one("/opt/link").digest);
  Check(pacman.OwnersOf("/.PKGINFO").empty());
  std::vector<std::string> listed;
  const auto list = [&](const std::string& path, const files::Digest&) { listed.push_back(path); };
  Check(pacman.EachDigest(*one("/opt/a").package, list) == 0 && listed == std::vector<std::string>{"/opt/a"});
  folder.Write("pacman/db.lck", "");
  Check(pacman.IsBusy());
  folder.Write("pacman/local/damaged-1-1/desc", "");
  Check(pacman.Refresh() == "local/damaged-1-1: ENOENT" && pacman.packages().empty());
}

void SeveralDatabasesAreOne(int) {
  const Folder folder;
  const std::string top = folder.path();
  folder.Write("a", "anything");
  const HeaderMaker made = PackageOf({"a"}, {std::string(128, 'a')}, 10, top + "/");
  folder.Write("rpm/rpmdb.sqlite", SchemaPage() + LeafPage({{.row = 1, .blob = made.Bytes()}}));
  folder.Write("pacman/local/made-1-2/desc", "");
  files::PackageDatabases::List list;
  list.push_back(std::make_unique<Rpm>(std::vector{top + "/rpm"}, top + "/"));
  list.push_back(std::make_unique<Pacman>(top + "/pacman", top + "/"));
  files::PackageDatabases databases(std::move(list));
  Check(files::AnswerPackages(databases) ==
        R"({"packages":[{"id":"rpm:made-1-2.noarch","name":"made","version":"1-2","database":"rpm"}],)"
        R"("databases":[{"name":"rpm","state":"read"},{"name":"pacman","state":"local/made-1-2: ENOENT"}]})");
  // A digest that is not computed is neither the same nor another one.
  const files::Verification result = files::Verify(*databases.Find("rpm:made-1-2.noarch"), "");
  Check(result.files == 1 && result.altered.empty() && result.seal.empty());
  Check(result.unread.size() == 1 && result.unread[0].path == "package rpm:made-1-2.noarch");
  files::FileQuery query;
  Check(files::ParseQuery("digest 0 " + HexOf(BytesOf(top + "/a")), query));
  Check(files::AnswerQuery(query, databases).find(R"("digest":"","unsupported":true,"mode":2541)") !=
        std::string::npos);
}

// NOLINTNEXTLINE(cert-err58-cpp): without memory for the list of tests there is nothing to catch
const Suite kSuite{"packages",
                   {{"digests name their algorithm", DigestsNameTheirAlgorithm},
                    {"gzip is read", GzipIsRead},
                    {"mtrees are read", MtreesAreRead},
                    {"headers are read", HeadersAreRead},
                    {"rows are read", RowsAreRead},
                    {"the log is applied", TheLogIsApplied},
                    {"rpm databases are read", RpmDatabasesAreRead},
                    {"pacman databases are read", PacmanDatabasesAreRead},
                    {"several databases are one", SeveralDatabasesAreOne}}};

}  // namespace
}  // namespace desk::unit
