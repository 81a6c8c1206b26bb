// Message files, read by several threads: TSan watches.
#include <cstdint>
#include <string>
#include <vector>

#include "core/siphash.h"
#include "fake_root.h"
#include "harness.h"
#include "mail/message_columns.h"
#include "mail/message_files.h"

namespace desk::unit {
namespace {

constexpr std::int64_t kNowMs = 1'767'225'600'000;
constexpr std::int64_t kHourMs = 3'600'000;
constexpr SipKey kKey{1, 2};
constexpr int kFiles = 3000;

// Few people write many messages.
std::string Message(int number) {
  const std::string person = std::to_string(number * number % 97);
  return "From: Person " + person + " <p" + person + "@example.org>\nTo: a@b.example, p" +
         std::to_string(number % 13) + "@example.org\nMessage-ID: <" + std::to_string(number) +
         "@x>\n\nbody\n";
}

bool Same(const MessageReader::Taken& one, const MessageReader::Taken& other) {
  return one.texts == other.texts && one.columns.keys == other.columns.keys &&
         one.columns.times == other.columns.times && one.columns.flags == other.columns.flags &&
         one.columns.named == other.columns.named && one.columns.ends == other.columns.ends;
}

// Every seventh file is no message: gone, or empty.
void ThreadsReadAsOne(int rounds) {
  const Folder folder;
  std::string paths;
  std::vector<std::int32_t> expected;
  MessageReader one(kKey);
  for (int number = 0; number < kFiles; ++number) {
    const std::string name = std::to_string(number);
    paths += folder.path() / name;
    paths += '\0';
    expected.push_back(number % 7 == 3 ? kNoMessage : kMessage);
    if (number % 7 != 3) {
      one.Add(Message(number), kNowMs);
      folder.Write(name, Message(number));
    } else if (number % 14 == 3) {
      folder.Write(name, "");
    }
  }
  const MessageReader::Taken wanted = one.Take();
  for (int round = 0; round < rounds; ++round) {
    InThreads(2, [&](int) {
      MessageReader reader(kKey);
      Check(ReadMessageFiles(paths, kNowMs, kHourMs, reader) == expected);
      Check(Same(reader.Take(), wanted));
    });
  }
}

// What was not looked at in time comes next; nothing comes twice.
void TimeEndsReading(int) {
  const Folder folder;
  std::vector<std::string> paths;
  for (int number = 0; number < kFiles; ++number) {
    paths.push_back(folder.path() / std::to_string(number));
    folder.Write(std::to_string(number), Message(number));
  }
  MessageReader reader(kKey);
  std::size_t done = 0;
  while (done < paths.size()) {
    std::string rest;
    for (std::size_t at = done; at < paths.size(); ++at) rest += paths[at] + '\0';
    const std::size_t looked = ReadMessageFiles(rest, kNowMs, done == 0 ? 0 : 1, reader).size();
    Check(done == 0 ? looked == 1 : looked >= 1 && looked <= paths.size() - done);
    done += looked;
  }
  Check(done == paths.size() && reader.Take().columns.times.size() == paths.size());
}

// Headers full of strangers are told a few MiB at a time.
void TextsEndReading(int) {
  const Folder folder;
  std::string paths;
  for (int number = 0; number < 400; ++number) {
    std::string header = "To: a@b.example";
    for (int person = 0; person < 900; ++person) {
      header += ", " + std::to_string(number) + "x" + std::to_string(person) + "@many.strangers.example";
    }
    folder.Write(std::to_string(number), header + "\n\n");
    paths += folder.path() / std::to_string(number);
    paths += '\0';
  }
  MessageReader reader(kKey);
  const std::size_t looked = ReadMessageFiles(paths, kNowMs, kHourMs, reader).size();
  Check(looked >= 1 && looked < 400);
  constexpr std::size_t kAllowed = 3u << 20;
  Check(reader.waiting() <= kAllowed);
}

// NOLINTNEXTLINE(cert-err58-cpp): without memory for the list of tests there is nothing to catch
const Suite kSuite{"mail",
                   {{"threads read as one", ThreadsReadAsOne},
                    {"time ends reading", TimeEndsReading},
                    {"texts end reading", TextsEndReading}}};

}  // namespace
}  // namespace desk::unit
