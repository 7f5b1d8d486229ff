// What the tool writes about itself: the manual page, as groff reads it, and the completion of shells, as bash runs it.
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tool/tool_run.hpp"
#include "tools/millrace/manual_page.hpp"
#include "tools/millrace/option_shape.hpp"
#include "tools/millrace/shell_completion.hpp"

namespace millrace::tool {
namespace {

using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::UnorderedElementsAre;
using ::testing::UnorderedElementsAreArray;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// The long options that --help lists for a command, or for the tool itself.
std::vector<std::string> listed_options(const TemporaryFolder& folder, const std::string& command) {
  return lines_of(
      run_shell(folder, "\"$MILLRACE\" " + command + " --help | grep -oE '^ +(-[a-z],)?--[a-z-]+' | grep -oE -- '--.*'")
          .output);
}

std::vector<std::string> listed_commands(const TemporaryFolder& folder) {
  return lines_of(
      run_shell(folder, "\"$MILLRACE\" --help | sed -n '/^Subcommands:/,/^$/p' | grep -oE '^  [a-z-]+' | tr -d ' '")
          .output);
}

// The part of the text behind `begin`, up to `end`.
std::string section(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t at = text.find(begin);
  if (at == std::string::npos) return {};
  const std::size_t first = at + begin.size();
  return text.substr(first, text.find(end, first) - first);
}

// What bash offers for the last of the words.
std::vector<std::string> offered(const TemporaryFolder& folder, const std::vector<std::string>& words) {
  std::string typed;
  for (const std::string& word : words) typed += " '" + word + "'";
  const Ended ended =
      run_shell(folder,
                "bash --norc -c 'source <(\"$MILLRACE\" completion bash); complete -p millrace >&2; "
                "compopt() { echo \"compopt $*\"; }; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _millrace; "
                "printf \"%s\\n\" \"${COMPREPLY[@]}\"' _ millrace" +
                    typed);
  EXPECT_EQ(ended.errors, "complete -F _millrace millrace\n");
  std::vector<std::string> lines = lines_of(ended.output);
  std::erase(lines, "");
  return lines;
}

// A command line with what the tool's own may not have: every character that roff or a shell takes for something else.
struct AwkwardApp {
  AwkwardApp() {
    app.set_version_flag("--version", "awkward 1.2");
    CLI::App* const work = app.add_subcommand("work", "Works: it's [quick]");
    work->footer("Example:\n  awkward work '\\d' -n 1\n\n.hidden is shown.\nAnd so is this.\n");
    work->add_option("GRAPH.yaml", graph, "What to run");
    work->add_option("-n,--number", number, ".5 or 'half', \\ or more\nthan one line")->type_name("N");
    work->add_option("--missing", missing, "\xCF\x80: what [it] is")->type_name("drop|error|NUMBER");
    work->add_option("--hidden", missing, "Not for users")->group("");
    app.add_subcommand("secret", "Not for users")->group("");
  }

  std::string graph;
  int number = 0;
  std::string missing;
  CLI::App app{"Does awkward things.", "awkward"};
};

// An option that is new would be missing in the page, or in a shell.
TEST(Manual, HasEveryOptionOfEveryCommand) {
  const TemporaryFolder folder;
  const std::vector<std::string> commands = listed_commands(folder);
  ASSERT_THAT(commands, IsSupersetOf({"eval", "devices", "manual", "completion"}));
  const std::string page = run_shell(folder, "\"$MILLRACE\" manual | groff -man -Tascii -P-bcou").output;
  const std::string zsh = run_tool(folder, {"completion", "zsh"}).output;
  const std::string fish = run_tool(folder, {"completion", "fish"}).output;
  EXPECT_THAT(offered(folder, {""}), IsSupersetOf(commands));
  for (const std::string& command : commands) {
    EXPECT_THAT(zsh, HasSubstr("'" + command + ":")) << command;
    EXPECT_THAT(fish, HasSubstr("-a " + command + " -d")) << command;
    const std::vector<std::string> options = listed_options(folder, command);
    ASSERT_THAT(options, Contains("--help")) << command;
    EXPECT_THAT(offered(folder, {command, "--"}), UnorderedElementsAreArray(options)) << command;
    const std::string in_page = section(page, "\n   millrace " + command + "\n", "\n   millrace ");
    const std::string in_zsh = section(zsh, "\n        " + command + ")\n", ";;");
    for (const std::string& option : options) {
      // The page says once that each command has --help.
      EXPECT_THAT(option == "--help" ? page : in_page, HasSubstr(" " + option)) << command;
      EXPECT_THAT(in_zsh, AnyOf(HasSubstr("'" + option), HasSubstr("'*" + option))) << command;  // *: repeatable
      EXPECT_THAT(fish, HasSubstr("'__fish_seen_subcommand_from " + command + "' -l " + option.substr(2) + " "))
          << command;
    }
  }
}

// man would show the page with gaps, or complain.
TEST(Manual, IsRoffWithoutWarnings) {
  const TemporaryFolder folder;
  const Ended ended =
      run_shell(folder, "\"$MILLRACE\" manual > page && groff -ww -man -Tascii -z page && grep '^.SH' page");
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.errors, "");
  EXPECT_THAT(lines_of(ended.output), ElementsAre(".SH NAME", ".SH SYNOPSIS", ".SH DESCRIPTION", ".SH COMMANDS",
                                                  ".SH OPTIONS", ".SH EXAMPLES", ".SH EXIT STATUS", ".SH ENVIRONMENT"));
}

// A line of the page would be lost as a request that roff does not know, or a command copied from it would not run.
TEST(Manual, ShowsWhatIsAwkwardInRoff) {
  const TemporaryFolder folder;
  const AwkwardApp awkward;
  folder.write("page", manual_page(awkward.app));
  const Ended ended = run_shell(folder, "groff -ww -man -Tutf8 -P-bcou page");
  EXPECT_EQ(ended.errors, "");
  for (const char* line : {
           "       awkward - does awkward things",
           "       awkward work GRAPH.yaml [OPTION ...]",
           "       Works: it's [quick].",
           "       -n, --number N",
           "              .5 or 'half', \\ or more than one line.",
           "       --missing drop|error|NUMBER",
           "              \xCF\x80: what [it] is.",
           "         awkward work '\\d' -n 1",
           "       .hidden is shown.",
           "       And so is this.",
       }) {
    EXPECT_THAT(lines_of(ended.output), Contains(line)) << ended.output;
  }
  EXPECT_THAT(ended.output, HasSubstr("awkward 1.2"));
  EXPECT_THAT(ended.output, Not(HasSubstr("--hidden")));
  EXPECT_THAT(ended.output, Not(HasSubstr("secret")));
  EXPECT_THAT(ended.output, Not(HasSubstr("Example:")));
}

// A line would begin with a request, or a backslash would start an escape.
TEST(Manual, EscapesText) {
  EXPECT_EQ(escape_roff("plain"), "plain");
  EXPECT_EQ(escape_roff(".so /etc/passwd"), "\\&.so /etc/passwd");
  EXPECT_EQ(escape_roff("'br"), "\\&\\(aqbr");
  EXPECT_EQ(escape_roff("a\\b--c"), "a\\(rsb\\-\\-c");
  EXPECT_EQ(escape_roff("~`^\""), "\\(ti\\(ga\\(ha\\(dq");
  EXPECT_EQ(escape_roff("\xC2\xB5\xE2\x89\xA4\xF0\x9F\x98\x80"), "\\[u00B5]\\[u2264]\\[u1F600]");
}

// Tab would offer nothing, or what the tool then refuses.
TEST(Completion, OffersWordsInBash) {
  const TemporaryFolder folder;
  EXPECT_THAT(offered(folder, {"ev"}), ElementsAre("eval"));
  EXPECT_THAT(offered(folder, {"--v"}), ElementsAre("--version"));
  EXPECT_THAT(offered(folder, {"eval", "--integer-division", ""}), UnorderedElementsAre("refuse", "truncate"));
  EXPECT_THAT(offered(folder, {"eval", "y = x", "--nulls", "pro"}), ElementsAre("propagate"));
  EXPECT_THAT(offered(folder, {"eval", "--nulls", "="}), IsSupersetOf({"propagate", "nan"}));
  EXPECT_THAT(offered(folder, {"eval", "--nulls", "=", "na"}), ElementsAre("nan"));
  EXPECT_THAT(offered(folder, {"eval", "--qu"}), ElementsAre("--quiet"));
  EXPECT_THAT(offered(folder, {"completion", ""}), UnorderedElementsAre("bash", "zsh", "fish"));
  EXPECT_THAT(offered(folder, {"completion", "--h"}), ElementsAre("--help"));
}

// Tab after --input would name no files, or after --batch-rows some.
TEST(Completion, LeavesFilesToReadlineInBash) {
  const TemporaryFolder folder;
  EXPECT_THAT(offered(folder, {"eval", "--input", ""}), ElementsAre("compopt -o default"));
  EXPECT_THAT(offered(folder, {"eval", "--output", "=", "a"}), ElementsAre("compopt -o default"));
  EXPECT_THAT(offered(folder, {"eval", "--batch-rows", ""}), IsEmpty());
  EXPECT_THAT(offered(folder, {"eval", "--device", ""}), IsEmpty());
}

// A description with a quote in it would end the script in the middle.
TEST(Completion, QuotesWhatIsAwkwardForShells) {
  const AwkwardApp awkward;
  const std::string zsh = shell_completion(awkward.app, Shell::zsh);
  EXPECT_THAT(zsh, HasSubstr("\n        'work:Works\\: it'\\''s [quick]'\n"));
  EXPECT_THAT(zsh, HasSubstr("\n            '--number=[.5 or '\\''half'\\'', \\\\ or more than one line]:N: '"));
  EXPECT_THAT(zsh, HasSubstr("\n            '-n+[.5 or '\\''half'\\'', \\\\ or more than one line]:N: '"));
  EXPECT_THAT(zsh,
              HasSubstr("\n            '--missing=[\xCF\x80\\: what \\[it\\] is]:drop|error|NUMBER:(drop error)'"));
  EXPECT_THAT(zsh, HasSubstr("\n            ':GRAPH.yaml:_files'"));
  const std::string fish = shell_completion(awkward.app, Shell::fish);
  const std::string at_work = "\ncomplete -c awkward -n '__fish_seen_subcommand_from work' ";
  EXPECT_THAT(fish, HasSubstr("\ncomplete -c awkward -n __fish_use_subcommand -a work -d 'Works: it\\'s [quick]'\n"));
  EXPECT_THAT(fish, HasSubstr(at_work + "-l number -s n -x -d '.5 or \\'half\\', \\\\ or more than one line'\n"));
  EXPECT_THAT(fish, HasSubstr(at_work + "-l missing -x -a 'drop error' -d '\xCF\x80: what [it] is'\n"));
  EXPECT_THAT(fish, HasSubstr(at_work + "-F -d 'What to run'\n"));
  for (const Shell shell : {Shell::bash, Shell::zsh, Shell::fish}) {
    EXPECT_THAT(shell_completion(awkward.app, shell), Not(HasSubstr("hidden")));
    EXPECT_THAT(shell_completion(awkward.app, shell), Not(HasSubstr("secret")));
  }
  EXPECT_THAT(shell_completion(awkward.app, Shell::bash), HasSubstr("        --number | -n) : ;;\n"));
  EXPECT_THAT(shell_completion(awkward.app, Shell::bash),
              HasSubstr("        --missing) _awkward_words drop error ;;\n"));
}

// Who mistypes a shell would install an empty file.
TEST(Completion, RefusesOtherShells) {
  const TemporaryFolder folder;
  expect_refusal(folder, {"completion"}, 2, "completion needs the name of a shell: bash, zsh or fish.");
  expect_refusal(folder, {"completion", "tcsh"}, 2, "completion is asked for \"tcsh\"; it can be bash, zsh or fish.");
  expect_refusal(folder, {"completion", "bash", "zsh"}, 2,
                 "`millrace completion` knows no \"zsh\"; `millrace completion --help` says what there is.");
  expect_refusal(folder, {"manual", "eval"}, 2,
                 "`millrace manual` knows no \"eval\"; `millrace manual --help` says what there is.");
}

// A page cut off by a full disk would be taken for a whole one.
TEST(Manual, ReportsWhatCannotBeWritten) {
  const TemporaryFolder folder;
  for (const char* command : {"manual", "completion bash", "--help", "eval --help", "--version", "devices"}) {
    const Ended ended = run_shell(folder, std::string("\"$MILLRACE\" ") + command + " > /dev/full");
    EXPECT_EQ(ended.exit_code, 1) << command;
    EXPECT_EQ(ended.errors, "millrace: Standard output cannot be written: No space left on device.\n") << command;
  }
}

}  // namespace
}  // namespace millrace::tool
