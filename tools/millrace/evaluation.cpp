// Declares the graph, binds columns, and pairs results with the validity of what they came from.
#include "tools/millrace/evaluation.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include <arrow/array.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <fmt/format.h>

#include "src/data/arrow_array.hpp"
#include "tools/millrace/missing_values.hpp"
#include "tools/millrace/usage_error.hpp"

namespace millrace::tool {

namespace {

using data::ElementType;
using data::NumberType;

// Nobody waits for a frame here, and a software device may take its time over many rows.
constexpr std::chrono::minutes kDeadline(10);

bool is_taken(const ResolvedFormulas& formulas, const std::string& name) {
  const auto is_named = [&](const auto& each) { return each.name == name; };
  const auto defines = [&](const ResolvedFormula& formula) { return formula.expression.output() == name; };
  return std::any_of(formulas.formulas.begin(), formulas.formulas.end(), defines) ||
         std::any_of(formulas.columns.begin(), formulas.columns.end(), is_named) ||
         std::any_of(formulas.scalars.begin(), formulas.scalars.end(), is_named);
}

// Booleans are an input of another name, from which the graph makes the bool of theirs.
std::string input_name(const ResolvedFormulas& formulas, std::string name, NumberType type) {
  if (type.element != ElementType::boolean) return name;
  do {
    name += " as uint32";
  } while (is_taken(formulas, name));
  return name;
}

void declare_boolean(Graph& graph, const std::string& name, const std::string& input) {
  graph.add(Expression(fmt::format("`{}` = `{}` != 0", name, input)));
}

// Conversions to bool of what the formulas read as such.
CompiledGraph compile(Device& device, const ResolvedFormulas& formulas, const std::vector<NumberType>& types,
                      const std::vector<std::string>& column_inputs, const std::vector<std::string>& scalar_inputs,
                      IntegerDivision integer_division) {
  Graph graph;
  for (std::size_t index = 0; index < types.size(); ++index) {
    graph.add_input(column_inputs[index], vector_of(data::format_of(types[index])));
    if (types[index].element == ElementType::boolean) {
      declare_boolean(graph, formulas.columns[index].name, column_inputs[index]);
    }
  }
  for (std::size_t index = 0; index < scalar_inputs.size(); ++index) {
    const ScalarInput& scalar = formulas.scalars[index];
    graph.add_input(scalar_inputs[index], scalar_of(data::format_of(scalar.type)));
    if (scalar.type.element == ElementType::boolean) declare_boolean(graph, scalar.name, scalar_inputs[index]);
  }
  if (formulas.reads_row) graph.add_input("row", vector_of(Format::uint32));
  if (formulas.reads_rows) graph.add_input("rows", scalar_of(Format::uint32));
  for (const std::size_t index : formulas.order) graph.add(formulas.formulas[index].expression);
  std::vector<Name> outputs;
  for (const std::size_t output : formulas.outputs) outputs.emplace_back(formulas.formulas[output].expression.output());
  if (formulas.where) outputs.emplace_back(formulas.formulas[*formulas.where].expression.output());
  return graph.compile(device, {.outputs = Outputs(std::move(outputs)), .integer_division = integer_division});
}

std::vector<std::string> column_inputs(const ResolvedFormulas& formulas, const std::vector<NumberType>& types) {
  std::vector<std::string> names;
  for (std::size_t index = 0; index < types.size(); ++index) {
    names.push_back(input_name(formulas, formulas.columns[index].name, types[index]));
  }
  return names;
}

std::vector<std::string> scalar_inputs(const ResolvedFormulas& formulas) {
  std::vector<std::string> names;
  for (const ScalarInput& scalar : formulas.scalars) names.push_back(input_name(formulas, scalar.name, scalar.type));
  return names;
}

template <class Lane>
InputValue lanes_value(const std::vector<ScalarLane>& lanes) {
  std::array<Lane, 4> values = {};
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) values[lane] = std::get<Lane>(lanes[lane]);
  switch (lanes.size()) {
    case 1:
      return values[0];
    case 2:
      return std::array{values[0], values[1]};
    case 3:
      return std::array{values[0], values[1], values[2]};
    default:
      return values;
  }
}

InputValue scalar_value(const ScalarInput& scalar) {
  if (scalar.type.element == ElementType::float32) return lanes_value<float>(scalar.lanes);
  if (scalar.type.element == ElementType::sint32) return lanes_value<std::int32_t>(scalar.lanes);
  return lanes_value<std::uint32_t>(scalar.lanes);
}

Vector upload(Device& device, const data::NumberColumn& column) {
  const Format format = data::format_of(column.type);
  switch (column.type.element) {
    case ElementType::float32:
      return device.upload(format, column.lanes<float>());
    case ElementType::sint32:
      return device.upload(format, column.lanes<std::int32_t>());
    case ElementType::uint32:
    case ElementType::boolean:
      break;
  }
  return device.upload(format, column.lanes<std::uint32_t>());
}

// Rows of several lanes as lists of a fixed size.
std::shared_ptr<arrow::Array> as_rows(const std::shared_ptr<arrow::Array>& lanes, std::size_t lane_count,
                                      const data::Validity& has_value) {
  const auto row_count = static_cast<std::int64_t>(has_value.row_count());
  const auto type = arrow::fixed_size_list(lanes->type(), static_cast<std::int32_t>(lane_count));
  return std::make_shared<arrow::FixedSizeListArray>(type, row_count, lanes, has_value.arrow_bits());
}

}  // namespace

Evaluation::Evaluation(Device& device, const ResolvedFormulas& formulas, const std::vector<NumberType>& types,
                       const TableOptions& options)
    : formulas_(formulas),
      options_(options),
      column_inputs_(column_inputs(formulas, types)),
      scalar_inputs_(scalar_inputs(formulas)),
      graph_(compile(device, formulas, types, column_inputs_, scalar_inputs_, options.integer_division)) {
  check_results();
}

NumberType Evaluation::type_of(const std::string& result) const {
  const std::vector<ReportedValue>& values = graph_.report().values;
  const auto value =
      std::find_if(values.begin(), values.end(), [&](const ReportedValue& each) { return each.name == result; });
  std::optional<NumberType> type = data::number_type(value->format);
  if (!type) {
    throw UsageError(
        fmt::format("The result \"{name}\" has the packed format {format}, and a table has columns of numbers; "
                    "leave the format out of its formula.",
                    fmt::arg("name", result), fmt::arg("format", format_name(value->format))));
  }
  if (value->is_boolean) type->element = ElementType::boolean;
  return *type;
}

void Evaluation::check_results() const {
  for (const std::size_t output : formulas_.outputs) {
    static_cast<void>(type_of(formulas_.formulas[output].expression.output()));
  }
  if (!formulas_.where) return;
  const Expression& where = formulas_.formulas[*formulas_.where].expression;
  const NumberType type = type_of(where.output());
  if (type == NumberType{.element = ElementType::boolean}) return;
  throw UsageError(fmt::format(
      "\"{where}\" gives {format} for each row; --where needs one true or false, such as "
      "\"x > 0\".",
      fmt::arg("where", where.text()),
      fmt::arg("format", type.element == ElementType::boolean ? fmt::format("{} of bool", type.lane_count)
                                                              : std::string(format_name(data::format_of(type))))));
}

Results Evaluation::run(Device& device, const SourceBatch& batch, std::uint64_t table_row_count) const {
  std::vector<Vector> vectors;
  vectors.reserve(batch.columns.size() + 1);
  Bindings bindings;
  for (std::size_t index = 0; index < batch.columns.size(); ++index) {
    vectors.push_back(upload(device, batch.columns[index]));
    bindings.inputs.set(column_inputs_[index], vectors.back());
  }
  for (std::size_t index = 0; index < scalar_inputs_.size(); ++index) {
    bindings.inputs.set(scalar_inputs_[index], scalar_value(formulas_.scalars[index]));
  }
  if (formulas_.reads_row) {
    vectors.push_back(device.upload(Format::uint32, batch.row_numbers));
    bindings.inputs.set("row", vectors.back());
  }
  if (formulas_.reads_rows) bindings.inputs.set("rows", table_row_count);
  return graph_.run(bindings);
}

data::Validity Evaluation::rows_to_keep(const Results& results, const SourceBatch& batch) const {
  data::Validity kept(batch.row_count);
  if (!formulas_.where) return kept;
  const ResolvedFormula& where = formulas_.formulas[*formulas_.where];
  for (const std::size_t column : where.columns) kept.intersect(batch.columns[column].validity);
  const std::vector<std::uint32_t> conditions =
      results[where.expression.output()].read<std::uint32_t>({.deadline = kDeadline});
  for (std::size_t row = 0; row < batch.row_count; ++row) {
    if (conditions[where.has_rows ? row : 0] == 0) kept.set_missing(row);
  }
  return kept;
}

ResultBatch Evaluation::read_rows(const Results& results, const SourceBatch& batch) const {
  const data::Validity kept_rows = rows_to_keep(results, batch);
  arrow::FieldVector fields;
  arrow::ArrayVector arrays;
  if (batch.kept != nullptr) {
    const std::shared_ptr<arrow::RecordBatch> kept = keep_rows(batch.kept, kept_rows);
    fields = kept->schema()->fields();
    arrays = kept->columns();
  }
  ResultBatch result;
  for (const std::size_t output : formulas_.outputs) {
    const ResolvedFormula& formula = formulas_.formulas[output];
    if (!formula.has_rows) continue;
    const std::string& name = formula.expression.output();
    const std::shared_ptr<arrow::Array> column = read_column(results, formula, batch, kept_rows);
    const auto named =
        std::find_if(fields.begin(), fields.end(), [&](const auto& field) { return field->name() == name; });
    const auto place = static_cast<std::size_t>(named - fields.begin());
    result.results.push_back(static_cast<int>(place));
    fields.resize(std::max(fields.size(), place + 1));
    arrays.resize(fields.size());
    fields[place] = arrow::field(name, column->type());
    arrays[place] = column;
  }
  const auto row_count = static_cast<std::int64_t>(batch.row_count - kept_rows.missing_count());
  result.rows = arrow::RecordBatch::Make(arrow::schema(std::move(fields)), row_count, std::move(arrays));
  return result;
}

std::shared_ptr<arrow::Array> Evaluation::read_column(const Results& results, const ResolvedFormula& formula,
                                                      const SourceBatch& batch, const data::Validity& kept) const {
  data::Validity has_value(batch.row_count);
  for (const std::size_t column : formula.columns) has_value.intersect(batch.columns[column].validity);
  const std::string& name = formula.expression.output();
  const NumberType type = type_of(name);
  const VectorView rows = results[name];
  switch (type.element) {
    case ElementType::float32:
      return read_lanes<float>(rows, name, type, has_value, kept);
    case ElementType::sint32:
      return read_lanes<std::int32_t>(rows, name, type, has_value, kept);
    case ElementType::uint32:
    case ElementType::boolean:
      break;
  }
  return read_lanes<std::uint32_t>(rows, name, type, has_value, kept);
}

template <class Lane>
std::shared_ptr<arrow::Array> Evaluation::read_lanes(const VectorView& rows, const std::string& name, NumberType type,
                                                     const data::Validity& has_value,
                                                     const data::Validity& kept) const {
  std::vector<Lane> lanes = rows.read<Lane>({.deadline = kDeadline});
  data::Validity validity = has_value;
  if (!kept.is_complete()) {
    keep_rows(lanes, type.lane_count, kept);
    validity.keep(kept);
  }
  if (options_.missing == MissingValues::nan && validity.missing_count() != 0) {
    if constexpr (std::is_same_v<Lane, float>) {
      for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
        if (!validity.has_value(lane / type.lane_count)) lanes[lane] = std::numeric_limits<float>::quiet_NaN();
      }
      validity = data::Validity(validity.row_count());
    } else {
      throw UsageError(
          fmt::format("--nulls nan cannot mark what is missing in \"{name}\", whose rows are {what}: only "
                      "float32 has NaN. Make it f32(...), or use --nulls propagate.",
                      fmt::arg("name", name),
                      fmt::arg("what", type.element == ElementType::boolean ? "true and false" : "integers")));
    }
  }
  const data::Validity lane_validity = type.lane_count == 1 ? validity : data::Validity(lanes.size());
  std::shared_ptr<arrow::Array> array = type.element == ElementType::boolean
                                            ? data::booleans_of(lanes, lane_validity)
                                            : data::array_of(std::move(lanes), lane_validity);
  return type.lane_count == 1 ? array : as_rows(std::move(array), type.lane_count, validity);
}

std::vector<ScalarResult> Evaluation::read_scalars(const Results& results) const {
  std::vector<ScalarResult> scalars;
  const SourceBatch one_row = {.row_count = 1};
  for (const std::size_t output : formulas_.outputs) {
    const ResolvedFormula& formula = formulas_.formulas[output];
    if (formula.has_rows) continue;
    scalars.push_back(
        {.name = formula.expression.output(), .value = read_column(results, formula, one_row, data::Validity(1))});
  }
  return scalars;
}

CompileReport report_formulas(Device& device, const ResolvedFormulas& formulas, IntegerDivision integer_division) {
  std::vector<NumberType> types;
  for (const ResolvedColumn& column : formulas.columns) types.push_back(*column.wanted);
  return compile(device, formulas, types, column_inputs(formulas, types), scalar_inputs(formulas), integer_division)
      .report();
}

}  // namespace millrace::tool
