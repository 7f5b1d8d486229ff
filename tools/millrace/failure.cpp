// Faults in formulas are the command line's; what the files or the device refuse is failed work.
#include "tools/millrace/failure.hpp"

#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <system_error>

#include <millrace/error.hpp>

#include "src/data/data_error.hpp"
#include "tools/millrace/usage_error.hpp"

namespace millrace::tool {

namespace {

ExitCode report(ExitCode code, const std::string& message) {
  std::fputs(("millrace: " + message + "\n").c_str(), stderr);
  return code;
}

}  // namespace

ExitCode report_failure() {
  try {
    throw;
  } catch (const UsageError& error) {
    return report(wrong_command_line, error.what());
  } catch (const ExpressionError& error) {
    return report(wrong_command_line, error.what());
  } catch (const GraphError& error) {
    return report(wrong_command_line, error.what());
  } catch (const InternalError& error) {
    return report(work_failed, std::string("This is a bug of millrace; please report it: ") + error.what());
  } catch (const Error& error) {
    return report(work_failed, error.what());
  } catch (const data::DataError& error) {
    const bool is_mistyped =
        error.code() == data::DataErrorCode::unknown_ending || error.code() == data::DataErrorCode::has_own_names;
    return report(is_mistyped ? wrong_command_line : work_failed, error.what());
  } catch (const std::system_error& error) {  // of fmt::print and of the last flush; files have errors of their own
    return report(work_failed, "Standard output cannot be written: " + error.code().message() + ".");
  } catch (const std::bad_alloc&) {
    return report(work_failed, "There is not enough memory; a smaller --batch-rows needs less.");
  } catch (const std::exception& error) {
    return report(work_failed, std::string("This is a bug of millrace; please report it: ") + error.what());
  }
}

}  // namespace millrace::tool
