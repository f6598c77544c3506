public import UndercroftCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The form of the file at rest that a checkpoint writes whole.
public protocol SnapshotFormat: Sendable {
  /// The short name of stores of this form, used in error messages and addresses.
  var name: String { get }

  /// Whether a store should be checkpointed when it is closed, so that other tools find every value in the file.
  var isForOtherTools: Bool { get }

  /// Says whether a file that begins with these bytes, sixteen if there are so many, has this form.
  func recognises(_ start: [UInt8]) -> Bool

  /// Reads all values of the snapshot at `path`, by name, or returns `nil` where there is no file.
  ///
  /// - Throws: ``StorageError/Code/corrupted`` when any of them is damaged: what is found later would be found too late.
  func read(_ path: String) throws(StorageError) -> [ExactString: Data]?

  /// Writes all values to the file at `path`, which exists and is empty.
  func write(_ values: [ExactString: Data], to path: String) throws(StorageError)
}
