import UndercroftCore

/// A part of a database that somebody watches: tables, and of each all or some columns and rows.
///
/// Names are compared without regard to the case of ASCII letters, as SQLite does. A table of an attached database has that before it: `archive.book`.
public struct Region: Sendable, Equatable {
  struct Part: Sendable, Equatable {
    /// `nil`: all.
    var columns: Set<ExactString>?
    var rows: Set<Int64>?
  }

  /// `nil`: everything there is.
  var parts: [ExactString: Part]?

  /// The whole database.
  public static let everything = Region(parts: nil)

  static let nothing = Region(parts: [:])

  /// One table: all of it, the columns named, or the rows with these row ids.
  ///
  /// A row that is inserted or deleted concerns every column. A table `WITHOUT ROWID` is watched as a whole.
  public static func table(
    _ name: String, columns: Set<String>? = nil, rows: Set<Int64>? = nil
  ) -> Region {
    let part = Part(columns: columns.map { Set($0.map(\.folded)) }, rows: rows)
    return Region(parts: [name.folded: part])
  }

  /// Several tables.
  public static func tables(_ names: some Sequence<String>) -> Region {
    Region(parts: Dictionary(names.map { ($0.folded, Part()) }) { first, _ in first })
  }

  /// Returns the region that covers both.
  public func union(_ other: Region) -> Region {
    guard let parts, let others = other.parts else { return .everything }
    return Region(
      parts: parts.merging(others) { one, other in
        // Some columns of some rows and some of others cannot be told apart: both are watched of each.
        Part(columns: one.columns.union(other.columns), rows: one.rows.union(other.rows))
      })
  }

  /// Whether `change` may touch it.
  func covers(_ change: TableChange) -> Bool {
    guard let parts else { return true }
    guard let part = parts[change.table.folded] else { return false }
    if let wanted = part.columns, let columns = change.columnNames,
      !columns.contains(where: { wanted.contains($0.text.folded) })
    {
      return false
    }
    guard let wanted = part.rows, let rows = change.rows else { return true }
    return rows.contains { row in part.covers(row, of: wanted) }
  }
}

extension Region.Part {
  fileprivate func covers(_ row: RowChange, of wanted: Set<Int64>) -> Bool {
    guard let id = row.rowID else { return true }
    guard wanted.contains(id) || row.previousRowID.map(wanted.contains) == true else {
      return false
    }
    guard let columns, row.operation == .update else { return true }
    return row.changedNames.contains { columns.contains($0.text.folded) }
  }
}

extension Optional {
  fileprivate func union<Element>(_ other: Set<Element>?) -> Set<Element>?
  where Wrapped == Set<Element> {
    guard let self, let other else { return nil }
    return self.union(other)
  }
}
