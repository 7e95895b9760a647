# Debian packages, by `make deb`: mrc-mapreduce, mrc-mapreduce-dev for authors of plugins, and
# mrc-mapreduce-programs, the programs of the papers. Each has its licences and the changelog in
# share/doc. Debian has a package mrc, a resource compiler, which also installs /usr/bin/mrc.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME mrc-mapreduce)
set(CPACK_PACKAGE_VENDOR mrc)
set(CPACK_PACKAGE_CONTACT "mrc maintainers <maintainers@mrc.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each component has its own
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL mrc dev programs)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)

set(CPACK_DEBIAN_MRC_PACKAGE_NAME ${CPACK_PACKAGE_NAME})
set(CPACK_DEBIAN_MRC_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_MRC_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_MRC_PACKAGE_CONFLICTS mrc)
set(CPACK_DEBIAN_MRC_PACKAGE_REPLACES mrc)
# (Their names are others in Debian 13.)
set(CPACK_DEBIAN_MRC_PACKAGE_RECOMMENDS
  "tzdata, libarchive13 | libarchive13t64, libsqlite3-0")
set(CPACK_DEBIAN_MRC_PACKAGE_SUGGESTS "mrc-mapreduce-dev, mrc-mapreduce-programs, python3")
set(CPACK_COMPONENT_MRC_DESCRIPTION "MapReduce over text and log files on all cores
mrc counts, sorts, searches and indexes text, and computes statistics of
logs, CSV and JSON. It uses all cores of one machine, and its output is the
same byte for byte on 1 core or 64.
.
It detects the formats of access logs, syslog, logfmt, CSV and JSON lines,
reads compressed files directly, and keeps within a given amount of memory.")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME mrc-mapreduce-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "mrc-mapreduce (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS "gcc, make, pkgconf")
set(CPACK_COMPONENT_DEV_DESCRIPTION "header to write plugins for mrc
A plugin is a shared library in C, or in any language with a C ABI. It
brings a map function, reducers, orders or formats of its own to mrc.
.
This package has the header, its manual page, and files for pkg-config and
CMake.")

set(CPACK_DEBIAN_PROGRAMS_PACKAGE_NAME mrc-mapreduce-programs)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_DEPENDS "mrc-mapreduce (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_PROGRAMS_DESCRIPTION "programs of the MapReduce papers, as plugins of mrc
The programs that research on multicore MapReduce measured: word count,
k-means, principal components, linear regression, matrix multiplication,
histograms of images and others. Each is a plugin, and a verb of mrc.")

# Debian wants a changelog and the copyrights in share/doc.
set(debian_doc ${PROJECT_BINARY_DIR}/doc)
file(MAKE_DIRECTORY ${debian_doc})
configure_file(cmd/package/changelog.in ${debian_doc}/changelog @ONLY)
execute_process(COMMAND gzip -9nc ${debian_doc}/changelog OUTPUT_FILE ${debian_doc}/changelog.gz)
foreach(component mrc dev programs)
  string(TOUPPER ${component} name)
  install(FILES ${PROJECT_SOURCE_DIR}/cmd/package/copyright ${debian_doc}/changelog.gz
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${name}_PACKAGE_NAME}
    COMPONENT ${component})
endforeach()
include(CPack)
