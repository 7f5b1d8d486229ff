# Builds everything for libFuzzer: its coverage, AddressSanitizer and UndefinedBehaviorSanitizer in all of our code.
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "MILLRACE_BUILD_FUZZERS needs clang, whose part libFuzzer is, but the compiler is "
    "${CMAKE_CXX_COMPILER_ID}; configure a folder of its own with -DCMAKE_CXX_COMPILER=clang++, as scripts/fuzz does.")
endif()
set(MILLRACE_SANITIZERS address,undefined)
add_compile_options(-fsanitize=fuzzer-no-link,${MILLRACE_SANITIZERS} -fno-sanitize-recover=all -fno-omit-frame-pointer)
add_link_options(-fsanitize=${MILLRACE_SANITIZERS})
