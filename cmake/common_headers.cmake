# Headers of others that most tests include are parsed once, into a precompiled header: what a file of this project itself
# holds is a small part of what the compiler reads for it. Headers of the project are not among them, so that a change of one
# compiles no more than before. Files still include what they use: builds of the type Debug, thus the presets dev, asan and tidy, do without.
# Besides, fmt sets a level of optimisation by a pragma there.
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
endif()

set(watersmeet_common_headers
    <algorithm> <array> <charconv> <cmath> <cstdint> <cstdlib> <cstring> <filesystem> <fstream> <functional> <limits> <map> <memory> <numbers>
    <numeric> <optional> <span> <string> <string_view> <utility> <vector> <fmt/format.h>)

# <string> turns three warnings off around text of its own by pragmas, which GCC 12 forgets when it reads a precompiled header: they stand
# on the command line then. Builds without precompiled headers keep them.
function(watersmeet_without_false_warnings target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14 AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-array-bounds>")
  endif()
endfunction()
