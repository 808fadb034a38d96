// Reading the reference state of a case, and its faults.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "systems/atmosphere/system.hpp"

namespace watersmeet::atmosphere {

using config::FaultKind;

void AtmosphereSystem::configure_reference(config::Input& input) {
  ReferenceState& r = request_.reference;
  r.gas = {input.real("physics.gas_constant"), input.real("physics.heat_capacity"),
           input.real("physics.exner_pressure")};
  if (!(r.gas.c_p > r.gas.r_d)) {
    input.fault(FaultKind::range, "physics.heat_capacity",
                fmt::format("c_p = {:g} is not above R_d = {:g}", r.gas.c_p, r.gas.r_d),
                "dry air has c_p = 1004.5 and R_d = 287");
    return;
  }
  flow_.gamma = r.gas.gamma();
  flow_.c_p = r.gas.c_p;
  r.gravity = input.real("physics.gravity");
  const std::string path = "physics.reference.", word = input.text(path + "kind");
  r.kind = word == "stratified"   ? ReferenceKind::stratified
           : word == "isothermal" ? ReferenceKind::isothermal
           : word == "table"      ? ReferenceKind::table
                                  : ReferenceKind::neutral;
  r.pressure = input.real(path + "pressure");
  // A kind that cannot be read is a fault already; which keys it takes is not known.
  const bool known = input.is_good(path + "kind");
  const auto takes = [&](const char* key, bool wanted, bool required) {
    if (!known) return false;
    if (wanted && required && !input.is_set(path + key)) {
      input.fault(FaultKind::missing_key, path + "kind",
                  fmt::format("a reference of kind {} needs {}", word, key),
                  fmt::format("add physics.reference.{}", key));
    } else if (!wanted && input.is_set(path + key)) {
      input.fault(FaultKind::conflict, path + key,
                  fmt::format("a reference of kind {} has no {} of its own", word, key),
                  "remove it, or choose another kind");
    }
    return wanted && input.is_set(path + key);
  };
  const bool by_theta = r.kind == ReferenceKind::neutral || r.kind == ReferenceKind::stratified;
  if (takes("theta", by_theta, false)) r.theta_0 = input.real(path + "theta");
  if (takes("brunt_vaisala", r.kind == ReferenceKind::stratified, true)) {
    r.frequency = input.real(path + "brunt_vaisala");
  }
  if (takes("temperature", r.kind == ReferenceKind::isothermal, true)) {
    r.temperature = input.real(path + "temperature");
  }
  const bool table = r.kind == ReferenceKind::table;
  if (known) configure_reference_table(input, table);
  if (table && r.heights.empty()) r.kind = ReferenceKind::neutral;
  if (r.kind == ReferenceKind::stratified && !(r.gravity > 0)) {
    input.fault(FaultKind::conflict, path + "kind",
                "a reference of this kind needs gravity, and gravity is 0",
                "set kind = \"isothermal\", or gravity = 9.81");
    r.kind = ReferenceKind::neutral;
  }
  const mesh::Uniform& g = request_.ground.geometry;
  const double top = g.lower[2] + request_.levels().face(request_.ground.cells[2] + 4);
  if (!(r.exner(top) > 0) && !input.has_faults()) {
    double z = g.lower[2];
    while (z < top && r.exner(z) > 0) z += g.spacing[2];
    input.fault(FaultKind::range, path + "kind",
                fmt::format("the pressure of the reference falls to 0 at z = {:.4g}; it must be "
                            "positive up to z = {:.4g}, four levels above the grid",
                            z, top),
                "lower the lid, or choose a warmer or more stratified reference");
  }
}

// Heights with potential temperatures or temperatures: two lists, or a table of a file.
void AtmosphereSystem::configure_reference_table(config::Input& input, bool wanted) {
  ReferenceState& r = request_.reference;
  const std::string path = "physics.reference.";
  const char* const lists[] = {"thetas", "temperatures"};
  const char* const tables[] = {"theta_table", "temperature_table"};
  std::vector<std::string> given;
  for (const char* key : {lists[0], lists[1], tables[0], tables[1]}) {
    if (input.is_set(path + key)) given.push_back(key);
  }
  const bool heights = input.is_set(path + "heights");
  if (!wanted) {
    if (heights) given.push_back("heights");
    for (const std::string& key : given) {
      input.fault(FaultKind::conflict, path + key,
                  fmt::format("a reference of kind {} has no {} of its own",
                              input.text(path + "kind"), key),
                  "remove it, or set kind = \"table\"");
    }
    return;
  }
  if (given.size() > 1) {
    return input.fault(FaultKind::conflict, path + given[1],
                       fmt::format("`{}` is given together with {}", given[1], given[0]),
                       "remove one of them");
  }
  if (given.empty()) {
    return input.fault(FaultKind::missing_key, path + "kind",
                       "a reference of kind table needs thetas, temperatures, theta_table or "
                       "temperature_table",
                       "add physics.reference.heights and one of the first two, or one of the "
                       "others");
  }
  const std::string& key = given[0];
  const bool of_file = key == tables[0] || key == tables[1];
  if (heights == of_file) {
    return input.fault(
        of_file ? FaultKind::conflict : FaultKind::missing_key,
        path + (of_file ? "heights" : "kind"),
        of_file
            ? fmt::format("`heights` is given together with {}, which has heights of its own", key)
            : "a reference of kind table needs heights",
        of_file ? "remove it" : "add physics.reference.heights");
  }
  if (of_file) {
    const auto& known = input.constants().tables;
    const auto found = known.find(input.text(path + key));
    if (found == known.end() || !found->second || found->second->arguments() != 1) {
      // A table that cannot be read has a fault of its own.
      if (found != known.end() && !found->second) return;
      return input.fault(
          FaultKind::bad_value, path + key,
          found == known.end() ? fmt::format("the case has no table `{}`", input.text(path + key))
                               : fmt::format("table `{}` has {} arguments; heights are one",
                                             found->first, found->second->arguments()),
          "add [tables.NAME] with file, field and over: docs/how-to/initial-states.md");
    }
    r.heights = found->second->axis(0).at;
    r.thetas = found->second->values();
  } else if (input.is_good(path + "heights") && input.is_good(path + key)) {
    r.heights = input.reals(path + "heights");
    r.thetas = input.reals(path + key);
  } else {
    return;
  }
  if (key == lists[1] || key == tables[1]) r.kind = ReferenceKind::sounding;
  const bool rising = std::adjacent_find(r.heights.begin(), r.heights.end(),
                                         std::greater_equal<>()) == r.heights.end();
  const bool positive =
      std::all_of(r.thetas.begin(), r.thetas.end(), [](double t) { return t > 0; });
  if (!r.heights.empty() && r.heights.size() == r.thetas.size() && rising && positive) return;
  input.fault(FaultKind::bad_value, path + (of_file ? key : "heights"),
              fmt::format("the reference has {} heights and {} {}temperatures", r.heights.size(),
                          r.thetas.size(), r.kind == ReferenceKind::table ? "potential " : ""),
              "give as many ascending heights as positive temperatures, in kelvin");
  r.kind = ReferenceKind::neutral;
}

}  // namespace watersmeet::atmosphere
