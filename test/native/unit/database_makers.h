// Makes databases of packages, byte by byte: what no program writes is among them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace desk::unit {

// A number as big-endian bytes.
std::string Big(std::uint64_t number, int bytes);

// Pages of an SQLite database of 512 bytes each: the first one is its schema, with a table `Packages` whose
// root is the second one.
inline constexpr std::size_t kPage = 512;

struct Cell {
  std::int64_t row = 0;
  std::string blob;
  // The first page of what does not fit.
  std::uint32_t overflow = 0;
};

std::string SchemaPage(std::uint32_t root = 2);
std::string LeafPage(const std::vector<Cell>& cells);
// Pages and the last row of each, and the page of the rows behind.
std::string BranchPage(const std::vector<std::pair<std::uint32_t, std::int64_t>>& children,
                       std::uint32_t last);
// The part of a row that is in its page, by the rule of the format.
std::size_t LocalPart(std::size_t row);
// The bytes of a row as its pages hold them: a NULL, and the blob.
std::string RowOf(const std::string& blob);

// The write-ahead log of one transaction: pages by number, and how many pages the database has then.
std::string WalOf(const std::vector<std::pair<std::uint32_t, std::string>>& pages, std::uint32_t count);

// A header of rpm.
class HeaderMaker {
 public:
  HeaderMaker& Text(std::uint32_t tag, const std::string& text);
  HeaderMaker& Texts(std::uint32_t tag, const std::vector<std::string>& texts);
  HeaderMaker& Numbers(std::uint32_t tag, int bytes, const std::vector<std::uint32_t>& numbers);
  std::string Bytes() const;

 private:
  HeaderMaker& Add(std::uint32_t tag, std::uint32_t type, std::size_t count, const std::string& data);

  std::string index_;
  std::string data_;
};

// A package "made" 1-2 with these files in a folder.
HeaderMaker PackageOf(const std::vector<std::string>& names, const std::vector<std::string>& digests,
                      std::uint32_t algorithm = 8, const std::string& folder = "/opt/");

// A gzip file that is not compressed.
std::string StoredGzip(const std::string& text);

}  // namespace desk::unit
