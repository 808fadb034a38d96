// The functions that a case makes of files, [tables.NAME]: read before the expressions that call
// them are checked.
#include "config/input.hpp"
#include "config/si_units.hpp"
#include "core/error.hpp"

namespace watersmeet::config {

void Input::give_table(const std::string& name, std::shared_ptr<const Table> table) {
  const Member* const tables = document_.root.find("tables");
  if (tables != nullptr && tables->node.find(name) != nullptr)
    throw Error(ErrorKind::user_input, "[tables] of the case has one of that name");
  if (!is_identifier(name) || has_meaning(name)) {
    throw Error(
        ErrorKind::user_input,
        "such a name begins with a letter, has letters, digits and _ alone, and is not that "
        "of a built-in function or constant");
  }
  given_.tables[name] = std::move(table);
}

void Input::read_tables(const TableReader& read) {
  const Member* section = document_.root.find("tables");
  if (section == nullptr || !schema_.is_chosen_name("tables.any")) return;
  walk_member(*section, "");
  if (section->node.type != Node::Type::table) return;
  for (const Member& member : section->node.members) {
    const std::string path = path_of("tables", member.name);
    if (!is_identifier(member.name) || member.node.type != Node::Type::table) continue;
    constants_.tables[member.name] = nullptr;
    const bool is_constant = constants_.numbers.count(member.name) > 0;
    if (!is_taken(member.name) && !is_constant) {
      read_table(member.name, read);
      continue;
    }
    constants_.tables.erase(member.name);
    Fault fault =
        fault_at(document_, member.where, is_constant ? FaultKind::conflict : FaultKind::bad_value,
                 "table `" + member.name + "` has the name of " +
                     (is_constant ? "a constant" : "a built-in function, constant or variable"));
    fault.key = path;
    fault.found = member.name;
    fault.suggestion = "choose another name, and say field = \"" + member.name + "\" in it";
    add(std::move(fault));
  }
}

void Input::read_table(const std::string& name, const TableReader& read) {
  const std::string path = path_of("tables", name);
  const auto good = [&](const char* key) { return is_good(path_of(path, key)); };
  const auto faulty = [&](const char* key) { return is_set(path_of(path, key)) && !good(key); };
  for (const char* key : {"field", "component", "period", "over", "unit", "over_unit"}) {
    if (faulty(key)) return;
  }
  if (!good("file")) return;
  for (const char* key : {"unit", "over_unit"}) {
    if (!good(key)) continue;
    const std::string unit = text(path_of(path, key));
    if (find_si_unit(unit) == nullptr) {
      return fault(FaultKind::bad_value, path_of(path, key),
                   "`" + unit + "` is not a unit that can be converted",
                   "units are " + si_unit_names() + "; without one, numbers are those of the case");
    }
    const Node* const units = find_node("case.units");
    if (units == nullptr || units->text != "SI") {
      return fault(FaultKind::conflict, path_of(path, key),
                   "numbers in " + unit + " need units = \"SI\"; this case is in code units",
                   "remove it, or add units = \"SI\" to [case]");
    }
  }
  TableSource source{.file = file(path + ".file"), .field = name, .component = {}, .periods = {}};
  if (good("field")) source.field = text(path + ".field");
  if (good("component")) source.component = static_cast<std::size_t>(integer(path + ".component"));
  if (good("period")) source.periods = reals(path + ".period");
  if (good("over")) source.over = text(path + ".over");
  if (good("unit")) source.unit = text(path + ".unit");
  if (good("over_unit")) source.over_unit = text(path + ".over_unit");
  try {
    if (!read) throw Error(ErrorKind::user_input, "tables cannot be read here");
    constants_.tables[name] = std::make_shared<const Table>(read(source));
  } catch (const Error& error) {
    const bool unread = error.kind() == ErrorKind::io;
    fault(unread ? FaultKind::missing_file : FaultKind::bad_value, path + ".file",
          std::string("table `") + name + "`: " + error.what());
  }
}

}  // namespace watersmeet::config
