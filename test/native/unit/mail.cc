// Message files, read by several threads under TSan.
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

// Few senders with many messages.
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

// Every seventh file is not a message: missing, or empty.
void ThreadsReadAsOne(int rounds) {
  const Folder folder;
  std::string names;
  std::vector<std::int32_t> expected;
  MessageReader one(kKey);
  for (int number = 0; number < kFiles; ++number) {
    const std::string name = std::to_string(number);
    names += name + '\0';
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
    InThreads(
        2,
        [&](int) {
          MessageReader reader(kKey);
          Check(ReadMessageFiles(folder.path(), names, kNowMs, kHourMs, reader) == expected);
          Check(Same(reader.Take(), wanted));
        });
  }
}

// Messages that were not read in time come next, and none comes twice.
void TimeEndsReading(int) {
  const Folder folder;
  for (int number = 0; number < kFiles; ++number) folder.Write(std::to_string(number), Message(number));
  MessageReader reader(kKey);
  int done = 0;
  while (done < kFiles) {
    std::string rest;
    for (int number = done; number < kFiles; ++number) rest += std::to_string(number) + '\0';
    const auto looked =
        static_cast<int>(ReadMessageFiles(folder.path(), rest, kNowMs, done == 0 ? 0 : 1, reader).size());
    Check(done == 0 ? looked == 1 : looked >= 1 && looked <= kFiles - done);
    done += looked;
  }
  Check(done == kFiles && reader.Take().columns.times.size() == kFiles);
}

// Headers with many new addresses are returned a few MiB at a time.
void TextsEndReading(int) {
  const Folder folder;
  std::string names;
  for (int number = 0; number < 400; ++number) {
    std::string header = "To: a@b.example";
    for (int person = 0; person < 900; ++person)
      header += ", " + std::to_string(number) + "x" + std::to_string(person) + "@many.strangers.example";
    folder.Write(std::to_string(number), header + "\n\n");
    names += std::to_string(number) + '\0';
  }
  MessageReader reader(kKey);
  const std::size_t looked = ReadMessageFiles(folder.path(), names, kNowMs, kHourMs, reader).size();
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
