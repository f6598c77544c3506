public import UndercroftCore
public import UndercroftFoundation

/// A store whose content can be inspected without changing it.
///
/// The inspector accesses a backend only through this protocol. Inspecting a store opened by a
/// ``StoreInspectorFactory`` changes nothing on disk, not even the modification time of a folder.
public protocol Inspectable: Sendable {
  /// Returns a report about the store as a whole.
  func inspect() throws(StorageError) -> InspectionReport

  /// Returns a report without the facts that are only known after reading the whole store.
  ///
  /// The default implementation returns the complete report.
  func briefReport() throws(StorageError) -> InspectionReport

  /// Returns the entries whose names begin with `prefix`, sorted by name.
  ///
  /// - Throws: ``StorageError/Code/locked`` if names are encrypted and no key was given.
  func entries(withPrefix prefix: String) throws(StorageError) -> [InspectionEntry]

  /// Calls `body` with each entry whose name begins with `prefix`, in any order, until `body`
  /// returns `false`.
  ///
  /// `body` may call the methods of the store, such as ``bytes(of:)``, so a store must not hold a
  /// lock during the call.
  ///
  /// The default implementation reads all entries into memory first. A store with many entries
  /// should read them one by one.
  ///
  /// - Throws: the errors of ``entries(withPrefix:)``, and any error that `body` throws.
  func forEachEntry(
    withPrefix prefix: String, _ body: (InspectionEntry) throws -> Bool) throws

  /// Calls `body` with the name and the bytes of each entry whose name begins with `prefix`, in any
  /// order, until `body` returns `false`.
  ///
  /// The default implementation calls ``bytes(of:)`` for each entry. A store that reads its whole
  /// file to find one entry should implement this method with a single pass.
  ///
  /// - Throws: the errors of ``entries(withPrefix:)``, and any error that `body` throws.
  func forEachValue(
    withPrefix prefix: String, _ body: (_ name: String, _ bytes: Data) throws -> Bool) throws

  /// Returns the bytes of one entry, or `nil` if there is none.
  func bytes(of entry: String) throws(StorageError) -> Data?

  /// Reads the whole store, and returns the damage that was found.
  ///
  /// The default implementation reads each value.
  ///
  /// - Throws: an error that prevents reading the rest of the store.
  func check() throws(StorageError) -> CheckResult
}

extension Inspectable {
  public func briefReport() throws(StorageError) -> InspectionReport { try inspect() }

  public func check() throws(StorageError) -> CheckResult {
    var result = CheckResult()
    for entry in try entries(withPrefix: "") {
      do throws(StorageError) {
        _ = try bytes(of: entry.name)
      } catch {
        guard error.code == .corrupted else { throw error }
        result.damage.append(error.failure)
      }
    }
    return result
  }

  public func forEachEntry(
    withPrefix prefix: String, _ body: (InspectionEntry) throws -> Bool
  ) throws {
    for entry in try entries(withPrefix: prefix) where try !body(entry) { return }
  }

  public func forEachValue(
    withPrefix prefix: String, _ body: (_ name: String, _ bytes: Data) throws -> Bool
  ) throws {
    try forEachEntry(withPrefix: prefix) { entry in
      // An entry may have been removed since the names were listed.
      guard let bytes = try bytes(of: entry.name) else { return true }
      return try body(entry.name, bytes)
    }
  }
}

/// A report about a store as a whole.
public struct InspectionReport: Sendable, Equatable {
  /// The format on disk and its version, such as "gdbm snapshot with journal 1".
  public var format: String
  /// The number of entries, or `nil` if counting them requires a key or, in a brief report, reading
  /// them.
  ///
  /// The entries of a store with tables are the tables without the views.
  public var entryCount: Int?
  /// The size in bytes of all files of the store together.
  public var byteCount: Int
  /// Whether values are hidden unless the user asks for them.
  public var isConfidential: Bool
  /// Whether the store consists of tables of rows instead of named values.
  public var isTabular = false
  /// Whether the backend reads all values into memory when it opens the store.
  public var isReadAsWhole = false
  /// The names of the tables whose rows cannot be counted because the tables are damaged.
  package var damagedTables: [String] = []
  /// The damage of a file whose earlier batches were recovered, or `nil` if there is none.
  package var damage: StoreDamage?
  /// Further facts, in the order in which they are shown.
  public var facts: [Fact]

  /// One fact about a store.
  public struct Fact: Sendable, Equatable {
    /// The name of the fact, such as "journal bytes".
    public let name: String
    /// The value of the fact as text.
    public let text: String

    /// Creates a fact from its name and its value.
    public init(_ name: String, _ text: String) {
      self.name = name
      self.text = text
    }
  }

  /// Creates a report from its parts.
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
  /// The name of the entry in the backend.
  public let name: String
  /// The size of the value in bytes, or `nil` if the size is unknown until the value is read.
  public let byteCount: Int?
  /// The bytes of the name if they are not valid UTF-8, and otherwise `nil`.
  ///
  /// ``name`` is then a spelling of the bytes, which can also be the name of another entry.
  package let nameBytes: Data?

  /// Creates an entry from its name and the size of its value.
  public init(name: String, byteCount: Int?) {
    self.init(name: name, byteCount: byteCount, nameBytes: nil)
  }

  /// Creates an entry whose name may not be text.
  package init(name: String, byteCount: Int?, nameBytes: Data?) {
    self.name = name
    self.byteCount = byteCount
    self.nameBytes = nameBytes
  }
}
