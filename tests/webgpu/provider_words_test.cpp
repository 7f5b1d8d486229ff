// The words of providers, as they were met, and what is taken from them.
#include <gtest/gtest.h>

#include "src/webgpu/provider_words.hpp"

namespace millrace::webgpu {
namespace {

// A user sees wgpu-native's reason and the place, not its frame of source lines.
TEST(ProviderWords, NagaParsingError) {
  const WgslFault fault = find_wgsl_fault(
      "Validation Error\n\nCaused by:\n  In wgpuDeviceCreateShaderModule, label = 'raw'\n    \n"
      "Shader 'raw' parsing error: no definition in scope for identifier: `foo`\n"
      "  \u250c\u2500 wgsl:2:11\n  \u2502\n2 \u2502   let x = foo(1);\n  \u2502           ^^^ unknown identifier\n\n\n",
      "fn f() {\n  let x = foo(1);\n}");
  EXPECT_EQ(fault.reason, "no definition in scope for identifier: `foo`");
  EXPECT_EQ(fault.line, 2u);
  EXPECT_EQ(fault.column, 11u);
  EXPECT_EQ(fault.line_text, "  let x = foo(1);");
}

// naga gives the cause of an invalid function apart, and twice; the user reads it once.
TEST(ProviderWords, NagaValidationErrorKeepsItsCause) {
  const WgslFault fault = find_wgsl_fault(
      "Validation Error\n\nCaused by:\n  In wgpuDeviceCreateShaderModule, label = 'raw'\n    \n"
      "Shader validation error: Function [0] 'f' is invalid\n  \u250c\u2500 raw:1:1\n  \u2502\n"
      "1 \u2502 fn f() -> u32 { return 1.5f; }\n  \u2502 ^^^\n  \u2502\n  = The `return` expression does not "
      "match\n\n\n"
      "      The `return` expression does not match\n",
      "fn f() -> u32 { return 1.5f; }");
  EXPECT_EQ(fault.reason, "Function [0] 'f' is invalid: The `return` expression does not match");
  EXPECT_EQ(fault.line, 1u);
  EXPECT_EQ(fault.column, 1u);
}

// Dawn's reason is its first line; what it was doing at the time is left out.
TEST(ProviderWords, TintError) {
  const WgslFault fault = find_wgsl_fault(
      "Error while parsing WGSL: :2:11 error: unresolved call target 'foo'\n  let x = foo(1);\n          ^^^\n\n\n"
      " - While calling [Device].CreateShaderModule([ShaderModuleDescriptor \"\"raw\"\"]).\n",
      "fn f() {\n  let x = foo(1);\n}");
  EXPECT_EQ(fault.reason, "unresolved call target 'foo'");
  EXPECT_EQ(fault.line, 2u);
  EXPECT_EQ(fault.column, 11u);
  EXPECT_EQ(fault.line_text, "  let x = foo(1);");
}

// Tint counts columns in bytes; a caret under a line with an umlaut would stand one to the right.
TEST(ProviderWords, TintColumnsAreCountedInCharacters) {
  const WgslFault fault = find_wgsl_fault(
      "Error while parsing WGSL: :1:15 error: unable to parse right side of + expression\n"
      "const \u00e4 = 1 +;\n              ^\n\n - While calling [Device].CreateShaderModule(...).\n",
      "const \u00e4 = 1 +;");
  EXPECT_EQ(fault.column, 14u);
}

// Errors without a place in the shader keep their reason on one line.
TEST(ProviderWords, ErrorsWithoutAPlace) {
  const WgslFault native = find_wgsl_fault(
      "Validation Error\n\nCaused by:\n  In wgpuDeviceCreateComputePipeline, label = 'bad'\n"
      "    Error matching shader requirements against the pipeline\n      Unable to find entry point 'main'\n",
      "fn f() {}");
  EXPECT_EQ(native.reason,
            "Error matching shader requirements against the pipeline: Unable to find entry point 'main'");
  EXPECT_EQ(native.line, 0u);
  EXPECT_EQ(reason_in("Binding size for [Buffer \"b\"] is zero.\n - While validating entries[0] as a Buffer.\n"),
            "Binding size for [Buffer \"b\"] is zero.");
}

// Words of a shape nobody knows come through whole.
TEST(ProviderWords, UnknownWordsComeThroughWhole) {
  EXPECT_EQ(reason_in("  something: 12:7\nmore\n"), "something: 12:7\nmore");
  EXPECT_EQ(find_wgsl_fault("something: 12:7", "fn f() {}").line, 0u);
  EXPECT_EQ(reason_in(""), "");
}

}  // namespace
}  // namespace millrace::webgpu
