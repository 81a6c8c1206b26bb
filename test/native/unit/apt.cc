// Versions of Debian, and lz4. What is made of them is compared with apt itself in
// test/features/vitals/updates.test.ts.
#include <cerrno>
#include <iterator>
#include <string>
#include <string_view>

#include "apt/deb_version.h"
#include "apt/lz4.h"
#include "harness.h"

namespace desk::unit {
namespace {

void VersionsHaveTheOrderOfDpkg(int) {
  // From old to new.
  constexpr std::string_view kVersions[] = {
      "~",       "",     "0.9",   "1.0~rc1-1", "1.0~rc1-2", "1.0",       "1.0-1~bpo", "1.0-1", "1.0-1+b1",
      "1.0-1.1", "1.0a", "1.0+x", "1.2",       "1.10-0.1",  "1.10-0.10", "2-1-1",     "1:0.1", "10:0"};
  for (std::size_t one = 0; one < std::size(kVersions); ++one)
    for (std::size_t other = 0; other < std::size(kVersions); ++other) {
      const int order = apt::CompareDebVersions(kVersions[one], kVersions[other]);
      Check((order < 0) == (one < other) && (order > 0) == (one > other));
    }
  for (const std::string_view same : {"0:1.0", "1.00", "01.0", "1.0-0", "1.0-"})
    Check(apt::CompareDebVersions("1.0", same) == 0);
  Check(apt::CompareDebVersions("99999999999999999998", "99999999999999999999") < 0);
}

void BlocksAreBounded(int) {
  std::string text = "before";
  // Four literals, then four bytes from two before, then the last literal.
  const std::string block(
      "\x40"
      "abcd"
      "\x02\x00"
      "\x10"
      "z",
      9);
  Check(apt::DecodeLz4Block(block, 9, text) == 0 && text == "beforeabcdcdcdz");
  Check(apt::DecodeLz4Block(block, 8, text) == EBADMSG);
  for (std::size_t size = 0; size < block.size(); ++size) {
    // What ends with its literals is whole.
    const int error = apt::DecodeLz4Block(block.substr(0, size), 9, text = "");
    Check(error == (size == 5 ? 0 : EBADMSG));
  }
  // Further back than there is text; a distance of none; lengths that go on.
  Check(apt::DecodeLz4Block(std::string("\x10"
                                        "a"
                                        "\x09\x00"
                                        "\x00",
                                        5),
                            99, text = "") == EBADMSG);
  Check(apt::DecodeLz4Block(std::string("\x10"
                                        "a"
                                        "\x00\x00"
                                        "\x00",
                                        5),
                            99, text = "") == EBADMSG);
  Check(apt::DecodeLz4Block(std::string("\x1f"
                                        "a"
                                        "\x01\x00"
                                        "\xff\x01"
                                        "\x00",
                                        7),
                            276, text = "") == 0);
  Check(text == std::string(276, 'a'));
  Check(apt::DecodeLz4Block(std::string("\x1f"
                                        "a"
                                        "\x01\x00"
                                        "\xff\x01"
                                        "\x00",
                                        7),
                            275, text = "") == EBADMSG);
}

// NOLINTNEXTLINE(cert-err58-cpp): without memory for the list of tests there is nothing to catch
const Suite kSuite{"apt",
                   {{"versions have the order of dpkg", VersionsHaveTheOrderOfDpkg},
                    {"blocks are bounded", BlocksAreBounded}}};

}  // namespace
}  // namespace desk::unit
