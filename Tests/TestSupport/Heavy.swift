import Foundation
package import Testing

extension Trait where Self == ConditionTrait {
  /// The suite or test takes seconds of processor time, and `make test-fast` leaves it out.
  ///
  /// Heavy tests run programs until a number of kills or crash states is reached, or check
  /// thousands of generated cases.
  package static var heavy: ConditionTrait {
    .disabled(
      if: ProcessInfo.processInfo.environment["UNDERCROFT_TESTS"] == "fast",
      "a heavy test, which make test-fast leaves out")
  }
}
