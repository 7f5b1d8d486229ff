# Arrow C++ as scripts/setup lays it down: targets arrow::arrow, arrow::compute and arrow::parquet. MILLRACE_ARROW_LIBRARIES
# lists the files that have to ship with whatever links them.
set(MILLRACE_ARROW_DIR "${MILLRACE_DEPS_DIR}/arrow" CACHE PATH "The folder that holds Arrow's include/ and lib/")
if(NOT EXISTS "${MILLRACE_ARROW_DIR}/include/arrow/api.h")
  message(FATAL_ERROR "MILLRACE_ARROW_DIR is \"${MILLRACE_ARROW_DIR}\", where there is no include/arrow/api.h; "
    "run scripts/setup, or leave the tool out with -DMILLRACE_BUILD_TOOL=OFF.")
endif()

set(MILLRACE_ARROW_LIBRARIES)
foreach(library arrow arrow_compute parquet)
  string(REPLACE arrow_ "" target ${library})
  file(GLOB file "${MILLRACE_ARROW_DIR}/lib/lib${library}.so.*")
  add_library(arrow::${target} SHARED IMPORTED)
  # System headers, so that our warnings stay ours.
  set_target_properties(arrow::${target} PROPERTIES
    IMPORTED_LOCATION "${file}"
    INTERFACE_INCLUDE_DIRECTORIES "${MILLRACE_ARROW_DIR}/include")
  list(APPEND MILLRACE_ARROW_LIBRARIES "${file}")
endforeach()
target_link_libraries(arrow::compute INTERFACE arrow::arrow)
target_link_libraries(arrow::parquet INTERFACE arrow::arrow)
