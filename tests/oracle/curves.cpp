// The C library's functions in double stand for the true ones: they are wrong by far less than a bound.
#include "tests/oracle/curves.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <string>

namespace millrace::oracle {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLargest = 0x1.fffffep127;
constexpr double kTurn = 2 * std::numbers::pi;

// Extremes of a wave that is 1 at `crest` and -1 half a turn on.
void add_extremes(double lower, double upper, double crest, std::vector<double>& values) {
  const auto meets = [&](double at) { return std::floor((upper - at) / kTurn) >= std::ceil((lower - at) / kTurn); };
  if (meets(crest)) values.push_back(1);
  if (meets(crest + kTurn / 2)) values.push_back(-1);
}

void add_poles_of_tan(double lower, double upper, std::vector<double>& values) {
  const double first = std::ceil((lower - kTurn / 4) / (kTurn / 2));
  if (first > std::floor((upper - kTurn / 4) / (kTurn / 2))) return;
  values.push_back(-kInfinity);
  values.push_back(kInfinity);
}

void add_trough_of_cosh(double lower, double upper, std::vector<double>& values) {
  if (lower <= 0 && upper >= 0) values.push_back(1);
}

const std::map<std::string, Curve, std::less<>>& curves() {
  // A finite domain leaves out the infinities: sin(inf) is NaN.
  static const std::map<std::string, Curve, std::less<>> kCurves = {
      {"sin",
       {[](double x) { return std::sin(x); }, -kLargest, kLargest, 4,
        [](double a, double b, std::vector<double>& v) { add_extremes(a, b, kTurn / 4, v); }}},
      {"cos",
       {[](double x) { return std::cos(x); }, -kLargest, kLargest, 4,
        [](double a, double b, std::vector<double>& v) { add_extremes(a, b, 0, v); }}},
      {"tan", {[](double x) { return std::tan(x); }, -kLargest, kLargest, 4, add_poles_of_tan}},
      {"asin", {[](double x) { return std::asin(x); }, -1, 1, 4}},
      {"acos", {[](double x) { return std::acos(x); }, -1, 1, 4}},
      {"atan", {[](double x) { return std::atan(x); }, -kInfinity, kInfinity, 4}},
      {"sinh", {[](double x) { return std::sinh(x); }, -kInfinity, kInfinity, 4}},
      {"cosh", {[](double x) { return std::cosh(x); }, -kInfinity, kInfinity, 4, add_trough_of_cosh}},
      {"tanh", {[](double x) { return std::tanh(x); }, -kInfinity, kInfinity, 4}},
      {"asinh", {[](double x) { return std::asinh(x); }, -kInfinity, kInfinity, 4}},
      {"acosh", {[](double x) { return std::acosh(x); }, 1, kInfinity, 4}},
      {"atanh", {[](double x) { return std::atanh(x); }, -1, 1, 4}},
      {"exp", {[](double x) { return std::exp(x); }, -kInfinity, kInfinity, 4}},
      {"exp2", {[](double x) { return std::exp2(x); }, -kInfinity, kInfinity, 4}},
      {"log", {[](double x) { return std::log(std::fabs(x)); }, 0, kInfinity, 4}},
      {"log2", {[](double x) { return std::log2(std::fabs(x)); }, 0, kInfinity, 4}},
  };
  return kCurves;
}

}  // namespace

const Curve* find_curve(std::string_view name) {
  const auto found = curves().find(name);
  return found == curves().end() ? nullptr : &found->second;
}

}  // namespace millrace::oracle
