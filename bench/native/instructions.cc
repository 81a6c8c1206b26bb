// Work whose instructions are counted under an emulator: `instructions WORK TIMES`. Prints a sum so that
// nothing is optimised away. TIMES 0 does everything but the work, so that the difference is the work alone.
#include <stdio.h>
#include <stdlib.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/siphash.h"
#include "probe/proc_stat.h"
#include "probe/proc_status.h"

namespace {

constexpr std::string_view kStat =
    "4242 (a (name) of 15) S 1 4242 4242 0 -1 4194560 100 0 0 0 5 7 0 0 20 0 3 0 123456 10000000 500 "
    "18446744073709551615 1 1 0 0 0 0 0 4096 0 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0\n";
constexpr std::string_view kStatus =
    "Name:\ta (name) of 15\nUmask:\t0022\nState:\tS (sleeping)\nTgid:\t4242\nNgid:\t0\nPid:\t4242\nPPid:\t1\n"
    "TracerPid:\t0\nUid:\t1000\t1000\t1000\t1000\nGid:\t1000\t1000\t1000\t1000\nFDSize:\t64\nGroups:\t1000\n"
    "NStgid:\t4242\nNSpid:\t4242\nNSpgid:\t4242\nNSsid:\t4242\nKthread:\t0\nVmPeak:\t    9764 kB\nVmSize:\t  "
    "  9764 kB\n"
    "VmRSS:\t    2000 kB\nThreads:\t3\nSigQ:\t0/96000\nSigPnd:\t0000000000000000\nShdPnd:\t0000000000000000\n"
    "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\nSigCgt:\t0000000000000000\nCapInh:"
    "\t0000000000000000\n"
    "CapPrm:\t0000000000000000\nCapEff:\t0000000000000000\nCapBnd:\t000001ffffffffff\nCapAmb:"
    "\t0000000000000000\n"
    "NoNewPrivs:\t0\nSeccomp:\t0\nSeccomp_filters:\t0\nCpus_allowed:\t3\n";
constexpr std::string_view kIdentity = "/usr/lib/some-program/bin/some-program-with-a-name@container";

std::uint64_t Once(std::string_view work, std::uint64_t seed) {
  if (work == "stat") {
    const auto stat = desk::ParseStat(kStat);
    return stat ? stat->start + stat->threads : 0;
  }
  if (work == "status") {
    const auto status = desk::ParseStatus(kStatus);
    return status ? status->uid + status->cap_bnd : 0;
  }
  const desk::SipKey key{seed, 2};
  return desk::SipHash13(
      key, std::span(reinterpret_cast<const std::uint8_t*>(kIdentity.data()), kIdentity.size()));
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) return 2;
  const std::string_view work = words[1];
  if (work != "stat" && work != "status" && work != "identity") return 2;
  const int times = atoi(words[2]);
  std::uint64_t sum = 0;
  for (int i = 0; i < times; ++i) sum += Once(work, sum);
  if (times > 0 && sum == 0) return 1;
  printf("%llu\n", static_cast<unsigned long long>(sum));
}
