#pragma once
// The input as a tree of plain values with the place of each key and value in the text.
// toml_reader.cpp is the only file that knows the TOML library; everything above works on these
// nodes.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "config/fault.hpp"

namespace watersmeet::config {

// A piece of text with its lines: the case file, or the text of one --set option.
struct Source {
  std::string name;  // "rb.toml" or "--set time.cfl=0.2"
  std::vector<std::string> lines;
  bool is_option = false;
};

struct Position {
  int source = -1;  // index into Document::sources; -1: nowhere
  int line = 0;     // from 1, in the file and in options alike
  int column = 0;   // from 1, in characters
  int width = 1;
};

struct Member;

struct Node {
  enum class Type { none, boolean, integer, real, text, array, table, date };
  Type type = Type::none;
  bool boolean = false;
  std::int64_t integer = 0;
  double real = 0.0;
  std::string text;             // of a text; for --set: the value as typed
  std::vector<Node> items;      // of an array
  std::vector<Member> members;  // of a table, in the order of the text
  bool in_braces = false;       // a table written { a = 1 }
  Position where;

  bool is_number() const { return type == Type::integer || type == Type::real; }
  bool is_array_of_tables() const;
  const Member* find(const std::string& name) const;
  Member* find(const std::string& name);
};

struct Member {
  std::string name;
  Position where;  // of the key
  Node node;
  bool stands_for_table = false;  // `kind` of a table that was given as this word alone
};

struct Document {
  std::vector<Source> sources;
  Node root;
  std::vector<Fault> faults;  // of syntax
  bool readable = true;       // false: the tree cannot be trusted, only the faults count
};

// Reads the text of a case. Faults of syntax are recorded, not thrown; after a fault within one
// line the line is left out and reading continues, so that more than one can be reported.
Document parse_document(const std::string& text, const std::string& name);

// Tells of a path whether it is a table for which a lone word may stand.
using WordTest = std::function<bool(const std::string& path)>;

// Puts the value of one option "a.b=c" into the tree. Faults are recorded in the document. A word
// for a table sets its `kind` and leaves its other members. Without a test (no schema is known yet)
// an option that may need one is passed over.
void apply_override(Document& document, const std::string& option, const WordTest& is_word_table);

// Gives every word that stands for a table the long form: x_lower = "inflow" becomes
// x_lower = { kind = "inflow" }, the parts at the places where they were written.
void expand_words(Document& document, const WordTest& is_word_table);
void expand_word(Member& member);
// Whether a value given for such a table is to be read as its word, right or wrong.
bool is_lone_word(const Node& node);

// The value of an option, which has passed a shell and so may have lost its quotes; it begins at
// `column` of the option's text.
Node value_of_option(const std::string& value, const Source& source, int index, int column);

// A single TOML value, such as the default of a key. Internal error when it cannot be read.
Node parse_value(const std::string& text);

// The value as TOML text on one line, numbers with all digits that count.
std::string to_toml(const Node& node);
std::string to_toml(double value);
std::string to_toml(const std::string& text);  // with quotes

// Where byte `offset` of the (decoded) text of a text node stands in the source.
Position position_inside(const Document& document, const Node& node, std::size_t offset, int width);

// Characters (not bytes) of a UTF-8 text.
int length_in_characters(const std::string& text);

// The line of a position; empty when it is nowhere.
const std::string& line_of(const Document& document, const Position& where);

// A fault at a position: file, line, column, width and excerpt filled in.
Fault fault_at(const Document& document, const Position& where, FaultKind kind,
               std::string message);

}  // namespace watersmeet::config
