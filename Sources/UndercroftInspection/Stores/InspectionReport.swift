package import UndercroftCore

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
  /// The pages of a database file, or `nil` for another store.
  package var pages: InspectedPages?
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
