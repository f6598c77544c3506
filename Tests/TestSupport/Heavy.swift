import Foundation
package import Testing

extension Trait where Self == ConditionTrait {
  /// A trait of a suite or test that needs seconds of processor time, and that `make test-fast`
  /// leaves out.
  ///
  /// Heavy tests run programs until a number of kills or crash states is reached, or check
  /// thousands of generated cases.
  package static var heavy: ConditionTrait {
    .disabled(
      if: ProcessInfo.processInfo.environment["UNDERCROFT_TESTS"] == "fast",
      "a heavy test, which make test-fast leaves out")
  }
}
