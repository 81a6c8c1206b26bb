#include "files/answer.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>
#include <vector>

#include "core/errno_name.h"
#include "core/hex.h"
#include "core/text.h"
#include "files/logins.h"
#include "files/privileged.h"
#include "files/search.h"
#include "files/verify.h"
#include "peek/writer.h"

namespace desk::files {
namespace {

void WriteOwners(const FileFacts& facts, const PackageDatabases& databases, Writer& out) {
  out.Name("owners").Open('[');
  for (const Owner& owner : databases.OwnersOf(facts.real)) {
    out.Open('{').Name("name").Text(owner.package->name).Name("version").Text(owner.package->version);
    out.Name("database").Text(owner.package->database->name());
    out.Name("installedNs").Text(std::to_string(owner.package->installed));
    out.Name("removed").Truth(owner.package->removed).Name("configuration").Truth(owner.configuration);
    out.Name("digest").Text(owner.digest ? DigestText(*owner.digest) : "");
    out.Name("unsupported").Truth(owner.digest && owner.digest->algorithm == Algorithm::kOther);
    if (owner.mode) out.Name("mode").Number(*owner.mode);
    out.Close('}');
  }
  out.Close(']');
}

// Null without one, and of a file that was not read.
const Package* PackageWith(const FileFacts& facts, const PackageDatabases& databases) {
  const std::optional<Digest> sha256 = ParseDigest(Algorithm::kSha256, facts.sha256);
  if (!sha256) return nullptr;
  const Package* const package = databases.PackageWith(*sha256);
  return package != nullptr ? package : databases.PackageWith(facts.md5);
}

void WriteFile(const FileFacts& facts, const PackageDatabases& databases, const Capabilities* capabilities,
               Writer& out) {
  out.Open('{').Name("path").Text(facts.path).Name("kind").Text(facts.kind).Name("mode").Number(facts.mode);
  out.Name("uid").Number(facts.uid).Name("gid").Number(facts.gid).Name("size").Number(facts.size);
  out.Name("modifiedNs").Text(std::to_string(facts.modified));
  out.Name("changedNs").Text(std::to_string(facts.changed));
  out.Name("link").Text(facts.link).Name("real").Text(facts.real);
  if (facts.text) out.Name("text").Text(*facts.text);
  out.Name("cut").Truth(facts.cut).Name("sha256").Text(facts.sha256);
  out.Name("md5").Text(facts.sha256.empty() ? "" : DigestText(facts.md5));
  if (!facts.link.empty()) out.Name("owned").Truth(!databases.OwnersOf(facts.path).empty());
  if (const Package* const copied = PackageWith(facts, databases)) {
    out.Name("copy").Text(copied->name + " " + copied->version);
    out.Name("copyDatabase").Text(copied->database->name());
  }
  if (!facts.real.empty()) WriteOwners(facts, databases, out);
  if (capabilities != nullptr) out.Name("capabilities").Text(HexOf(*capabilities));
  if (facts.error != 0) out.Name("error").Text(ErrnoName(facts.error));
  out.Close('}');
}

void WriteStates(const std::vector<PackageDatabases::State>& states, Writer& out) {
  out.Name("databases").Open('[');
  for (const PackageDatabases::State& one : states)
    out.Open('{').Name("name").Text(one.database).Name("state").Text(one.state).Close('}');
  out.Close(']');
}

// What is being found, and what could not be read.
class Answer {
 public:
  explicit Answer(PackageDatabases& databases) : databases_(databases), states_(databases.Refresh()) {
    out_.Open('{').Name("files").Open('[');
    unread_.Open('[');
  }

  bool full() const { return files_ == kMostFiles; }

  void File(const FileFacts& facts, const Capabilities* capabilities = nullptr) {
    ++files_;
    WriteFile(facts, databases_, capabilities, out_);
  }

  void Refused(const std::string& path, int error) {
    if (refused_++ < kMostRefused)
      unread_.Open('{').Name("path").Text(path).Name("error").Text(ErrnoName(error)).Close('}');
  }

  // `whole`: there was not more than is read.
  std::string End(bool whole) {
    out_.Close(']').Name("unread").Raw(unread_text_ + "]");
    out_.Name("cut").Truth(!whole || refused_ > kMostRefused);
    WriteStates(states_, out_);
    out_.Name("busy").Truth(databases_.IsBusy()).Close('}');
    return std::move(text_);
  }

 private:
  PackageDatabases& databases_;
  const std::vector<PackageDatabases::State> states_;
  std::string text_;
  std::string unread_text_;
  Writer out_{text_};
  Writer unread_{unread_text_};
  std::size_t files_ = 0;
  std::size_t refused_ = 0;
};

}  // namespace

bool ParsePattern(std::string_view line, FileQuery& query) {
  const auto viewer = ParseNumber<std::uint32_t>(TakeUntil(line, ' '));
  const std::optional<std::string> pattern = ParseHexPath(line);
  if (!viewer || !pattern || !pattern->starts_with('/')) return false;
  query.viewer = *viewer;
  query.pattern = *pattern;
  return true;
}

bool ParseQuery(std::string_view line, FileQuery& query) {
  const std::string_view depth = TakeUntil(line, ' ');
  if (depth == "text") query.depth = Depth::kText;
  if (depth == "digest") query.depth = Depth::kDigest;
  return (depth == "text" || depth == "digest" || depth == "facts") && ParsePattern(line, query);
}

std::string AnswerQuery(const FileQuery& query, PackageDatabases& databases) {
  Answer answer(databases);
  std::size_t texts = 0;
  const auto found = [&](const Found& one) {
    if (answer.full()) return false;
    const bool fits = query.depth != Depth::kText || texts < kMostTexts;
    FileFacts facts = ReadFacts(one, query.viewer, fits ? query.depth : Depth::kFacts);
    // The text of this answer has reached its limit.
    if (!fits) facts.error = EMSGSIZE;
    if (facts.text) texts += facts.text->size();
    answer.File(facts);
    return true;
  };
  const auto refused = [&](const std::string& path, int error) { answer.Refused(path, error); };
  return answer.End(SearchFiles(query.pattern, query.viewer, {.found = found, .refused = refused}));
}

std::string AnswerLogins(const std::string& path) {
  const Result<std::vector<Login>> logins = LastLogins(path);
  std::string text;
  Writer out(text);
  out.Open('{').Name("logins").Open('[');
  if (logins)
    for (const Login& login : *logins) {
      out.Open('{').Name("user").Text(login.user).Name("line").Text(login.line);
      out.Name("host").Text(login.host).Name("seconds").Number(login.seconds).Close('}');
    }
  out.Close(']').Name("error").Text(logins ? "" : ErrnoName(logins.error())).Close('}');
  return text;
}

std::string AnswerPackages(PackageDatabases& databases) {
  const std::vector<PackageDatabases::State> states = databases.Refresh();
  std::string text;
  Writer out(text);
  out.Open('{').Name("packages").Open('[');
  for (const Package* const package : databases.Installed()) {
    out.Open('{').Name("id").Text(package->id).Name("name").Text(package->name);
    out.Name("version").Text(package->version);
    out.Name("database").Text(package->database->name()).Close('}');
  }
  out.Close(']');
  WriteStates(states, out);
  out.Close('}');
  return text;
}

std::string AnswerVerify(std::string_view line, PackageDatabases& databases) {
  const std::string_view id = TakeUntil(line, ' ');
  static_cast<void>(databases.Refresh());
  const Package* const package = databases.Find(id);
  const Verification result = package != nullptr ? Verify(*package, line) : Verification{};
  std::string text;
  Writer out(text);
  out.Open('{').Name("installed").Truth(package != nullptr).Name("seal").Text(result.seal);
  out.Name("files").Number(result.files);
  out.Name("missing").Number(result.missing).Name("altered").Open('[');
  for (const Altered& file : result.altered) {
    out.Open('{').Name("path").Text(file.path).Name("expected").Text(DigestText(file.expected));
    out.Name("found").Text(DigestText(file.found)).Name("mode").Number(file.mode);
    out.Name("changedNs").Text(std::to_string(file.changed));
    out.Name("program").Truth(file.program).Close('}');
  }
  out.Close(']').Name("unread").Open('[');
  for (const Verification::Unread& file : result.unread)
    out.Open('{').Name("path").Text(file.path).Name("error").Text(file.reason).Close('}');
  out.Close(']').Name("busy").Truth(databases.IsBusy()).Close('}');
  return text;
}

std::string AnswerPrivileged(const std::string& mount, PackageDatabases& databases) {
  Answer answer(databases);
  std::uint64_t bytes = 0;
  std::size_t others = 0;
  bool left_out = false;
  const auto found = [&](const Found& one, const Capabilities& capabilities) {
    if (answer.full()) return false;
    struct stat info {};
    if (::fstat(one.place.get(), &info) != 0) return true;
    // What users make of their own must not use up what is reported.
    if (info.st_uid != 0 && capabilities.empty() && ++others > kMostOfUsers) {
      left_out = true;
      return true;
    }
    bytes += static_cast<std::uint64_t>(info.st_size);
    const bool fits = bytes <= kMostPrivileged;
    FileFacts facts = ReadFacts(one, 0, fits ? Depth::kDigest : Depth::kFacts);
    if (!fits) facts.error = EFBIG;
    answer.File(facts, &capabilities);
    return true;
  };
  const auto refused = [&](const std::string& path, int error) { answer.Refused(path, error); };
  const bool whole = WalkPrivileged(mount, {.found = found, .refused = refused});
  return answer.End(whole && !left_out);
}

}  // namespace desk::files
