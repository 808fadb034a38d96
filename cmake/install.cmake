# What is installed: the program, what it looks for in ../share and ../lib from its own folder (src/core/own_program.hpp), and the Python package
# with its compiled module. A wheel has all of it inside the package, where auditwheel can give the program the libraries of the wheel, and
# python/watersmeet/program.py is the command. `cpack -G DEB` makes a package of Debian (docs/install.md).
include(GNUInstallDirs)
if(SKBUILD)
  set(watersmeet_prefix watersmeet/)
  set(watersmeet_python_folder watersmeet)
else()
  set(watersmeet_prefix "")
  set(watersmeet_python_folder lib/python3/dist-packages/watersmeet)
endif()

# After the targets have been made. The target watersmeet_package builds what is installed.
function(watersmeet_install)
  set(targets watersmeet)
  install(TARGETS watersmeet RUNTIME DESTINATION ${watersmeet_prefix}bin COMPONENT package)
  foreach(mpi IN LISTS watersmeet_mpi_modules)
    install(TARGETS watersmeet_mpi_${mpi} LIBRARY DESTINATION ${watersmeet_prefix}lib/watersmeet COMPONENT package)
    list(APPEND targets watersmeet_mpi_${mpi})
  endforeach()
  if(TARGET watersmeet_python)
    install(TARGETS watersmeet_python LIBRARY DESTINATION ${watersmeet_python_folder} COMPONENT package)
    install(FILES "${PROJECT_BINARY_DIR}/python/watersmeet/_engine.pyi" DESTINATION ${watersmeet_python_folder} COMPONENT package)
    list(APPEND targets watersmeet_python_stub)
  endif()
  if(NOT SKBUILD)
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/python/watersmeet/" DESTINATION ${watersmeet_python_folder} COMPONENT package PATTERN __pycache__ EXCLUDE
            PATTERN program.py EXCLUDE)
    install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION share/doc/watersmeet COMPONENT package RENAME copyright)
  endif()
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples" "${PROJECT_SOURCE_DIR}/packaging/sites" DESTINATION ${watersmeet_prefix}share/watersmeet
          COMPONENT package PATTERN systems EXCLUDE PATTERN __pycache__ EXCLUDE)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/validation/data" DESTINATION ${watersmeet_prefix}share/watersmeet/validation COMPONENT package)
  add_custom_target(watersmeet_package DEPENDS ${targets})

  set(CPACK_DEBIAN_PACKAGE_DEPENDS "python3-numpy, python3-h5py")
  if(TARGET watersmeet_python)  # the compiled module belongs to one version of Python
    string(REGEX REPLACE "^3\\." "" minor "${watersmeet_python_version}")
    math(EXPR next "${minor} + 1")
    string(PREPEND CPACK_DEBIAN_PACKAGE_DEPENDS "python3 (>= 3.${minor}), python3 (<< 3.${next}), ")
  endif()
  if(NOT SKBUILD)
    include(CPack)
  endif()
endfunction()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "The Watersmeet developers")
set(CPACK_PACKAGE_CONTACT "The Watersmeet developers")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "Compressible, incompressible, magnetised and multicomponent flows, curvilinear
meshes, atmosphere and shallow water, from one text file to results in HDF5
and pictures: the program, its examples, and the Python package. For processors
with AVX2 and FMA.")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-matplotlib, openmpi-bin")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # what the program and the module are linked with
