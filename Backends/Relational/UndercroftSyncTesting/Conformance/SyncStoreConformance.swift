public import UndercroftSync
import UndercroftTesting

/// A check of one guarantee that every `SyncServerStore` must fulfil.
///
/// The checks do not depend on a test library. With Swift Testing, run them as the arguments of a
/// test, each with a new and empty store:
///
/// ```swift
/// @Test(arguments: SyncStoreConformance.checks)
/// func `the store passes each conformance check`(check: SyncStoreConformance) throws {
///   try check.run(on: MyStore())
/// }
/// ```
public struct SyncStoreConformance: Sendable, Identifiable, CustomStringConvertible {
  /// The guarantee as a sentence, such as "a transaction sees its own changes".
  public let description: String
  private let body: @Sendable (any SyncServerStore) throws -> Void

  init(_ description: String, _ body: @escaping @Sendable (any SyncServerStore) throws -> Void) {
    self.description = description
    self.body = body
  }

  public var id: String { description }

  /// All checks: of stored values, lists, removals, transactions, announced reads, and threads that
  /// use a store at the same time.
  public static let checks = values + lists + removals + transactions + prefetching + crowds

  /// Runs the check on a store that must be empty.
  ///
  /// - Throws: `ConformanceFailure` if the store violates the guarantee or throws an error.
  public func run(on store: any SyncServerStore) throws {
    do {
      try body(store)
    } catch var failure as ConformanceFailure {
      failure.check = description
      throw failure
    } catch {
      throw ConformanceFailure("the store threw an error: \(error)", check: description)
    }
  }

  static let scope: ScopeIdentifier = "library"

  /// Throws if two values differ.
  static func expect<Value: Equatable>(
    _ value: Value, _ expected: Value, _ object: String = "the result"
  ) throws {
    guard value != expected else { return }
    throw ConformanceFailure("\(object) is \(value) instead of \(expected)")
  }
}
