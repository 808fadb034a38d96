# Headers of others that most files include are parsed twice, into precompiled headers of the program and of the tests: what a file of
# this project itself holds is a small part of what the compiler reads for it. Headers of the project are not among them, so that a change of one
# compiles no more than before. Files still include what they use: builds of the type Debug, thus the presets dev, asan and tidy, do without.
# Besides, fmt sets a level of optimisation by a pragma there.
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
endif()

set(watersmeet_common_headers
    <algorithm> <array> <charconv> <cmath> <cstdint> <cstdlib> <cstring> <filesystem> <fstream> <functional> <limits> <map> <memory> <numbers>
    <numeric> <optional> <span> <string> <string_view> <utility> <vector> <fmt/format.h>)

# <string> turns three warnings off around text of its own by pragmas, which GCC 12 forgets when it reads a precompiled header: they are
# off on the command lines of files that have one. Kernels of the CPU and builds of the type Debug do without and keep them.
set(watersmeet_forgotten_warnings "")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14 AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
  set(watersmeet_forgotten_warnings stringop-overflow stringop-overread array-bounds)
endif()
function(watersmeet_without_false_warnings target)
  list(TRANSFORM watersmeet_forgotten_warnings PREPEND "-Wno-" OUTPUT_VARIABLE options)
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${options}>")
endfunction()

# The precompiled headers of the program, one for each level of optimisation, since GCC 13 refuses a header of another level: the first is
# made with the first library, watersmeet_core, the second with the first objects at -O1.
function(watersmeet_precompile target)
  set(level "${ARGN}")
  if(level STREQUAL "O1")
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  get_property(owner GLOBAL PROPERTY watersmeet_header_owner_${level})
  if(owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  else()
    target_precompile_headers(${target} PRIVATE ${watersmeet_common_headers})
    set_property(GLOBAL PROPERTY watersmeet_header_owner_${level} ${target})
  endif()
  watersmeet_without_false_warnings(${target})
endfunction()

# A file that does without: of what a header was precompiled with, GCC 12 takes also how it treats products and sums, whatever the
# file's own command line says (-ffp-contract=off). Loops of kernels would not be what they are compiled as.
function(watersmeet_without_common_headers file)
  list(TRANSFORM watersmeet_forgotten_warnings PREPEND "-W" OUTPUT_VARIABLE options)
  set_property(SOURCE "${file}" PROPERTY SKIP_PRECOMPILE_HEADERS ON)
  set_property(SOURCE "${file}" APPEND PROPERTY COMPILE_OPTIONS ${options})
endfunction()
