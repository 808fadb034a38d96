# Which commit the program is built from: WATERSMEET_COMMIT where the user gives it; else that of cmake/commit.txt, which
# `git archive` writes; else that of a git work tree whose root is the source folder; else "unknown". Git comes last, because it
# answers for any repository that somebody made around a copy of the sources. As a script
# (cmake -DSOURCE=... -DHEADER=... [-DCOMMIT=...] -P commit.cmake) it writes HEADER; included, it defines watersmeet_commit(), which makes ninja do that whenever a source file or the commit
# changed, and not otherwise: a build with nothing to do stays one.
if(CMAKE_SCRIPT_MODE_FILE)
  cmake_minimum_required(VERSION 3.22)
  set(commit "unknown")
  set(dirty "false") # known of a git work tree only
  set(archived "")
  if(EXISTS "${SOURCE}/cmake/commit.txt")
    file(STRINGS "${SOURCE}/cmake/commit.txt" archived LIMIT_COUNT 1)
  endif()
  if(NOT "${COMMIT}" STREQUAL "")
    set(commit "${COMMIT}")
  elseif("${archived}" MATCHES "^[0-9a-f]+$")
    string(SUBSTRING "${archived}" 0 12 commit)
  else()
    find_program(GIT git)
  endif()
  if(GIT)
    execute_process(COMMAND "${GIT}" -C "${SOURCE}" rev-parse --show-toplevel OUTPUT_VARIABLE top
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    file(REAL_PATH "${SOURCE}" source)
    # An unpacked archive inside somebody else's clone is not that clone's commit.
    if(NOT failed AND "${top}" STREQUAL "${source}")
      execute_process(COMMAND "${GIT}" -C "${SOURCE}" rev-parse --short=12 HEAD OUTPUT_VARIABLE found
                      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
      if(NOT failed)
        set(commit "${found}")
        execute_process(COMMAND "${GIT}" -C "${SOURCE}" --no-optional-locks status --porcelain --untracked-files=no
                        OUTPUT_VARIABLE changes ERROR_QUIET)
        if(NOT "${changes}" STREQUAL "")
          set(dirty "true")
        endif()
      endif()
    endif()
  endif()
  file(CONFIGURE OUTPUT "${HEADER}" @ONLY
       CONTENT "#define WATERSMEET_COMMIT \"@commit@\"\n#define WATERSMEET_DIRTY @dirty@\n")
  return()
endif()

function(watersmeet_commit target source_file)
  string(TOLOWER "${WATERSMEET_COMMIT}" commit)
  if(NOT "${commit}" MATCHES "^([0-9a-f]*|unknown)$")
    message(FATAL_ERROR "WATERSMEET_COMMIT = \"${WATERSMEET_COMMIT}\" is no commit: give its hash, such as 1a2b3c4d5e6f, or unknown")
  endif()
  if(NOT "${commit}" STREQUAL "unknown")
    string(SUBSTRING "${commit}" 0 12 commit)
  endif()
  set(folder "${PROJECT_BINARY_DIR}/generated")
  set(header "${folder}/watersmeet_commit.hpp")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/*" "${PROJECT_SOURCE_DIR}/include/*.hpp")
  set(log "")
  execute_process(COMMAND git -C "${PROJECT_SOURCE_DIR}" rev-parse --git-path logs/HEAD OUTPUT_VARIABLE log
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  cmake_path(ABSOLUTE_PATH log BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
  if(NOT EXISTS "${log}" OR IS_DIRECTORY "${log}")
    set(log "")
  endif()
  add_custom_command(
    OUTPUT "${folder}/commit.stamp"
    BYPRODUCTS "${header}"
    COMMAND "${CMAKE_COMMAND}" "-DSOURCE=${PROJECT_SOURCE_DIR}" "-DHEADER=${header}" "-DCOMMIT=${commit}" -P
            "${PROJECT_SOURCE_DIR}/cmake/commit.cmake"
    COMMAND "${CMAKE_COMMAND}" -E touch "${folder}/commit.stamp"
    DEPENDS ${sources} ${log} "${PROJECT_SOURCE_DIR}/cmake/commit.cmake" "${PROJECT_SOURCE_DIR}/cmake/commit.txt"
    COMMENT "Looking up the commit" VERBATIM)
  add_custom_target(watersmeet_commit DEPENDS "${folder}/commit.stamp")
  add_dependencies(${target} watersmeet_commit)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}} -march=${WATERSMEET_ARCH}" flags)
  set_property(SOURCE "${source_file}" APPEND PROPERTY INCLUDE_DIRECTORIES "${folder}")
  set_property(
    SOURCE "${source_file}" APPEND
    PROPERTY COMPILE_DEFINITIONS "WATERSMEET_VERSION=\"${PROJECT_VERSION}\"" "WATERSMEET_BUILD_TYPE=\"${CMAKE_BUILD_TYPE}\""
             "WATERSMEET_BUILD_FLAGS=\"${flags}\"")
endfunction()
