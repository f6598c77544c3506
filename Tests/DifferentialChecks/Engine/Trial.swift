package import UndercroftCore

/// One case while it is generated and run: its choices, what was compared, and what was done.
package final class Trial {
  package let choices: Choices
  /// How many results were compared so far.
  package private(set) var checkCount = 0
  /// What was done, in order; empty unless the trial is recorded.
  package private(set) var steps: [String] = []
  private let isRecorded: Bool

  package init(_ choices: Choices, isRecorded: Bool = false) {
    (self.choices, self.isRecorded) = (choices, isRecorded)
  }

  /// Notes a step for the report of a failure.
  package func note(_ step: @autoclosure () -> String) {
    if isRecorded { steps.append(step()) }
  }

  /// Compares two results.
  package func expect<Value: Equatable>(
    _ label: String, _ actual: Value, _ expected: Value
  ) throws(Difference) {
    checkCount += 1
    if actual == expected { return }
    throw Difference(label, actual: "\(actual)", expected: "\(expected)")
  }

  /// Compares what the library returns with what the model does; an error is a difference.
  package func check<Value: Equatable>(
    _ label: String, _ expected: Value, _ body: () throws -> Value
  ) throws(Difference) {
    try expect(label, try run(label, body), expected)
  }

  /// Returns what the library returns; an error is a difference.
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

  /// Compares whether the library refuses a call, and with which code.
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

  /// The code of an error of the library, also of one that names the element it concerns.
  package static func code(of error: any Error) -> StorageError.Code? {
    (error as? StorageError)?.code
  }
}
