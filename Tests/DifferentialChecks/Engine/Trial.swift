package import UndercroftCore

/// A case that is being generated and run, with its choices, its steps and the number of its
/// checks.
package final class Trial {
  package let choices: Choices
  /// The number of results that were compared so far.
  package private(set) var checkCount = 0
  /// The steps in their order, or no steps if the trial is not recorded.
  package private(set) var steps: [String] = []
  private let isRecorded: Bool

  package init(_ choices: Choices, isRecorded: Bool = false) {
    (self.choices, self.isRecorded) = (choices, isRecorded)
  }

  /// Adds a step for the report of a failure.
  package func note(_ step: @autoclosure () -> String) {
    if isRecorded { steps.append(step()) }
  }

  /// Compares two results and throws if they differ.
  package func expect<Value: Equatable>(
    _ label: String, _ actual: Value, _ expected: Value
  ) throws(Difference) {
    checkCount += 1
    if actual == expected { return }
    throw Difference(label, actual: "\(actual)", expected: "\(expected)")
  }

  /// Compares a result of the library with the result of the model.
  ///
  /// An error is a difference.
  package func check<Value: Equatable>(
    _ label: String, _ expected: Value, _ body: () throws -> Value
  ) throws(Difference) {
    try expect(label, try run(label, body), expected)
  }

  /// Returns the result of the library.
  ///
  /// An error is a difference.
  @discardableResult
  package func run<Value>(
    _ label: String, _ body: () throws -> Value
  ) throws(Difference) -> Value {
    do {
      return try body()
    } catch let difference as Difference {
      throw difference
    } catch {
      throw Difference(label, actual: "error: \(error)", expected: "no error")
    }
  }

  /// Checks that the library throws an error with this code.
  package func checkRefusal(
    _ label: String, _ code: StorageError.Code, _ body: () throws -> Void
  ) throws(Difference) {
    checkCount += 1
    do {
      try body()
    } catch {
      let found = Self.code(of: error)
      if found == code { return }
      throw Difference(label, actual: "error: \(error)", expected: "an error of \(code)")
    }
    throw Difference(label, actual: "no error", expected: "an error of \(code)")
  }

  /// Returns the code of an error that the library threw, also of an error that names an element of
  /// a batch.
  package static func code(of error: any Error) -> StorageError.Code? {
    (error as? StorageError)?.code
  }
}
