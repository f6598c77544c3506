public import Foundation

/// A parser of bytes from outside, made callable with any bytes.
public struct FuzzTarget: Sendable {
  /// The name, which is also that of the folder with the saved corpus.
  public let name: String
  /// Valid inputs with which fuzzing begins.
  public let seeds: @Sendable () throws -> [Data]
  /// Parses one input.
  ///
  /// A typed error of the library is a right answer. A trap, a hang and a ``FuzzFailure`` are defects.
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

/// A broken promise that an input has shown.
public struct FuzzFailure: Error, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
