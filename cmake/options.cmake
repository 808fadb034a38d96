# Options of the build, compiler flags, and the optional packages with what each one enables.
option(WATERSMEET_TESTS "Build the C++ tests" ON)
set(WATERSMEET_TEST_BATCH 8 CACHE STRING "At most so many files of a folder of C++ tests are compiled together; 1: each by itself")
set(WATERSMEET_BATCH 16 CACHE STRING "At most so many files of a folder of the program are compiled together; 1: each by itself")
option(WATERSMEET_EXAMPLE_SYSTEMS "Build watersmeet_examples, the program with the systems of examples/systems" ${WATERSMEET_TESTS})
option(WATERSMEET_WERROR "Treat warnings as errors" OFF)
option(WATERSMEET_FUZZ "Build the fuzzer of input files instead of the program (tests/fuzz, tools/fuzz.sh): needs clang" OFF)
option(WATERSMEET_CHECKS "Check indices of containers, poison ghosts that a stage has used (slow)" OFF)
set(WATERSMEET_CUDA "AUTO" CACHE STRING "CUDA back end: ON, OFF or AUTO (on when nvcc is found)")
set(WATERSMEET_MPI "AUTO" CACHE STRING
    "Runs on several ranks: openmpi, mpich, OFF, AUTO (the system's own MPI if there is one), or loaded (either, found when ranks start)")
set(WATERSMEET_HDF5 "AUTO" CACHE STRING "HDF5: serial, openmpi (all ranks write), or AUTO (that of Open MPI where there is one and MPI is it)")
set(WATERSMEET_CGNS "AUTO" CACHE STRING "Meshes in CGNS files: ON, OFF or AUTO (on when the library is found)")
set(WATERSMEET_PYTHON "AUTO" CACHE STRING "The Python module of live simulations: ON, OFF or AUTO (on when nanobind is found)")
set(WATERSMEET_ARCH "native" CACHE STRING "Instruction set of the CPU kernels, as in -march=")
set(WATERSMEET_COMMIT "" CACHE STRING "Hash of the commit of the sources, where it cannot be read from them (empty: read it)")
set_property(CACHE WATERSMEET_CUDA PROPERTY STRINGS AUTO ON OFF)
set_property(CACHE WATERSMEET_HDF5 PROPERTY STRINGS AUTO serial openmpi)
set_property(CACHE WATERSMEET_CGNS PROPERTY STRINGS AUTO ON OFF)
set_property(CACHE WATERSMEET_PYTHON PROPERTY STRINGS AUTO ON OFF)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

find_program(WATERSMEET_CCACHE ccache)
if(WATERSMEET_CCACHE)
  # Without these words ccache keeps nothing that was compiled with a precompiled header, and with that header's place on the command
  # line it has to see paths from the build folder on, or each folder would be a world of its own.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}"
                                  "${WATERSMEET_CCACHE}")
  set(CMAKE_CUDA_COMPILER_LAUNCHER "${WATERSMEET_CCACHE}")
endif()

# CUDA: SASS for the data-centre and desktop cards of today and PTX of the oldest, so that an unknown
# card still runs. One binary serves machines with and without a device.
if(WATERSMEET_CUDA STREQUAL "AUTO")
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    set(watersmeet_cuda ON)
  else()
    set(watersmeet_cuda OFF)
    message(STATUS "nvcc not found: the program will run on the CPU only")
  endif()
else()
  set(watersmeet_cuda ${WATERSMEET_CUDA})
endif()
if(watersmeet_cuda)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES "80;90-real;100-real;120-real" CACHE STRING "CUDA architectures")
  endif()
  enable_language(CUDA)
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know that nvcc 12 and later take it
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
  endif()
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
  # Of nvcc this level is that of host code, which in these files launches kernels and little else.
  string(REPLACE "-O3" "-O1" CMAKE_CUDA_FLAGS_RELEASE "${CMAKE_CUDA_FLAGS_RELEASE}")
  find_package(CUDAToolkit REQUIRED)
endif()

find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(muparser REQUIRED IMPORTED_TARGET muparser)
find_package(PNG REQUIRED)
find_path(WATERSMEET_TOMLPP_INCLUDE toml++/toml.h REQUIRED)
find_path(WATERSMEET_CLI11_INCLUDE CLI/CLI.hpp REQUIRED)
# kissfft.hh is KissFFT's header-only C++ template: Debian's library is single precision only, the template is not.
find_path(WATERSMEET_KISSFFT_INCLUDE kissfft.hh PATH_SUFFIXES kissfft REQUIRED)
# Dense matrices of the CPU: eigenvectors and products.
find_path(WATERSMEET_EIGEN_INCLUDE Eigen/Core PATH_SUFFIXES eigen3 REQUIRED)

# MPI: only src/comm/mpi.cpp sees its header (and HDF5's files where HDF5 is parallel), so that builds with different MPIs share every
# other object. The C interface alone: MPI's own C++ one is gone since MPI 3.
set(watersmeet_mpi OFF)
set(watersmeet_mpi_modules "")
if(WATERSMEET_MPI STREQUAL "loaded")
  # Headers of each, and no library: the program opens that of the machine it runs on (src/comm/mpi_loader.cpp).
  foreach(name openmpi mpich)
    find_program(WATERSMEET_MPICC_${name} NAMES mpicc.${name})
    if(WATERSMEET_MPICC_${name})
      execute_process(COMMAND "${WATERSMEET_MPICC_${name}}" -show OUTPUT_VARIABLE words COMMAND_ERROR_IS_FATAL ANY)
      string(REGEX MATCHALL "-I[^ \n]+" watersmeet_mpi_include_${name} "${words}")
      list(TRANSFORM watersmeet_mpi_include_${name} REPLACE "^-I" "")
      list(APPEND watersmeet_mpi_modules ${name})
    endif()
  endforeach()
  if(NOT watersmeet_mpi_modules)
    message(FATAL_ERROR "WATERSMEET_MPI=loaded needs mpicc.openmpi or mpicc.mpich (libopenmpi-dev, libmpich-dev)")
  endif()
elseif(NOT WATERSMEET_MPI STREQUAL "OFF")
  if(WATERSMEET_MPI STREQUAL "openmpi" OR WATERSMEET_MPI STREQUAL "mpich")
    find_program(WATERSMEET_MPICC NAMES mpicc.${WATERSMEET_MPI} REQUIRED)
    set(MPI_C_COMPILER "${WATERSMEET_MPICC}")
    find_program(MPIEXEC_EXECUTABLE NAMES mpiexec.${WATERSMEET_MPI} REQUIRED)
    find_package(MPI REQUIRED COMPONENTS C)
  elseif(WATERSMEET_MPI STREQUAL "AUTO")
    find_package(MPI QUIET COMPONENTS C)
  else()
    find_package(MPI REQUIRED COMPONENTS C)
  endif()
  if(MPI_C_FOUND)
    set(watersmeet_mpi ON)
    set(watersmeet_mpiexec "${MPIEXEC_EXECUTABLE}")
    # What it takes to start more ranks than processors, also as root: containers and CI.
    execute_process(COMMAND "${MPIEXEC_EXECUTABLE}" --version OUTPUT_VARIABLE watersmeet_mpiexec_version ERROR_QUIET)
    if(watersmeet_mpiexec_version MATCHES "Open MPI|OpenRTE")
      set(watersmeet_mpiexec_flags --oversubscribe --bind-to none)
      # Tests run side by side: ranks that wait for each other leave the processors to those that compute.
      set(watersmeet_mpi_environment OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_pml=ob1)
    else()
      set(watersmeet_mpiexec_flags -bind-to none)
      set(watersmeet_mpi_environment "")
    endif()
  else()
    message(STATUS "no MPI found: the program will run as one process only")
  endif()
endif()

# HDF5, in one of Debian's two flavours; elsewhere the library has no flavour in its name, and its header tells whether it is parallel.
# Variables of either flavour have names of their own, so that a build folder can change over.
set(watersmeet_hdf5 serial)
if(WATERSMEET_HDF5 STREQUAL "openmpi" OR WATERSMEET_HDF5 STREQUAL "AUTO")
  if(watersmeet_mpi AND watersmeet_mpiexec_version MATCHES "Open MPI|OpenRTE")
    find_path(WATERSMEET_HDF5_OPENMPI_INCLUDE hdf5.h PATH_SUFFIXES hdf5/openmpi)
    find_library(WATERSMEET_HDF5_OPENMPI_LIBRARY NAMES hdf5_openmpi hdf5)
    find_library(WATERSMEET_HDF5_OPENMPI_HL_LIBRARY NAMES hdf5_openmpi_hl hdf5_hl)
    if(WATERSMEET_HDF5_OPENMPI_INCLUDE AND WATERSMEET_HDF5_OPENMPI_LIBRARY AND WATERSMEET_HDF5_OPENMPI_HL_LIBRARY)
      set(watersmeet_hdf5 openmpi)
    endif()
  endif()
  if(WATERSMEET_HDF5 STREQUAL "openmpi" AND NOT watersmeet_hdf5 STREQUAL "openmpi")
    message(FATAL_ERROR "WATERSMEET_HDF5=openmpi needs libhdf5-openmpi-dev and a build with Open MPI (WATERSMEET_MPI=openmpi)")
  endif()
elseif(NOT WATERSMEET_HDF5 STREQUAL "serial")
  message(FATAL_ERROR "WATERSMEET_HDF5 is AUTO, serial or openmpi, not ${WATERSMEET_HDF5}")
endif()
if(watersmeet_hdf5 STREQUAL "serial")
  find_path(WATERSMEET_HDF5_SERIAL_INCLUDE hdf5.h PATH_SUFFIXES hdf5/serial REQUIRED)
  find_library(WATERSMEET_HDF5_SERIAL_LIBRARY NAMES hdf5_serial hdf5 REQUIRED)
  find_library(WATERSMEET_HDF5_SERIAL_HL_LIBRARY NAMES hdf5_serial_hl hdf5_hl REQUIRED)
endif()
string(TOUPPER "WATERSMEET_HDF5_${watersmeet_hdf5}" prefix)
set(watersmeet_hdf5_include "${${prefix}_INCLUDE}")
set(watersmeet_hdf5_libraries "${${prefix}_HL_LIBRARY}" "${${prefix}_LIBRARY}")
file(GLOB configuration "${watersmeet_hdf5_include}/H5pubconf*.h")
foreach(header IN LISTS configuration)
  file(STRINGS "${header}" parallel REGEX "^#define H5_HAVE_PARALLEL 1")
  if(parallel)
    list(APPEND watersmeet_hdf5_include ${MPI_C_INCLUDE_DIRS})  # its header includes mpi.h
    break()
  endif()
endforeach()
if(parallel AND NOT watersmeet_mpi)
  message(FATAL_ERROR "the HDF5 of ${watersmeet_hdf5_include} is parallel, but this build has no MPI")
endif()

# NCCL, for GPU runs on several ranks: its header is needed to build, its library is opened when a run needs it.
if(watersmeet_cuda)
  find_path(WATERSMEET_NCCL_INCLUDE nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
endif()
if(watersmeet_cuda AND WATERSMEET_NCCL_INCLUDE)
  set(watersmeet_nccl ON)
else()
  set(watersmeet_nccl OFF)
endif()

# CGNS, for meshes.
set(watersmeet_cgns OFF)
if(NOT WATERSMEET_CGNS STREQUAL "OFF")
  find_path(WATERSMEET_CGNS_INCLUDE cgnslib.h)
  find_library(WATERSMEET_CGNS_LIBRARY NAMES cgns)
  if(WATERSMEET_CGNS_INCLUDE AND WATERSMEET_CGNS_LIBRARY)
    set(watersmeet_cgns ON)
  elseif(WATERSMEET_CGNS STREQUAL "AUTO")
    message(STATUS "no CGNS library found: meshes in CGNS files can be neither read nor written")
  else()
    message(FATAL_ERROR "WATERSMEET_CGNS=ON needs the CGNS library (libcgns-dev)")
  endif()
endif()

# g++ 12 warns in its own avx512fintrin.h that _mm512_undefined_pd() is uninitialised (GCC bug
# 105593), and of overlap in std::string's operator+ (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  set(watersmeet_false_warnings -Wno-maybe-uninitialized -Wno-restrict)
  # At -O1, as tests and the sanitizers have it, the former has the other's name; files that see Eigen are full of it.
  set(watersmeet_false_warnings_o1 -Wno-uninitialized)
endif()

# GCC takes an unnamed namespace in a batch for one in a header, and its names for hidden ones.
set(watersmeet_before_batched_file "")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(watersmeet_before_batched_file "#pragma GCC diagnostic ignored \"-Wsubobject-linkage\"\n#pragma GCC diagnostic ignored \"-Wshadow\"")
endif()

# Hardening that costs nothing once a program has started: what the loader has bound is read-only, and all of it is bound at the start. The
# compilers of Debian and Ubuntu make position-independent programs without code on the stack by themselves.
add_link_options("LINKER:-z,relro,-z,now")

# Flags of every target of the project.
add_library(watersmeet_flags INTERFACE)
target_include_directories(watersmeet_flags INTERFACE "${CMAKE_CURRENT_SOURCE_DIR}/src"
                                                      "${CMAKE_CURRENT_SOURCE_DIR}/include")
target_compile_options(
  watersmeet_flags
  INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wconversion -Wshadow -fno-math-errno -fno-trapping-math
                                 ${watersmeet_false_warnings}>
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${WATERSMEET_WERROR}>>:-Werror>
    $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr -Xcompiler=-Wall,-Wextra>
    $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${WATERSMEET_WERROR}>>:-Werror=all-warnings>)
if(WATERSMEET_ARCH)
  target_compile_options(watersmeet_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-march=${WATERSMEET_ARCH}>)
endif()
if(WATERSMEET_CHECKS)
  target_compile_definitions(watersmeet_flags INTERFACE WATERSMEET_CHECKS _GLIBCXX_ASSERTIONS)
endif()
target_link_libraries(watersmeet_flags INTERFACE OpenMP::OpenMP_CXX Threads::Threads)
