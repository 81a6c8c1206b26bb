// Passes cases to the pure parts of native/watch and to the ring buffer's reader: one case per line of
// standard input, one line of JSON each on standard output.
//   decode HEX                        DecodeProcEvents
//   count CPU:SEQUENCE ...            SequenceCheck
//   schedule PERIOD,... then WORD ... RereadSchedule: +SUBJECT@NS adds, -SUBJECT,... forgets (ascending), @NS
//                                     takes what is due
//   pace ROOM EVENTS ...              DrainPace: its period at first, and after each drain
//   pids WORD ...                     PendingPids: PID touched, +PID lives, -PID exited, clear
//   ring BYTES CONSUMER PRODUCER HEX  RingReader over the bytes given
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "bpf/ring_buffer.h"
#include "watch/connector_decode.h"
#include "watch/drain_pace.h"
#include "watch/pending.h"
#include "watch/schedule.h"

namespace {

// A buffer of exactly the right size, so that the sanitizer detects a read of one byte too many.
std::vector<std::byte> BytesOf(const std::string& hex) {
  std::vector<std::byte> bytes(hex.size() / 2);
  for (std::size_t at = 0; at < bytes.size(); ++at)
    bytes[at] = static_cast<std::byte>(std::stoi(hex.substr(2 * at, 2), nullptr, 16));
  return bytes;
}

void Decode(std::istringstream& words) {
  std::string hex;
  words >> hex;
  std::vector<desk::ProcEvent> events;
  const bool whole = desk::DecodeProcEvents(BytesOf(hex), events);
  std::printf("{\"whole\":%s,\"events\":[", whole ? "true" : "false");
  for (std::size_t at = 0; at < events.size(); ++at) {
    const desk::ProcEvent& event = events[at];
    std::printf(
        "%s{\"kind\":%d,\"cpu\":%u,\"sequence\":%u,\"acknowledged\":%u,\"error\":%u,\"pid\":%d,\"tgid\":%d,"
        "\"time\":\"%llu\"}",
        at == 0 ? "" : ",", static_cast<int>(event.kind), event.cpu, event.sequence, event.acknowledged,
        event.error, event.pid, event.tgid, static_cast<unsigned long long>(event.timestamp_ns));
  }
  std::printf("]}\n");
}

void Count(std::istringstream& words) {
  desk::SequenceCheck check;
  std::string word;
  const char* between = "[";
  while (words >> word) {
    const std::size_t colon = word.find(':');
    const auto cpu = static_cast<std::uint32_t>(std::stoul(word.substr(0, colon)));
    const auto sequence = static_cast<std::uint32_t>(std::stoul(word.substr(colon + 1)));
    std::printf("%s%u", between, check.Missed(cpu, sequence));
    between = ",";
  }
  std::printf("]\n");
}

void Schedule(std::istringstream& words) {
  std::string word;
  words >> word;
  std::vector<std::uint32_t> periods;
  std::istringstream list(word);
  for (std::string period; std::getline(list, period, ',');)
    periods.push_back(static_cast<std::uint32_t>(std::stoul(period)));
  desk::RereadSchedule schedule(periods);
  std::printf("[");
  const char* between = "";
  while (words >> word) {
    if (word[0] == '-') {
      std::vector<std::int32_t> ended;
      std::istringstream subjects(word.substr(1));
      for (std::string subject; std::getline(subjects, subject, ',');) ended.push_back(std::stoi(subject));
      schedule.Forget(ended);
      continue;
    }
    const std::size_t at = word.find('@');
    const long long time = std::stoll(word.substr(at + 1));
    if (word[0] == '+') {
      schedule.Add(std::stoi(word.substr(1, at - 1)), time);
      continue;
    }
    std::printf("%s{\"due\":[", between);
    between = ",";
    const char* comma = "";
    schedule.TakeDue(time, [&](std::int32_t subject, std::int64_t /*due_ns*/) {
      std::printf("%s%d", comma, subject);
      comma = ",";
    });
    const std::int64_t next = schedule.NextDueNs();
    std::printf("],\"next\":%lld}",
                next == desk::RereadSchedule::kNever ? -1LL : static_cast<long long>(next));
  }
  std::printf("]\n");
}

void Pace(std::istringstream& words) {
  std::size_t room = 0;
  words >> room;
  desk::DrainPace pace(room);
  std::printf("[%lld", static_cast<long long>(pace.period_ns()));
  for (std::size_t events = 0; words >> events;) {
    pace.Drained(events);
    std::printf(",%lld", static_cast<long long>(pace.period_ns()));
  }
  std::printf("]\n");
}

void Pids(std::istringstream& words) {
  desk::PendingPids set;
  std::string word;
  int refused = 0;
  while (words >> word) {
    if (word == "clear") {
      set.Clear();
      continue;
    }
    auto sign = desk::PendingPids::Sign::kTouched;
    if (word[0] == '+') sign = desk::PendingPids::Sign::kLives;
    if (word[0] == '-') sign = desk::PendingPids::Sign::kExited;
    if (!set.Mark(std::abs(std::stoi(word)), sign)) ++refused;
  }
  std::printf("{\"refused\":%d,\"pids\":[", refused);
  const char* comma = "";
  for (const std::int32_t entry : set.entries()) {
    std::printf("%s%d", comma, entry);
    comma = ",";
  }
  std::printf("]}\n");
}

void Ring(std::istringstream& words) {
  std::size_t bytes;
  std::uint64_t consumer;
  std::uint64_t producer;
  std::string hex;
  words >> bytes >> consumer >> producer >> hex;
  // Mapped twice in a row, as the kernel maps it; each header has the kernel's alignment.
  std::vector<std::uint64_t> data(2 * bytes / sizeof(std::uint64_t));
  const std::vector<std::byte> given = BytesOf(hex);
  for (const std::size_t half : {std::size_t{0}, bytes}) {
    std::memcpy(reinterpret_cast<std::byte*>(data.data()) + half, given.data(),
                std::min(bytes, given.size()));
  }
  desk::bpf::RingReader reader(reinterpret_cast<const std::byte*>(data.data()), bytes, &consumer, &producer);
  std::string records;
  const bool sound = reader.Drain([&](std::span<const std::byte> record) {
    unsigned sum = 0;
    for (const std::byte byte : record) sum += std::to_integer<unsigned>(byte);
    records +=
        (records.empty() ? "[" : ",[") + std::to_string(record.size()) + "," + std::to_string(sum) + "]";
  });
  std::printf("{\"sound\":%s,\"consumer\":%llu,\"records\":[%s]}\n", sound ? "true" : "false",
              static_cast<unsigned long long>(consumer), records.c_str());
}

}  // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    std::string what;
    words >> what;
    if (what == "decode") Decode(words);
    if (what == "count") Count(words);
    if (what == "schedule") Schedule(words);
    if (what == "pace") Pace(words);
    if (what == "pids") Pids(words);
    if (what == "ring") Ring(words);
  }
}
