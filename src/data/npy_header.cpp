// The literal is parsed as the few kinds of values that it may hold, and then read as a header.
#include "src/data/npy_header.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <utility>

#include <arrow/type.h>
#include <fmt/format.h>

#include "src/data/data_error.hpp"

namespace millrace::data {

namespace {

static_assert(std::endian::native == std::endian::little);  // as WebGPU's platforms are

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kHeaderByteLimit = std::size_t{1} << 20;
constexpr std::size_t kDepthLimit = 16;
constexpr std::size_t kAlignment = 64;
constexpr std::uint64_t kMostLanes = 4;

[[noreturn]] void throw_damaged(const std::string& file, const std::string& fault) {
  throw DataError(DataErrorCode::damaged_file, fmt::format("{}: {}", file, fault));
}

// A value of Python's: text, a whole number, true or false, or a tuple, list or dictionary of values.
struct Literal {
  enum class Kind : std::uint8_t { text, number, boolean, sequence, dictionary };
  Kind kind = Kind::text;
  std::string text = {};
  std::uint64_t number = 0;
  std::vector<Literal> items = {};  // of a dictionary: key, value, key, value, ...
};

class LiteralParser {
 public:
  LiteralParser(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Literal parse_all() {
    Literal literal = parse(0);
    skip_blanks();
    if (position_ != text_.size()) fail();
    return literal;
  }

 private:
  [[noreturn]] void fail() const {
    throw_damaged(file_, fmt::format("The header is no Python literal: byte {} of \"{}\" does not fit.", position_ + 1,
                                     std::string(text_.substr(0, 60))));
  }
  [[nodiscard]] char peek() const { return position_ < text_.size() ? text_[position_] : '\0'; }
  void skip_blanks() {
    while (position_ < text_.size() && std::string_view(" \t\r\n").find(text_[position_]) != std::string_view::npos) {
      ++position_;
    }
  }
  bool take(char wanted) {
    skip_blanks();
    if (peek() != wanted) return false;
    ++position_;
    return true;
  }
  bool take_word(std::string_view word) {
    if (!text_.substr(position_).starts_with(word)) return false;
    position_ += word.size();
    return true;
  }

  Literal parse(std::size_t depth) {
    if (depth > kDepthLimit) fail();
    skip_blanks();
    const char first = peek();
    if (first == '\'' || first == '"') return parse_text(first);
    if (first >= '0' && first <= '9') return parse_number();
    if (take('{')) return parse_items(Literal::Kind::dictionary, '}', depth);
    if (take('[')) return parse_items(Literal::Kind::sequence, ']', depth);
    if (take('(')) return parse_items(Literal::Kind::sequence, ')', depth);
    if (take_word("True")) return {.kind = Literal::Kind::boolean, .number = 1};
    if (take_word("False")) return {.kind = Literal::Kind::boolean, .number = 0};
    fail();
  }

  // Escapes are those that Python's repr() writes for a name.
  Literal parse_text(char quote) {
    Literal literal = {.kind = Literal::Kind::text};
    ++position_;
    while (peek() != quote) {
      if (position_ >= text_.size()) fail();
      char character = text_[position_++];
      if (character == '\\') {
        character = peek();
        ++position_;
        if (character != '\\' && character != '\'' && character != '"') fail();
      }
      literal.text += character;
    }
    ++position_;
    return literal;
  }

  Literal parse_number() {
    Literal literal = {.kind = Literal::Kind::number};
    const char* const begin = text_.data() + position_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), literal.number);
    if (error != std::errc()) fail();
    position_ += static_cast<std::size_t>(end - begin);
    if (peek() == 'L') ++position_;  // as Python 2 wrote long integers
    return literal;
  }

  Literal parse_items(Literal::Kind kind, char end, std::size_t depth) {
    Literal literal = {.kind = kind};
    while (!take(end)) {
      literal.items.push_back(parse(depth + 1));
      if (kind == Literal::Kind::dictionary) {
        if (!take(':')) fail();
        literal.items.push_back(parse(depth + 1));
      }
      if (take(',')) continue;
      if (!take(end)) fail();
      break;
    }
    return literal;
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t position_ = 0;
};

// Which numbers there are: a letter for the kind and the bytes of one.
struct NumberKind {
  char kind;
  std::uint64_t byte_size;
  std::shared_ptr<arrow::DataType> (*type)();
  arrow::Type::type id;
};

const std::array kNumberKinds = {NumberKind{'b', 1, [] { return arrow::boolean(); }, arrow::Type::BOOL},
                                 NumberKind{'i', 1, [] { return arrow::int8(); }, arrow::Type::INT8},
                                 NumberKind{'i', 2, [] { return arrow::int16(); }, arrow::Type::INT16},
                                 NumberKind{'i', 4, [] { return arrow::int32(); }, arrow::Type::INT32},
                                 NumberKind{'i', 8, [] { return arrow::int64(); }, arrow::Type::INT64},
                                 NumberKind{'u', 1, [] { return arrow::uint8(); }, arrow::Type::UINT8},
                                 NumberKind{'u', 2, [] { return arrow::uint16(); }, arrow::Type::UINT16},
                                 NumberKind{'u', 4, [] { return arrow::uint32(); }, arrow::Type::UINT32},
                                 NumberKind{'u', 8, [] { return arrow::uint64(); }, arrow::Type::UINT64},
                                 NumberKind{'f', 2, [] { return arrow::float16(); }, arrow::Type::HALF_FLOAT},
                                 NumberKind{'f', 4, [] { return arrow::float32(); }, arrow::Type::FLOAT},
                                 NumberKind{'f', 8, [] { return arrow::float64(); }, arrow::Type::DOUBLE}};

class HeaderReader {
 public:
  explicit HeaderReader(const std::string& file) : file_(file) {}

  NpyHeader read(const Literal& literal) {
    if (literal.kind != Literal::Kind::dictionary) throw_damaged(file_, "The header is no dictionary.");
    const Literal& type = entry(literal, "descr");
    const Literal& order = entry(literal, "fortran_order");
    const Literal& shape = entry(literal, "shape");
    if (order.kind != Literal::Kind::boolean || shape.kind != Literal::Kind::sequence) {
      throw_damaged(file_, "The header's fortran_order is True or False, and its shape is a tuple.");
    }
    header_.is_fortran_order = order.number != 0;
    for (const Literal& size : shape.items) {
      if (size.kind != Literal::Kind::number) throw_damaged(file_, "The header's shape holds whole numbers only.");
      header_.shape.push_back(size.number);
    }
    if (type.kind == Literal::Kind::text) {
      add_number({}, type.text, 1);
    } else {
      add_named(type);
    }
    return std::move(header_);
  }

 private:
  [[nodiscard]] const Literal& entry(const Literal& dictionary, std::string_view key) const {
    for (std::size_t item = 0; item < dictionary.items.size(); item += 2) {
      if (dictionary.items[item].text == key) return dictionary.items[item + 1];
    }
    throw_damaged(file_, fmt::format("The header has no \"{}\".", key));
  }

  [[noreturn]] void throw_unsupported(const std::string& name, const std::string& type) const {
    const std::string what = name.empty() ? std::string("The array") : fmt::format("Field \"{}\"", name);
    throw DataError(
        DataErrorCode::unsupported_column,
        fmt::format("{}: {} has the type {}; read are booleans, integers of 8 to 64 bits and floats of 16 to 64 "
                    "bits.",
                    file_, what, type));
  }

  void add_number(const std::string& name, const std::string& text, std::uint64_t lane_count) {
    std::uint64_t byte_size = 0;
    const char* const end = text.data() + text.size();
    const bool is_sized = text.size() >= 3 && std::from_chars(text.data() + 2, end, byte_size).ptr == end;
    if (is_sized && text[1] == 'V') {  // bytes between fields
      header_.item_byte_size += byte_size * lane_count;
      return;
    }
    const auto kind = std::find_if(kNumberKinds.begin(), kNumberKinds.end(), [&](const NumberKind& each) {
      return is_sized && each.kind == text[1] && each.byte_size == byte_size;
    });
    if (kind == kNumberKinds.end() || std::string_view("<>|=").find(text[0]) == std::string_view::npos) {
      throw_unsupported(name, text);
    }
    header_.fields.push_back({.name = name,
                              .type = kind->type(),
                              .lane_count = static_cast<std::uint32_t>(lane_count),
                              .byte_offset = header_.item_byte_size,
                              .is_swapped = text[0] == '>'});
    header_.item_byte_size += byte_size * lane_count;
  }

  // A list of (name, type) and (name, type, shape).
  void add_named(const Literal& fields) {
    if (fields.kind != Literal::Kind::sequence || fields.items.empty()) {
      throw_damaged(file_, "The header's descr is neither a type nor a list of fields.");
    }
    for (const Literal& field : fields.items) {
      if (field.kind != Literal::Kind::sequence || field.items.size() < 2 || field.items.size() > 3) {
        throw_damaged(file_, "A field of the header is no (name, type) and no (name, type, shape).");
      }
      // A field with a title has a pair in place of its name.
      const Literal& named = field.items[0];
      const std::string& name =
          named.kind == Literal::Kind::sequence && !named.items.empty() ? named.items.back().text : named.text;
      if (field.items[1].kind != Literal::Kind::text) throw_unsupported(name, "of fields of its own");
      add_number(name, field.items[1].text, lane_count_of(field, name));
    }
    if (header_.fields.empty()) throw_damaged(file_, "The header has no field with a name.");
  }

  [[nodiscard]] std::uint64_t lane_count_of(const Literal& field, const std::string& name) const {
    if (field.items.size() == 2) return 1;
    const Literal& shape = field.items[2];
    if (shape.kind == Literal::Kind::sequence && shape.items.empty()) return 1;
    const Literal& size = shape.kind == Literal::Kind::sequence ? shape.items.front() : shape;
    const bool is_list = shape.kind != Literal::Kind::sequence || shape.items.size() == 1;
    if (is_list && size.kind == Literal::Kind::number && size.number >= 1 && size.number <= kMostLanes) {
      return size.number;
    }
    throw DataError(
        DataErrorCode::unsupported_column,
        fmt::format("{}: Field \"{}\" has a shape of its own; read are fields of 1 to 4 numbers.", file_, name));
  }

  const std::string& file_;
  NpyHeader header_;
};

// As Python writes it.
std::string python_text(std::string_view text) {
  std::string quoted = "'";
  for (const char character : text) {
    if (character == '\'' || character == '\\') quoted += '\\';
    quoted += character;
  }
  return quoted + "'";
}

std::string type_text(const arrow::DataType& type) {
  const auto kind = std::find_if(kNumberKinds.begin(), kNumberKinds.end(),
                                 [&](const NumberKind& each) { return each.id == type.id(); });
  return fmt::format("'{}{}{}'", kind->byte_size == 1 ? '|' : '<', kind->kind, kind->byte_size);
}

}  // namespace

NpyPrefix parse_npy_prefix(std::string_view bytes, const std::string& file) {
  constexpr std::size_t kVersion = kMagic.size();
  if (!bytes.starts_with(kMagic)) throw_damaged(file, "The file does not begin as a .npy file does.");
  if (bytes.size() < kNpyPrefixByteSize) throw_damaged(file, "The file ends in its header.");
  const auto byte_at = [&](std::size_t index) {
    return static_cast<std::size_t>(static_cast<unsigned char>(bytes[index]));
  };
  const std::size_t version = byte_at(kVersion);
  if (version < 1 || version > 3) {
    throw_damaged(file, fmt::format("The file is of version {}; read are 1 to 3.", version));
  }
  NpyPrefix prefix = {.byte_size = version == 1 ? std::size_t{10} : kNpyPrefixByteSize, .header_byte_size = 0};
  for (std::size_t index = prefix.byte_size; index > kVersion + 2; --index) {
    prefix.header_byte_size = prefix.header_byte_size << 8U | byte_at(index - 1);
  }
  if (prefix.header_byte_size > kHeaderByteLimit) {
    throw_damaged(file,
                  fmt::format("The header has {} bytes; it may have {}.", prefix.header_byte_size, kHeaderByteLimit));
  }
  return prefix;
}

NpyHeader parse_npy_header(std::string_view text, const std::string& file) {
  return HeaderReader(file).read(LiteralParser(text, file).parse_all());
}

std::string format_npy_header(const NpyHeader& header) {
  std::string type;
  bool is_ascii = true;
  if (header.fields.size() == 1 && header.fields.front().name.empty()) {
    type = type_text(*header.fields.front().type);
  } else {
    for (const NpyField& field : header.fields) {
      const std::string shape = field.lane_count == 1 ? "" : fmt::format(", ({},)", field.lane_count);
      type += fmt::format("{}({}, {}{})", type.empty() ? "[" : ", ", python_text(field.name), type_text(*field.type),
                          shape);
      is_ascii = is_ascii && std::all_of(field.name.begin(), field.name.end(),
                                         [](char character) { return static_cast<unsigned char>(character) < 0x80U; });
    }
    type += ']';
  }
  std::string text =
      fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': ({},), }}", type, fmt::join(header.shape, ", "));
  if (header.shape.size() > 1) text.replace(text.rfind(",)"), 2, ")");
  const bool is_short = is_ascii && text.size() + kAlignment < 65536;
  const std::size_t prefix_byte_size = is_short ? 10 : kNpyPrefixByteSize;
  const std::size_t whole = (prefix_byte_size + text.size() + 1 + kAlignment - 1) / kAlignment * kAlignment;
  text.resize(whole - prefix_byte_size - 1, ' ');
  text += '\n';
  std::string bytes(kMagic);
  bytes += is_short ? '\1' : (is_ascii ? '\2' : '\3');
  bytes += '\0';
  for (std::size_t index = kMagic.size() + 2, size = text.size(); index < prefix_byte_size; ++index, size >>= 8U) {
    bytes += static_cast<char>(size & 0xffU);
  }
  return bytes + text;
}

}  // namespace millrace::data
