// Look-ups of processes in other rows and in sets of identities. They cost a batch more than everything else,
// so each row keeps their answers as bits of its lookups column until one of them changes.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/columns.h"
#include "kernel/value_set.h"

namespace desk {

// The sets of identities that rows are looked up in.
class Identities {
 public:
  Identities() : Identities({}, {}) {}
  Identities(std::vector<std::uint64_t> learned, std::vector<std::uint64_t> lost)
      : learned_(std::move(learned)), lost_(std::move(lost)) {}

  // kLookupLearned and kLookupLost.
  std::uint8_t LookUp(std::uint64_t identity) const {
    return static_cast<std::uint8_t>((learned_.Has(identity) ? kLookupLearned : 0) |
                                     (lost_.Has(identity) ? kLookupLost : 0));
  }

 private:
  kernel::ValueSet learned_;
  kernel::ValueSet lost_;
};

// Fills the lookups column of a whole generation. A row is a parent even when its process vanished (state 0).
void LookUpRows(const ProcessView& rows, std::uint32_t count, const Identities& identities);

}  // namespace desk
