#pragma once
// The input of a run: a TOML text and --set options, checked against a schema and read as typed
// values. Faults are gathered, never thrown one by one; throw_if_faults() shows them all together.
//
//   Input input = Input::from_file("rb.toml", overrides);
//   const std::string system = input.system(names);  // "" when the text does not name one:
//   if (system.empty()) input.throw_if_faults();
//   input.validate(schema_of(system));
//   ...cross-checks of the system call input.fault(...)
//   input.throw_if_faults();

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "config/document.hpp"
#include "config/expression.hpp"
#include "config/fault.hpp"
#include "config/schema.hpp"
#include "config/value.hpp"
#include "core/types.hpp"

namespace watersmeet::config {

class Input {
 public:
  // Throws Error{user_input} when there is no such file (with the nearest *.toml beside it),
  // Error{io} when it cannot be read. Faults in the text are only recorded. Overrides are the
  // arguments of --set: "time.cfl=0.2".
  static Input from_file(const std::string& path, const std::vector<std::string>& overrides = {});
  static Input from_text(const std::string& text, const std::string& name,
                         const std::vector<std::string>& overrides = {});

  // case.system, needed to choose the schema. A missing or unknown system is recorded as a fault;
  // for a mistyped name the nearest one is returned, so that the rest can be checked too. Empty
  // when there is nothing to go by.
  std::string system(const std::vector<std::string>& systems);

  // Checks everything against the schema, evaluates the constants, reads the tables (a fault where
  // there is nothing to read them with), and makes the values below available.
  void validate(const Schema& schema, const TableReader& read_table = {});

  // Before validate(): a function for expressions beside those of [tables]. Error{user_input} where
  // it cannot have that name.
  void give_table(const std::string& name, std::shared_ptr<const Table> table);

  // Values by path, "initial[0].density" for members of lists. The path must be in the schema with
  // that type, and set or have a default (internal error otherwise). A value that has a fault reads
  // as its default, else as 1, "" or an empty list, so that cross-checks need not care; is_good()
  // tells.
  bool boolean(const std::string& path) const;
  std::int64_t integer(const std::string& path) const;
  double real(const std::string& path) const;
  double duration(const std::string& path) const;  // seconds, or code units of time
  std::string text(const std::string& path) const;
  Index3 integers3(const std::string& path) const;
  Real3 reals3(const std::string& path) const;
  std::vector<double> reals(const std::string& path) const;
  std::vector<std::string> texts(const std::string& path) const;
  std::string expression(const std::string& path) const;
  std::array<std::string, 3> expressions3(const std::string& path) const;
  std::vector<Real3> list_reals3(const std::string& path) const;

  // A file named by a text: as it is to be opened. Looked for beside the case, then where the
  // program runs. Remembered, for the code that keeps the files of a run.
  std::string file(const std::string& path);
  const std::map<std::string, std::string>& files() const { return files_; }  // by path
  // What the resolved case shall call such a file from now on.
  void rename_file(const std::string& path, const std::string& name);

  // Given in the file or by --set, not by default. Also of a table, "initial[1].shape" or
  // "boundary.x_lower", whether written as a table or as a word.
  bool is_set(const std::string& path) const;
  // Given otherwise than its default: what a resolved case repeats says nothing.
  bool is_changed(const std::string& path) const;
  bool is_good(const std::string& path) const;       // set or default, and without fault
  std::size_t count(const std::string& list) const;  // entries of [[initial]]: count("initial")
  // The names that the case chose for the tables of a section: names("physics.fluids"), in the
  // order of the file, those that only --set gives last.
  std::vector<std::string> names(const std::string& section) const;
  const Constants& constants() const { return constants_; }
  // "line 27", "--set", "default" or "not given": for messages about two keys.
  std::string origin(const std::string& path) const;

  // What the resolved case shall show for a key whose value does not follow from the case alone: the
  // path of a file, which depends on the place of the case, and a number that a system chooses.
  void settle(const std::string& path, const std::string& text);
  void settle(const std::string& path, double number);
  // A text of a list of them, from now on.
  void settle(const std::string& path, std::size_t number, const std::string& text);
  // The number of a key, or where it is not set the one that a system chooses, settled.
  double real_or_settled(const std::string& path, double otherwise);

  // A fault found by a cross-check; its place is that of the path (the key for conflicts, else the
  // value). "grid.upper[1]" points at the second item.
  void fault(FaultKind kind, const std::string& path, const std::string& message,
             const std::string& suggestion = "");
  // A fault where a key is changed that has no effect in this case; `why` it has none.
  void refuse_idle(const std::string& path, const std::string& why);
  // A remark with the place of a fault, which stops nothing: shown by a check and when a run begins.
  void note(FaultKind kind, const std::string& path, const std::string& message,
            const std::string& suggestion = "");
  const std::vector<Fault>& notes() const { return notes_; }
  // Such a fault still without text, for what only the grid will show (error_at).
  Fault place(FaultKind kind, const std::string& path) const;
  bool has_faults() const { return !faults_.empty(); }
  std::vector<Fault> faults() const;  // in file order
  // Error{user_input} with every fault, ending "3 errors in rb.toml; nothing was run"; Error{io}
  // where all of them are files that cannot be read.
  void throw_if_faults() const;
  std::string faults_text() const;
  std::string faults_json() const;

  const std::string& name() const { return document_.sources.front().name; }
  const std::string& original_text() const { return text_; }
  // Every key with its value and a comment with its origin; a valid case that gives the same run.
  std::string resolved_toml() const;

 private:
  struct Entry {
    Value value;
    Node node;
    Position key_where;
    bool given = false;
  };

  Input(std::string text, const std::string& name, const std::vector<std::string>& overrides);

  void add(Fault fault);
  ValueReader reader();
  void apply_overrides(const WordTest& is_word_table);
  bool is_taken(const std::string& name) const;
  void read_constants();
  void read_tables(const TableReader& read_table);
  void read_table(const std::string& name, const TableReader& read);
  void walk(const Node& table, const std::string& section);
  void walk_member(const Member& member, const std::string& section);
  void walk_tables(const Member& member, const std::string& path, bool is_list);
  void refuse_name(const Member& member, const std::string& section);
  void take(const Key& key, const std::string& path, const Member& member);
  void take_default(const Key& key, const std::string& path);
  void fill_defaults();
  void report_missing(const Key& key, const std::string& path);
  void check_common();
  bool has_table(const std::string& path) const;
  std::vector<std::string> concrete_paths(const std::string& pattern) const;
  const Node* find_node(const std::string& path, Position* key_where = nullptr) const;
  Position section_position(const std::string& path) const;
  const Entry& entry(const std::string& path, std::initializer_list<KeyType> types) const;
  std::string place_of(const std::string& path) const;
  std::string resolved_line(const Key& key, const std::string& path, const std::string& name) const;
  std::string resolved_lines(const std::string& section, const std::string& prefix, bool optional,
                             std::vector<std::string>& lists) const;
  std::string resolved_section(const std::string& section) const;

  std::string text_;
  std::vector<std::string> overrides_;
  Document file_;      // as it is written
  Document document_;  // with the options, and names for tables in their long form
  Schema schema_;
  Constants constants_, given_;
  bool validated_ = false;
  std::map<std::string, Entry> entries_;
  std::map<std::string, std::string> files_;  // of file(), as they are opened
  std::vector<Fault> faults_, notes_;
};

}  // namespace watersmeet::config
