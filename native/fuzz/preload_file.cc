// /etc/ld.so.preload.
#include "probe/preload_file.h"

#include <string>

#include "fuzz/support/fuzz.h"

namespace desk::fuzz {

void FuzzOne(std::span<const std::uint8_t> input) {
  const std::string_view text = TextOf(input);
  const auto libraries = ParsePreload(text);
  std::string again;
  for (const std::string_view library : libraries) {
    Ensure(Inside(library, text) && !library.empty());
    Ensure(library.find_first_of(" \t\n:#") == std::string_view::npos);
    again.append(library).append(1, ' ');
  }
  // Parsing the names again gives the same, whatever comment follows.
  const std::string commented = again + "# a comment\n";
  Ensure(ParsePreload(again) == libraries && ParsePreload(commented) == libraries);
}

}  // namespace desk::fuzz
