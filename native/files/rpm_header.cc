#include "files/rpm_header.h"

#include <linux/limits.h>

#include <vector>

#include "core/text.h"
#include "files/bytes.h"

namespace desk::files {
namespace {

// include/rpm/rpmtag.h
enum class Tag : std::uint32_t {
  kName = 1000,
  kVersion = 1001,
  kRelease = 1002,
  kEpoch = 1003,
  kInstallTime = 1008,
  kArchitecture = 1022,
  kModes = 1030,
  kDigests = 1035,
  kFlags = 1037,
  kStates = 1029,
  kVerify = 1045,
  kFolderNumbers = 1116,
  kNames = 1117,
  kFolders = 1118,
  kDigestAlgorithm = 5011,
};

enum class Type : std::uint32_t { kInt8 = 2, kInt16 = 3, kInt32 = 4, kString = 6, kStrings = 8 };

constexpr std::size_t kEntry = 16;
// include/rpm/rpmfiles.h
constexpr std::uint32_t kConfiguration = 1U << 0U;
constexpr std::uint32_t kGhost = 1U << 6U;
constexpr std::uint32_t kVerifyDigest = 1U << 0U;
constexpr std::uint32_t kNormal = 0;
constexpr std::uint32_t kNotInstalled = 2;
constexpr std::uint32_t kNetShared = 3;
// include/rpm/rpmcrypto.h
constexpr std::uint32_t kRpmMd5 = 1;
constexpr std::uint32_t kRpmSha256 = 8;

std::uint32_t Word(std::string_view bytes, std::size_t at) {
  return static_cast<std::uint32_t>(BigEndian(bytes.substr(at, 4)));
}

// An index of entries (tag, type, offset, count), and the data that they point to.
class Tags {
 public:
  static std::optional<Tags> In(std::string_view bytes) {
    if (bytes.size() < 8) return std::nullopt;
    const std::uint64_t index = std::uint64_t{Word(bytes, 0)} * kEntry;
    const std::uint64_t data = Word(bytes, 4);
    if (index + data > bytes.size() - 8) return std::nullopt;
    return Tags(bytes.substr(8, index), bytes.substr(8 + index, data));
  }

  bool Has(Tag tag) const { return !EntryOf(tag).empty(); }

  // Texts of a tag; none without it. Nothing where they are damaged.
  std::optional<std::vector<std::string_view>> Texts(Tag tag) const {
    std::vector<std::string_view> texts;
    const std::string_view entry = EntryOf(tag);
    if (entry.empty()) return texts;
    const auto type = static_cast<Type>(Word(entry, 4));
    const std::uint64_t offset = Word(entry, 8);
    const std::uint64_t count = type == Type::kString ? 1 : Word(entry, 12);
    const bool is_text = type == Type::kString || type == Type::kStrings;
    // Each has a NUL behind it.
    if (!is_text || offset > data_.size() || count > kMostRpmFiles) return std::nullopt;
    std::string_view rest = data_.substr(offset);
    for (std::uint64_t at = 0; at < count; ++at) {
      if (rest.find('\0') == std::string_view::npos) return std::nullopt;
      texts.push_back(TakeUntil(rest, '\0'));
    }
    return texts;
  }

  // Numbers of a tag, as above.
  std::optional<std::vector<std::uint32_t>> Numbers(Tag tag, Type type) const {
    std::vector<std::uint32_t> numbers;
    const std::string_view entry = EntryOf(tag);
    if (entry.empty()) return numbers;
    const std::uint64_t size = type == Type::kInt8 ? 1 : type == Type::kInt16 ? 2 : 4;
    const std::uint64_t offset = Word(entry, 8);
    const std::uint64_t count = Word(entry, 12);
    // rpm has written states as characters and as 8-bit numbers.
    const std::uint32_t stored = Word(entry, 4);
    const bool same = stored == static_cast<std::uint32_t>(type) || (type == Type::kInt8 && stored == 1);
    if (!same || offset > data_.size() || count > kMostRpmFiles || count > (data_.size() - offset) / size)
      return std::nullopt;
    for (std::uint64_t at = 0; at < count; ++at)
      numbers.push_back(static_cast<std::uint32_t>(BigEndian(data_.substr(offset + at * size, size))));
    return numbers;
  }

  std::string_view Text(Tag tag) const {
    const auto texts = Texts(tag);
    return texts && !texts->empty() ? texts->front() : std::string_view();
  }
  std::uint32_t Number(Tag tag) const {
    const auto numbers = Numbers(tag, Type::kInt32);
    return numbers && !numbers->empty() ? numbers->front() : 0;
  }

 private:
  Tags(std::string_view index, std::string_view data) : index_(index), data_(data) {}

  // The last one counts: what was added when the package was installed replaces what it had.
  std::string_view EntryOf(Tag tag) const {
    for (std::size_t at = index_.size(); at >= kEntry; at -= kEntry)
      if (Word(index_, at - kEntry) == static_cast<std::uint32_t>(tag))
        return index_.substr(at - kEntry, kEntry);
    return {};
  }

  std::string_view index_;
  std::string_view data_;
};

Algorithm AlgorithmOf(const Tags& tags) {
  if (!tags.Has(Tag::kDigestAlgorithm)) return Algorithm::kMd5;
  const std::uint32_t number = tags.Number(Tag::kDigestAlgorithm);
  if (number == kRpmSha256) return Algorithm::kSha256;
  return number == kRpmMd5 ? Algorithm::kMd5 : Algorithm::kOther;
}

}  // namespace

std::optional<RpmHeader> ParseRpmHeader(std::string_view bytes) {
  const std::optional<Tags> tags = Tags::In(bytes);
  if (!tags) return std::nullopt;
  RpmHeader header{.name = std::string(tags->Text(Tag::kName)),
                   .version = std::string(tags->Text(Tag::kVersion)),
                   .architecture = std::string(tags->Text(Tag::kArchitecture)),
                   .installed = tags->Number(Tag::kInstallTime)};
  if (header.name.empty()) return std::nullopt;
  header.version.append("-").append(tags->Text(Tag::kRelease));
  if (const std::uint32_t epoch = tags->Number(Tag::kEpoch); epoch != 0)
    header.version.insert(0, std::to_string(epoch) + ":");
  return header;
}

bool EachRpmFile(std::string_view bytes, const std::function<void(const RpmFile&)>& visit) {
  const std::optional<Tags> parsed = Tags::In(bytes);
  if (!parsed) return false;
  const Tags& tags = *parsed;
  const auto names = tags.Texts(Tag::kNames);
  const auto folders = tags.Texts(Tag::kFolders);
  const auto numbers = tags.Numbers(Tag::kFolderNumbers, Type::kInt32);
  const auto digests = tags.Texts(Tag::kDigests);
  const auto modes = tags.Numbers(Tag::kModes, Type::kInt16);
  const auto flags = tags.Numbers(Tag::kFlags, Type::kInt32);
  auto states = tags.Numbers(Tag::kStates, Type::kInt8);
  auto verified = tags.Numbers(Tag::kVerify, Type::kInt32);
  if (!names || !folders || !numbers || !digests || !modes || !flags || !states || !verified) return false;
  const std::size_t count = names->size();
  // These may be left out.
  if (states->empty()) states->resize(count, kNormal);
  if (verified->empty()) verified->resize(count, kVerifyDigest);
  const bool whole = numbers->size() == count && digests->size() == count && modes->size() == count &&
                     flags->size() == count && states->size() == count && verified->size() == count;
  if (!whole) return false;
  const Algorithm algorithm = AlgorithmOf(tags);
  for (std::size_t at = 0; at < count; ++at) {
    const std::uint32_t folder = (*numbers)[at];
    if (folder >= folders->size()) return false;
    if ((*folders)[folder].size() + (*names)[at].size() >= PATH_MAX) return false;
    const std::uint32_t state = (*states)[at];
    if (state == kNotInstalled || state == kNetShared) continue;
    const bool recorded = state == kNormal && ((*flags)[at] & kGhost) == 0 && !(*digests)[at].empty();
    std::optional<Digest> digest;
    // A digest that is not valid for its algorithm is not compared.
    if (recorded)
      digest = ParseDigest(algorithm, (*digests)[at]).value_or(Digest{.algorithm = Algorithm::kOther});
    visit({.path = std::string((*folders)[folder]).append((*names)[at]),
           .digest = digest,
           .configuration = ((*flags)[at] & kConfiguration) != 0 || ((*verified)[at] & kVerifyDigest) == 0,
           .mode = static_cast<std::uint16_t>((*modes)[at] & 07777U)});
  }
  return true;
}

}  // namespace desk::files
