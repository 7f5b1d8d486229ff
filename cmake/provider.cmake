# The WebGPU provider that ships with the library, and its header. The library looks for it in millrace/ beside its own
# file; millrace_place_provider gives a build folder the same shape as an install, so that one rule serves both.
set(MILLRACE_WEBGPU_INCLUDE_DIR "${MILLRACE_DEPS_DIR}/wgpu/include" CACHE PATH "The folder that holds webgpu/webgpu.h")
set(MILLRACE_WEBGPU_LIBRARY "${MILLRACE_DEPS_DIR}/wgpu/lib/libwgpu_native.so" CACHE FILEPATH
  "The provider that is installed with the library")
foreach(file "${MILLRACE_WEBGPU_INCLUDE_DIR}/webgpu/webgpu.h" "${MILLRACE_WEBGPU_LIBRARY}")
  if(NOT EXISTS "${file}")
    message(FATAL_ERROR "The WebGPU provider's file \"${file}\" is not there; run scripts/setup, or set "
      "MILLRACE_WEBGPU_INCLUDE_DIR and MILLRACE_WEBGPU_LIBRARY.")
  endif()
endforeach()

# millrace_place_provider(TARGET FOLDER): builds TARGET in FOLDER, with the provider where the code in it looks.
function(millrace_place_provider target folder)
  set_target_properties(${target} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${folder}" LIBRARY_OUTPUT_DIRECTORY "${folder}")
  file(MAKE_DIRECTORY "${folder}/millrace")
  file(CREATE_LINK "${MILLRACE_WEBGPU_LIBRARY}" "${folder}/millrace/libwgpu_native.so" SYMBOLIC)
endfunction()
