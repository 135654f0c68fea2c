# SPDX-License-Identifier: MIT
# Finds every LLVM from 19 to 24 and builds one plugin per LLVM from one source (TwinIRLlvmPlugin.cmake).
#
# Sets TWINIR_LLVM_BUILDS, for example "19;22;rocm"; TWINIR_LLVM_MAJORS, those whose libLLVM this machine's own loader
# can load; and for each build B
#   TWINIR_LLVM_B_FLAVOR (llvm22), _VERSION, _INCLUDE, _LIBRARY, _LLD (empty: no lld), _LOADER (empty: none is needed).
#
# Where it looks (cache variables; none is needed for what Debian or the upstream apt repository installed):
#   TWINIR_LLVM_CONFIG_<M>  the llvm-config of LLVM M
#   LLVM_DIR, LLVM_ROOT     as find_package(LLVM) takes them: folders of one LLVM, whichever version that is
#   TWINIR_LLVM_PREFIX      a folder that scripts/flavors made: LLVMs that need another C library, started through it;
#                           build/flavors when it is there, OFF for none. Its 22 is the flavor debian-sid-22 where
#                           this machine has a 22 of its own
#   TWINIR_LLVM_EXTRA       "rocm=/opt/rocm/llvm;...": any build of LLVM under a flavor name of its own
# find_package(LLVM) can serve one version per project only.
set(TWINIR_LLVM_PREFIX "" CACHE STRING "Folder made by scripts/flavors: more LLVMs (build/flavors, when it is there); OFF: none")
set(TWINIR_LLVM_EXTRA "" CACHE STRING "NAME=DIR;...: more builds of LLVM, each a flavor NAME")
set(TWINIR_LLVM_BUILDS "")
set(TWINIR_LLVM_MAJORS "")
include(TwinIRLlvmPlugin)

set(twinir_llvm_prefix "${TWINIR_LLVM_PREFIX}")
if(twinir_llvm_prefix STREQUAL "" AND EXISTS ${PROJECT_SOURCE_DIR}/build/flavors/versions)
  set(twinir_llvm_prefix ${PROJECT_SOURCE_DIR}/build/flavors)
endif()
if(twinir_llvm_prefix AND NOT EXISTS ${twinir_llvm_prefix}/versions)
  message(FATAL_ERROR "TWINIR_LLVM_PREFIX=${twinir_llvm_prefix} was not made by scripts/flavors (no file 'versions')")
endif()

# The version text of a folder of headers ("22.1.8"); empty when they are no headers of LLVM. llvm-config.h may only
# include another one, so all of its kind are read; no program of that LLVM has to run.
function(twinir_llvm_version include out)
  set(version "")
  file(GLOB headers ${include}/llvm/Config/llvm-config*.h)
  foreach(header IN LISTS headers)
    file(STRINGS ${header} line REGEX "define LLVM_VERSION_STRING ")
    if(line MATCHES "\"([^\"]+)\"")
      set(version ${CMAKE_MATCH_1})
    endif()
  endforeach()
  set(${out} "${version}" PARENT_SCOPE)
endfunction()

# What tells this build from others of the same number. A release needs nothing; x.0.y is a development snapshot: the
# version of its package, else the hash of its library.
function(twinir_llvm_snapshot version library prefix out)
  set(${out} "" PARENT_SCOPE)
  if(NOT version MATCHES "^([0-9]+)\\.0\\.")
    return()
  endif()
  set(package "")
  if(prefix)
    file(STRINGS ${prefix}/versions lines REGEX "^${CMAKE_MATCH_1} ")
    string(REGEX REPLACE "^[0-9]+ " "" package "${lines}")
  else()
    file(REAL_PATH ${library} real)
    execute_process(COMMAND dpkg-query -S ${real} OUTPUT_VARIABLE owner ERROR_QUIET)
    if(owner MATCHES "^([^:]+):")
      execute_process(COMMAND dpkg-query -W -f "\${Version}" ${CMAKE_MATCH_1} OUTPUT_VARIABLE package ERROR_QUIET)
    endif()
  endif()
  if(NOT package)
    file(SHA256 ${library} hash)
    string(SUBSTRING ${hash} 0 16 package)
  endif()
  string(REGEX REPLACE "^[0-9]+:" "" package "${package}")
  set(${out} " (${package})" PARENT_SCOPE)
endfunction()

# Takes one LLVM as build B: from its headers and libraries; `prefix` is the folder of scripts/flavors it lies in.
macro(twinir_llvm_add build flavor include libdir prefix)
  twinir_llvm_version(${include} version)
  string(REGEX MATCH "^[0-9]+" major "${version}")
  set(library library-NOTFOUND)
  find_library(library NAMES LLVM-${major} LLVM PATHS ${libdir} NO_DEFAULT_PATH NO_CACHE)
  if(NOT library OR NOT EXISTS ${include}/llvm/IR/IRBuilder.h)
    message(STATUS "LLVM ${version} (${flavor}): headers or libLLVM missing, left out (install llvm-${major}-dev)")
  elseif(major LESS 19 OR major GREATER 24)
    message(STATUS "LLVM ${version} (${flavor}): not 19 to 24, left out")
  else()
    twinir_llvm_snapshot(${version} ${library} "${prefix}" snapshot)
    set(TWINIR_LLVM_${build}_FLAVOR ${flavor})
    set(TWINIR_LLVM_${build}_VERSION "${version}${snapshot}")
    set(TWINIR_LLVM_${build}_INCLUDE ${include})
    set(TWINIR_LLVM_${build}_LIBRARY ${library})
    set(TWINIR_LLVM_${build}_LLD "")
    if(EXISTS ${libdir}/liblldELF.a AND EXISTS ${include}/lld/Common/Driver.h)
      set(TWINIR_LLVM_${build}_LLD ${libdir}/liblldELF.a ${libdir}/liblldCommon.a)
    endif()
    set(TWINIR_LLVM_${build}_LOADER "")
    if(NOT "${prefix}" STREQUAL "")
      set(TWINIR_LLVM_${build}_LOADER ${prefix}/loader)
    elseif("${build}" MATCHES "^[0-9]+$")
      list(APPEND TWINIR_LLVM_MAJORS ${build})
    endif()
    list(APPEND TWINIR_LLVM_BUILDS ${build})
    message(STATUS "LLVM ${version}${snapshot}: ${flavor} from ${include}")
  endif()
endmacro()

# The folders an llvm-config names.
function(twinir_llvm_ask config include libdir)
  execute_process(COMMAND ${config} --includedir OUTPUT_VARIABLE one OUTPUT_STRIP_TRAILING_WHITESPACE
                  COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${config} --libdir OUTPUT_VARIABLE two OUTPUT_STRIP_TRAILING_WHITESPACE
                  COMMAND_ERROR_IS_FATAL ANY)
  set(${include} ${one} PARENT_SCOPE)
  set(${libdir} ${two} PARENT_SCOPE)
endfunction()

# The llvm-config of a major version: its own cache variable, LLVM_DIR or LLVM_ROOT, then where distributions put it:
# Debian and the upstream apt repository, Fedora, Arch and Alpine, Gentoo, Homebrew.
function(twinir_llvm_find_config major)
  foreach(hint IN ITEMS "${LLVM_DIR}" "${LLVM_ROOT}" "$ENV{LLVM_DIR}" "$ENV{LLVM_ROOT}")
    foreach(up IN ITEMS . ../../..) # LLVM_DIR is lib/cmake/llvm of it
      twinir_llvm_version("${hint}/${up}/include" version)
      if(hint AND version MATCHES "^${major}\\." AND EXISTS ${hint}/${up}/bin/llvm-config)
        set(TWINIR_LLVM_CONFIG_${major} ${hint}/${up}/bin/llvm-config CACHE FILEPATH "llvm-config of LLVM ${major}")
      endif()
    endforeach()
  endforeach()
  find_program(TWINIR_LLVM_CONFIG_${major} NAMES llvm-config-${major} llvm${major}-config llvm-config
               PATHS /usr/lib/llvm-${major}/bin /usr/lib64/llvm${major}/bin /usr/lib/llvm${major}/bin
                     /usr/lib/llvm/${major}/bin /usr/local/opt/llvm@${major}/bin /opt/homebrew/opt/llvm@${major}/bin
               VALIDATOR twinir_llvm_is_major_${major} DOC "llvm-config of LLVM ${major}")
endfunction()

foreach(major RANGE 19 24)
  # An llvm-config without a number in its name may be of any version.
  cmake_language(EVAL CODE "function(twinir_llvm_is_major_${major} out program)
    execute_process(COMMAND \${program} --version OUTPUT_VARIABLE version ERROR_QUIET)
    if(NOT version MATCHES \"^${major}[.]\")
      set(\${out} FALSE PARENT_SCOPE)
    endif()
  endfunction()")
  twinir_llvm_find_config(${major})
  set(fetched ${twinir_llvm_prefix}/root/usr/lib/llvm-${major})
  if(TWINIR_LLVM_CONFIG_${major})
    twinir_llvm_ask(${TWINIR_LLVM_CONFIG_${major}} include libdir)
    twinir_llvm_add(${major} llvm${major} ${include} ${libdir} "")
  elseif(twinir_llvm_prefix AND EXISTS ${fetched})
    twinir_llvm_add(${major} llvm${major} ${fetched}/include ${fetched}/lib ${twinir_llvm_prefix})
  endif()
endforeach()

# Debian 12 has 22, too: two builds of one version.
set(fetched ${twinir_llvm_prefix}/root/usr/lib/llvm-22)
if(twinir_llvm_prefix AND TWINIR_LLVM_CONFIG_22 AND EXISTS ${fetched})
  twinir_llvm_add(debian-sid-22 debian-sid-22 ${fetched}/include ${fetched}/lib ${twinir_llvm_prefix})
  set(TWINIR_LLVM_debian-sid-22_FROM ${fetched})
endif()

foreach(entry IN LISTS TWINIR_LLVM_EXTRA)
  set(name "")
  if(entry MATCHES "^([a-z][a-z0-9_.-]*)=(/.+)$")
    set(name ${CMAKE_MATCH_1})
    set(folder ${CMAKE_MATCH_2})
  endif()
  if(NOT name OR name MATCHES "^llvm[0-9]*$")
    message(FATAL_ERROR "TWINIR_LLVM_EXTRA: '${entry}' is not NAME=DIR with a name of [a-z0-9_.-] other than llvm<number> "
                        "and an absolute folder")
  endif()
  set(prefix "")
  if(twinir_llvm_prefix)
    string(FIND ${folder} ${twinir_llvm_prefix}/root/ at)
    if(at EQUAL 0)
      set(prefix ${twinir_llvm_prefix})
    endif()
  endif()
  set(include ${folder}/include)
  set(libdir ${folder}/lib)
  if(NOT prefix AND EXISTS ${folder}/bin/llvm-config)
    twinir_llvm_ask(${folder}/bin/llvm-config include libdir)
  endif()
  set(before ${TWINIR_LLVM_BUILDS})
  twinir_llvm_add(${name} ${name} ${include} ${libdir} "${prefix}")
  if(before STREQUAL TWINIR_LLVM_BUILDS)
    message(FATAL_ERROR "TWINIR_LLVM_EXTRA: no LLVM from 19 to 24 with libLLVM and headers in ${folder}")
  endif()
  set(TWINIR_LLVM_${name}_FROM ${folder})
endforeach()

# Plugins of an earlier configuration would still be found.
file(GLOB plugins RELATIVE ${PROJECT_BINARY_DIR}/lib/twinir ${PROJECT_BINARY_DIR}/lib/twinir/twinir-llvm-*)
foreach(plugin IN LISTS plugins)
  string(REGEX REPLACE "^twinir-llvm-(.*)[.](so|loader)$" "\\1" build ${plugin})
  if(NOT build IN_LIST TWINIR_LLVM_BUILDS)
    file(REMOVE ${PROJECT_BINARY_DIR}/lib/twinir/${plugin})
  endif()
endforeach()

if(NOT TWINIR_LLVM_BUILDS)
  message(WARNING "No LLVM from 19 to 24 was found: nothing can be emitted from C++ or compiled. "
                  "scripts/setup installs the ones Debian has, scripts/flavors fetches more.")
endif()
