// All of millrace but webgpu_interop.hpp, in reading order.
#pragma once

// clang-format off
#include <millrace/error.hpp>
#include <millrace/name.hpp>
#include <millrace/format.hpp>
#include <millrace/host_rows.hpp>
#include <millrace/shape.hpp>
#include <millrace/vector.hpp>
#include <millrace/device.hpp>
#include <millrace/values.hpp>
#include <millrace/expression.hpp>
#include <millrace/operation.hpp>
#include <millrace/bindings.hpp>
#include <millrace/results.hpp>
#include <millrace/report.hpp>
#include <millrace/graph.hpp>
// clang-format on
