// Columns over memory of their own, not initialized.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/columns.h"

namespace desk {

class OwnColumns {
 public:
  explicit OwnColumns(const Capacity& capacity)
      : memory_(std::make_unique_for_overwrite<std::uint64_t[]>(LayoutBytes(capacity) / 8)),
        columns_(Bind(reinterpret_cast<std::byte*>(memory_.get()), capacity)) {}

  const Columns& columns() const { return columns_; }

 private:
  std::unique_ptr<std::uint64_t[]> memory_;
  Columns columns_;
};

}  // namespace desk
