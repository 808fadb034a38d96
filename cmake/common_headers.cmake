# Headers of others that most files include are parsed once, into precompiled headers: what a file of this project itself
# holds is a small part of what the compiler reads for it. Headers of the project are not among them, so that a change of one
# compiles no more than before. Files still include what they use: the presets asan and tidy do without.
set(watersmeet_common_headers
    <algorithm> <array> <charconv> <cmath> <cstdint> <cstdlib> <cstring> <filesystem> <fstream> <functional> <limits> <map> <memory> <numbers>
    <numeric> <optional> <span> <string> <string_view> <utility> <vector> <fmt/format.h>)

# The library that comes first makes the header; the others, compiled with the same flags, take it.
function(watersmeet_precompile target)
  if(TARGET watersmeet_core AND NOT target STREQUAL "watersmeet_core")
    target_precompile_headers(${target} REUSE_FROM watersmeet_core)
  else()
    target_precompile_headers(${target} PRIVATE ${watersmeet_common_headers})
  endif()
endfunction()
