// The program of a user who has the library and a compiler: the whole path, from formulas to rows. Prints 10 0 6, one a
// line. See interop.cpp for the other half of this program.
#include <iostream>
#include <millrace/millrace.hpp>
#include <vector>

using namespace millrace;

struct Point {
  float x, y, z;
};

bool interop_is_usable(const Device& device);

int main() {
  Graph graph;
  graph.add_input("positions", vector_of(Format::float32x3));
  graph.add_input("scale", scalar_of(Format::float32));
  graph.add(Expression{"scaled = positions * scale"});
  graph.add(Expression{"lengths = length(scaled)"});

  Device device = Device::open();
  if (!interop_is_usable(device)) return 1;
  const CompiledGraph compiled = graph.compile(device, {.outputs = {"lengths"}});

  const std::vector<Point> points{{3, 4, 0}, {0, 0, 0}, {1, 2, 2}};
  const Vector positions = device.upload(Format::float32x3, points);

  Results results = compiled.run({.inputs = {{"positions", positions}, {"scale", 2.0f}}});
  const Vector lengths = results.take("lengths");
  for (float length : lengths.read<float>()) std::cout << length << '\n';
}
