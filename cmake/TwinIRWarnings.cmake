# SPDX-License-Identifier: MIT
# twinir_warnings(target): the warnings every target of this project is built with.
function(twinir_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow -Wnon-virtual-dtor)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # False alarms in std::string (GCC bugs 105329, 105651).
    target_compile_options(${target} PRIVATE -Wno-restrict -Wno-stringop-overflow)
  endif()
  if(TWINIR_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()
