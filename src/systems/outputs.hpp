#pragma once
// Everything that the cases of a system may write, in the order in which they write it: the one
// source of Observation::quantities(), series_columns() and profile_columns() and of the reference
// (docs/reference/outputs.md, `watersmeet keys --outputs`). Part of a name in capitals stands for
// names that a case chooses: mass_FLUID.

#include <algorithm>
#include <string>
#include <vector>

#include "systems/observation.hpp"

namespace watersmeet::systems {

// Meaning of the field q_criterion (Hunt, Wray and Moin 1988).
inline const char* const q_criterion_text =
    "(|Omega|^2 - |S|^2)/2, Omega and S the antisymmetric and the symmetric part of grad u";

struct Outputs {
  std::vector<QuantityInfo> fields;
  std::vector<SeriesColumn> series, profiles;
  std::vector<SpectralField> spectra = {};  // Observation::further_spectra()
};

// The entries of a case of which these conditions hold: those of every case, and those whose `when`
// is one of them.
template <class Entry>
std::vector<Entry> present(const std::vector<Entry>& all,
                           const std::vector<std::string>& conditions) {
  std::vector<Entry> found;
  for (const Entry& entry : all) {
    if (entry.when.empty() ||
        std::find(conditions.begin(), conditions.end(), entry.when) != conditions.end())
      found.push_back(entry);
  }
  return found;
}

// The entries with names of the case in place of a word in capitals: of neighbours with that word
// all for the first name, then all for the next one.
template <class Entry>
std::vector<Entry> with_names(const std::vector<Entry>& all, const std::string& word,
                              const std::vector<std::string>& names) {
  const auto has = [&](const Entry& entry) { return entry.name.find(word) != std::string::npos; };
  std::vector<Entry> named;
  for (auto entry = all.begin(); entry != all.end();) {
    const auto end = std::find_if_not(entry, all.end(), has);
    for (const std::string& name : names) {
      for (auto one = entry; one != end; ++one) {
        named.push_back(*one);
        named.back().name.replace(one->name.find(word), word.size(), name);
      }
    }
    entry = end;
    if (entry != all.end()) named.push_back(*entry++);
  }
  return named;
}

}  // namespace watersmeet::systems
