// The file format cannot replace a dictionary, only add to it, so the dictionaries of all batches are made one.
#include "src/data/arrow_ipc_writer.hpp"

#include <map>
#include <utility>

#include <arrow/array.h>
#include <arrow/array/array_dict.h>
#include <arrow/io/interfaces.h>
#include <arrow/ipc/options.h>
#include <arrow/ipc/writer.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>

#include "src/data/arrow_status.hpp"

namespace millrace::data {

namespace {

// The dictionary of one column over all batches.
class GrowingDictionary {
 public:
  GrowingDictionary(const std::shared_ptr<arrow::DataType>& type, const std::string& path)
      : type_(type), path_(path), unifier_(checked(arrow::DictionaryUnifier::Make(value_type()))) {}

  // The same rows, with the dictionary so far and what theirs has more.
  [[nodiscard]] std::shared_ptr<arrow::Array> add(const arrow::Array& rows) {
    const auto& coded = static_cast<const arrow::DictionaryArray&>(rows);
    std::shared_ptr<arrow::Buffer> places;
    check(unifier_->Unify(*coded.dictionary(), &places), DataErrorCode::unwritable_file, path_);
    const auto& type = static_cast<const arrow::DictionaryType&>(*type_);
    std::shared_ptr<arrow::Array> all;
    check(unifier_->GetResultWithIndexType(type.index_type(), &all), DataErrorCode::unwritable_file, path_);
    const auto* const transposed = reinterpret_cast<const std::int32_t*>(places->data());
    return checked(coded.Transpose(type_, all, transposed));
  }

 private:
  [[nodiscard]] std::shared_ptr<arrow::DataType> value_type() const {
    return static_cast<const arrow::DictionaryType&>(*type_).value_type();
  }
  template <class Value>
  [[nodiscard]] Value checked(arrow::Result<Value> result) const {
    return value_of(std::move(result), DataErrorCode::unwritable_file, path_);
  }

  std::shared_ptr<arrow::DataType> type_;
  const std::string& path_;
  std::unique_ptr<arrow::DictionaryUnifier> unifier_;
};

class ArrowWriter final : public TableWriter {
 public:
  ArrowWriter(std::shared_ptr<arrow::io::OutputStream> stream, std::string path, bool is_stream)
      : path_(std::move(path)), stream_(std::move(stream)), is_stream_(is_stream) {}

  void write(const arrow::RecordBatch& rows) override {
    if (writer_ == nullptr) open_table(rows.schema());
    if (is_stream_ || dictionaries_.empty()) {
      check(writer_->WriteRecordBatch(rows), DataErrorCode::unwritable_file, path_);
      return;
    }
    arrow::ArrayVector columns = rows.columns();
    for (auto& [column, dictionary] : dictionaries_) columns[column] = dictionary.add(*columns[column]);
    check(writer_->WriteRecordBatch(*arrow::RecordBatch::Make(rows.schema(), rows.num_rows(), std::move(columns))),
          DataErrorCode::unwritable_file, path_);
  }

  void finish() override {
    if (writer_ != nullptr) check(writer_->Close(), DataErrorCode::unwritable_file, path_);
  }

 private:
  void open_table(const std::shared_ptr<arrow::Schema>& schema) {
    arrow::ipc::IpcWriteOptions options;
    options.emit_dictionary_deltas = true;
    for (int column = 0; column < schema->num_fields(); ++column) {
      const std::shared_ptr<arrow::DataType>& type = schema->field(column)->type();
      if (type->id() != arrow::Type::DICTIONARY) continue;
      dictionaries_.emplace(static_cast<std::size_t>(column), GrowingDictionary(type, path_));
    }
    writer_ = value_of(is_stream_ ? arrow::ipc::MakeStreamWriter(stream_, schema, options)
                                  : arrow::ipc::MakeFileWriter(stream_, schema, options),
                       DataErrorCode::unwritable_file, path_);
  }

  std::string path_;
  std::shared_ptr<arrow::io::OutputStream> stream_;
  bool is_stream_;
  std::map<std::size_t, GrowingDictionary> dictionaries_;  // by column
  std::shared_ptr<arrow::ipc::RecordBatchWriter> writer_;  // from the first rows on
};

}  // namespace

std::unique_ptr<TableWriter> create_arrow_file(std::shared_ptr<arrow::io::OutputStream> stream,
                                               const std::string& path) {
  return std::make_unique<ArrowWriter>(std::move(stream), path, false);
}

std::unique_ptr<TableWriter> create_arrow_stream(std::shared_ptr<arrow::io::OutputStream> stream,
                                                 const std::string& path) {
  return std::make_unique<ArrowWriter>(std::move(stream), path, true);
}

}  // namespace millrace::data
