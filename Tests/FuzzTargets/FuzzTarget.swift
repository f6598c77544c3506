public import Foundation

/// A parser of untrusted bytes, with a function that calls the parser for any input.
public struct FuzzTarget: Sendable {
  /// The name of the target, and of the folder with its saved corpus.
  public let name: String
  /// A closure that returns valid inputs, with which fuzzing starts.
  public let seeds: @Sendable () throws -> [Data]
  /// A closure that parses one input.
  ///
  /// A typed error of the library is a valid result. A trap, a hang or a ``FuzzFailure`` is a
  /// defect.
  public let run: @Sendable (Data) throws -> Void

  init(
    _ name: String, seeds: @escaping @Sendable () throws -> [Data],
    run: @escaping @Sendable (Data) throws -> Void
  ) {
    (self.name, self.seeds, self.run) = (name, seeds, run)
  }

  /// All targets, in the order in which they run.
  public static let all: [FuzzTarget] = [
    journal, sortedSnapshot, vault, encryptedEntry, singleFile, batchRecord, manifest,
    propertyList, migrationRecord, sqlScript, createTable, packageStatus,
  ]
}

/// The error for an input that reveals a violated guarantee.
public struct FuzzFailure: Error, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
