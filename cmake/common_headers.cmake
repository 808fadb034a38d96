# Headers of others that most files include are parsed three times, into precompiled headers of the program, and once for the tests: what a file of
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

# Guards of the stack, and calls of libc that know how large a buffer is: for what reads what others wrote and has no loops of a time step.
# With the sanitizers, which look at the same calls, and without optimisation they are off.
set(watersmeet_guards "")
if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug" AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  set(watersmeet_guards -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)
endif()
# Layers without loops of a time step are compiled at -O1, with the contraction of products and sums that -O2 has, so that what they compute
# at set-up keeps its bits. Those of curvilinear meshes and of flows on these did change: they keep the third level.
set(watersmeet_layers_of_o1 io launch run verify bench commands)
set(watersmeet_o1 "$<$<CONFIG:Release>:-O1>" "$<$<AND:$<CONFIG:Release>,$<COMPILE_LANG_AND_ID:CXX,GNU>>:-fexpensive-optimizations>")

# The precompiled headers of the program, one for each set of options, since GCC 13 refuses a header of another level of optimisation and
# all refuse one with other macros: of the layers with loops, the first of which is watersmeet_core, of what is guarded, and of what is
# compiled at -O1, which is guarded too. The second argument is empty, `guarded` or `O1`.
function(watersmeet_precompile target)
  set(level "${ARGN}")
  if(level STREQUAL "O1")
    target_compile_options(${target} PRIVATE ${watersmeet_o1})
  endif()
  if(NOT watersmeet_guards AND level STREQUAL "guarded")
    set(level "")
  elseif(watersmeet_guards AND level)
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${watersmeet_guards}>")
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
