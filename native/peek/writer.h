// Writes one JSON text, value by value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/errno_name.h"

namespace desk {

// Appends `bytes` as a JSON string (RFC 8259), quotes included; invalid UTF-8 becomes U+FFFD.
void AppendJsonString(std::string& into, std::string_view bytes);

// Chainable; separators are added as needed.
class Writer {
 public:
  explicit Writer(std::string& into) : into_(into) {}

  Writer& Name(std::string_view name) {
    Separate();
    AppendJsonString(into_, name);
    into_ += ':';
    first_ = true;
    return *this;
  }
  Writer& Open(char bracket) {
    Separate();
    into_ += bracket;
    first_ = true;
    return *this;
  }
  Writer& Close(char bracket) {
    into_ += bracket;
    first_ = false;
    return *this;
  }
  Writer& Text(std::string_view bytes) {
    Separate();
    AppendJsonString(into_, bytes);
    return *this;
  }
  Writer& Raw(std::string_view literal) {
    Separate();
    into_ += literal;
    return *this;
  }
  Writer& Number(std::uint64_t number) { return Raw(std::to_string(number)); }
  Writer& Truth(bool truth) { return Raw(truth ? "true" : "false"); }
  Writer& Refusal(int error, std::string_view source) {
    return Open('{')
        .Name("errno")
        .Number(static_cast<std::uint64_t>(error))
        .Name("code")
        .Text(ErrnoName(error))
        .Name("source")
        .Text(source)
        .Close('}');
  }

 private:
  void Separate() {
    if (!first_) into_ += ',';
    first_ = false;
  }

  std::string& into_;
  bool first_ = true;
};

}  // namespace desk
