#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A store that can be looked at without being changed: all that the inspector knows of a backend.
///
/// An inspectable opened by a ``StoreOpener`` changes not one byte on disk, not even a time stamp of a folder.
public protocol Inspectable: Sendable {
  /// Returns what can be told of the store as a whole.
  func inspect() throws(StorageError) -> InspectionReport

  /// Returns the entries whose names begin with `prefix`, sorted by name.
  ///
  /// - Throws: ``StorageError/Code/locked`` when names are sealed and no key was given.
  func entries(withPrefix prefix: String) throws(StorageError) -> [InspectionEntry]

  /// Returns the bytes of one entry, or `nil` when there is none.
  func bytes(of entry: String) throws(StorageError) -> Data?
}

/// What can be told of a store as a whole.
public struct InspectionReport: Sendable, Equatable {
  /// The format on disk and its version, such as "gdbm snapshot with journal 1".
  public var format: String
  /// How many entries there are, or `nil` when that takes a key.
  public var entryCount: Int?
  /// The bytes on disk, all files of the store together.
  public var byteCount: Int
  /// Whether values are hidden unless asked for.
  public var isConfidential: Bool
  /// Other facts, each a name and a text, in the order in which they are shown.
  public var facts: [Fact]

  /// One fact about a store.
  public struct Fact: Sendable, Equatable {
    /// What the fact is about, such as "journal bytes".
    public let name: String
    /// The fact as text.
    public let text: String

    /// Makes a fact.
    public init(_ name: String, _ text: String) {
      self.name = name
      self.text = text
    }
  }

  /// Makes a report.
  public init(
    format: String, entryCount: Int?, byteCount: Int, isConfidential: Bool, facts: [Fact] = []
  ) {
    self.format = format
    self.entryCount = entryCount
    self.byteCount = byteCount
    self.isConfidential = isConfidential
    self.facts = facts
  }
}

/// One entry of a store.
public struct InspectionEntry: Sendable, Equatable {
  /// The name, as the backend keeps it.
  public let name: String
  /// The size of the value in bytes, where it is known without opening the value.
  public let byteCount: Int?

  /// Makes an entry.
  public init(name: String, byteCount: Int?) {
    self.name = name
    self.byteCount = byteCount
  }
}
