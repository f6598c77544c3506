import UndercroftCore

extension Database {
  /// A part of a database to observe: tables, and of each table all or some columns and rows.
  ///
  /// Names are compared without regard to the case of ASCII letters, as in SQLite. The name of a
  /// table in an attached database includes the name of the database: `archive.book`.
  public struct Region: Sendable, Equatable {
    struct Part: Sendable, Equatable {
      /// The observed columns, or `nil` for all columns.
      var columns: Set<ExactString>?
      var rows: Set<Int64>?
    }

    /// The observed part of each table, keyed by the folded name of the table, or `nil` for the
    /// whole database.
    var parts: [ExactString: Part]?

    /// The region that covers the whole database.
    public static let everything = Region(parts: nil)

    static let nothing = Region(parts: [:])

    /// Returns the region of one table: the whole table, certain columns, or rows with certain
    /// rowids.
    ///
    /// An inserted or deleted row counts as a change of every column. A table `WITHOUT ROWID` is
    /// watched as a whole.
    public static func table(
      _ name: String, columns: Set<String>? = nil, rows: Set<Int64>? = nil
    ) -> Region {
      let part = Part(columns: columns.map { Set($0.map(\.folded)) }, rows: rows)
      return Region(parts: [name.folded: part])
    }

    /// Returns the region that covers several whole tables.
    public static func tables(_ names: some Sequence<String>) -> Region {
      Region(parts: Dictionary(names.map { ($0.folded, Part()) }) { first, _ in first })
    }

    /// Returns the region that covers both regions.
    public func union(_ other: Region) -> Region {
      guard let parts, let others = other.parts else { return .everything }
      return Region(
        parts: parts.merging(others) { one, other in
          // A part cannot pair certain columns with certain rows, so it covers all of these columns
          // in all of these rows.
          Part(columns: one.columns.union(other.columns), rows: one.rows.union(other.rows))
        })
    }

    /// Returns whether `change` may have changed this region.
    func covers(_ change: TableChange) -> Bool {
      guard let parts else { return true }
      guard let part = parts[change.table.folded] else { return false }
      if let observed = part.columns, let columns = change.columnNames,
        !columns.contains(where: { observed.contains($0.text.folded) })
      {
        return false
      }
      guard let observed = part.rows, let rows = change.rows else { return true }
      return rows.contains { row in part.covers(row, of: observed) }
    }
  }
}

extension Database.Region.Part {
  fileprivate func covers(_ row: RowChange, of observed: Set<Int64>) -> Bool {
    guard let id = row.rowID else { return true }
    guard observed.contains(id) || row.previousRowID.map(observed.contains) == true else {
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
