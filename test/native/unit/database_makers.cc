#include "database_makers.h"

#include <string_view>

namespace desk::unit {
namespace {

constexpr std::size_t kSchemaHeader = 100;
constexpr std::uint32_t kSalt = 0x01020304;

std::string Varint(std::uint64_t number) {
  std::string bytes(1, static_cast<char>(number & 0x7fU));
  for (number >>= 7U; number > 0; number >>= 7U)
    bytes.insert(0, 1, static_cast<char>(0x80U | (number & 0x7fU)));
  return bytes;
}

std::string Little(std::uint64_t number, int bytes) {
  std::string text;
  for (int at = 0; at < bytes; ++at) text += static_cast<char>(number >> (8 * at));
  return text;
}

// Cells from the end of the page on, and where they are.
std::string PageOf(std::string head, const std::vector<std::string>& cells, const std::string& last,
                   std::size_t skipped = 0) {
  std::size_t at = kPage;
  std::string pointers;
  std::string content;
  for (const std::string& cell : cells) {
    at -= cell.size();
    pointers += Big(at, 2);
    content.insert(0, cell);
  }
  head += Big(0, 2) + Big(cells.size(), 2) + Big(at, 2) + std::string(1, '\0') + last + pointers;
  head.resize(kPage - skipped - content.size(), '\0');
  return head + content;
}

// Both words of the checksum of the log, over `bytes` in little-endian words.
void Sum(std::string_view bytes, std::uint32_t& first, std::uint32_t& second) {
  const auto word = [&](std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t byte = 4; byte-- > 0;)
      value = value << 8U | static_cast<unsigned char>(bytes[at + byte]);
    return value;
  };
  for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    first += word(at) + second;
    second += word(at + 4) + first;
  }
}

}  // namespace

std::string Big(std::uint64_t number, int bytes) {
  std::string text;
  for (int at = bytes - 1; at >= 0; --at) text += static_cast<char>(number >> (8 * at));
  return text;
}

std::string RowOf(const std::string& blob) {
  const std::string type = Varint(12 + 2 * blob.size());
  return Varint(2 + type.size()) + std::string(1, '\0') + type + blob;
}

std::size_t LocalPart(std::size_t row) {
  const std::size_t least = (kPage - 12) * 32 / 255 - 23;
  const std::size_t part = least + (row - least) % (kPage - 4);
  return row <= kPage - 35 ? row : part <= kPage - 35 ? part : least;
}

std::string SchemaPage(std::uint32_t root) {
  std::string header("SQLite format 3\0", 16);
  header += Big(kPage, 2) + "\1\1" + std::string(1, '\0');
  header.resize(56, '\0');
  header += Big(1, 4);
  header.resize(kSchemaHeader, '\0');
  const std::string values = "tablePackagesPackages" + Big(root, 4) + "sql";
  const std::string types =
      Varint(13 + 2 * 5) + Varint(13 + 2 * 8) + Varint(13 + 2 * 8) + Varint(4) + Varint(13 + 2 * 3);
  const std::string row = Varint(1 + types.size()) + types + values;
  return header + PageOf("\x0d", {Varint(row.size()) + Varint(1) + row}, "", kSchemaHeader);
}

std::string LeafPage(const std::vector<Cell>& cells) {
  std::vector<std::string> texts;
  for (const Cell& cell : cells) {
    const std::string row = RowOf(cell.blob);
    const std::size_t local = LocalPart(row.size());
    std::string text =
        Varint(row.size()) + Varint(static_cast<std::uint64_t>(cell.row)) + row.substr(0, local);
    if (local < row.size()) text += Big(cell.overflow, 4);
    texts.push_back(std::move(text));
  }
  return PageOf("\x0d", texts, "");
}

std::string BranchPage(const std::vector<std::pair<std::uint32_t, std::int64_t>>& children,
                       std::uint32_t last) {
  std::vector<std::string> texts;
  for (const auto& [page, row] : children)
    texts.push_back(Big(page, 4) + Varint(static_cast<std::uint64_t>(row)));
  return PageOf("\x05", texts, Big(last, 4));
}

std::string WalOf(const std::vector<std::pair<std::uint32_t, std::string>>& pages, std::uint32_t count) {
  std::string wal =
      Big(0x377f0682, 4) + Big(3'007'000, 4) + Big(kPage, 4) + Big(0, 4) + Big(kSalt, 4) + Big(kSalt, 4);
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  Sum(wal, first, second);
  wal += Big(first, 4) + Big(second, 4);
  for (std::size_t at = 0; at < pages.size(); ++at) {
    const bool last = at + 1 == pages.size();
    const std::string head = Big(pages[at].first, 4) + Big(last ? count : 0, 4);
    Sum(head, first, second);
    Sum(pages[at].second, first, second);
    wal += head + Big(kSalt, 4) + Big(kSalt, 4) + Big(first, 4) + Big(second, 4) + pages[at].second;
  }
  return wal;
}

HeaderMaker& HeaderMaker::Text(std::uint32_t tag, const std::string& text) {
  return Add(tag, 6, 1, text + std::string(1, '\0'));
}

HeaderMaker& HeaderMaker::Texts(std::uint32_t tag, const std::vector<std::string>& texts) {
  std::string data;
  for (const std::string& text : texts) data += text + std::string(1, '\0');
  return Add(tag, 8, texts.size(), data);
}

HeaderMaker& HeaderMaker::Numbers(std::uint32_t tag, int bytes, const std::vector<std::uint32_t>& numbers) {
  std::string data;
  for (const std::uint32_t number : numbers) data += Big(number, bytes);
  return Add(tag, bytes == 1 ? 2 : bytes == 2 ? 3 : 4, numbers.size(), data);
}

HeaderMaker& HeaderMaker::Add(std::uint32_t tag, std::uint32_t type, std::size_t count,
                              const std::string& data) {
  index_ += Big(tag, 4) + Big(type, 4) + Big(data_.size(), 4) + Big(count, 4);
  data_ += data;
  return *this;
}

std::string HeaderMaker::Bytes() const {
  return Big(index_.size() / 16, 4) + Big(data_.size(), 4) + index_ + data_;
}

HeaderMaker PackageOf(const std::vector<std::string>& names, const std::vector<std::string>& digests,
                      std::uint32_t algorithm, const std::string& folder) {
  const std::size_t count = names.size();
  HeaderMaker header;
  header.Text(1000, "made").Text(1001, "1").Text(1002, "2").Text(1022, "noarch").Numbers(1008, 4, {100});
  header.Numbers(1030, 2, std::vector<std::uint32_t>(count, 0104755)).Texts(1035, digests);
  header.Numbers(1037, 4, std::vector<std::uint32_t>(count, 0));
  header.Numbers(1116, 4, std::vector<std::uint32_t>(count, 0)).Texts(1117, names).Texts(1118, {folder});
  return header.Numbers(5011, 4, {algorithm});
}

std::string StoredGzip(const std::string& text) {
  std::uint32_t crc = ~0U;
  for (const char byte : text) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1U ^ ((crc & 1U) != 0 ? 0xedb88320U : 0);
  }
  const std::uint64_t size = text.size();
  return std::string("\x1f\x8b\x08\0\0\0\0\0\2\3\1", 11) + Little(size, 2) + Little(~size, 2) + text +
         Little(~crc, 4) + Little(size, 4);
}

}  // namespace desk::unit
