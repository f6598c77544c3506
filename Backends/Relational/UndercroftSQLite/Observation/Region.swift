import UndercroftCore

extension Database {
  /// A part of a database to observe: all or certain tables, and all or certain columns and rows of
  /// each table.
  ///
  /// The content of a virtual table, such as a full-text index, is in shadow tables (`page_data`,
  /// `page_content` and others for the table `page`). A change of the virtual table is reported
  /// under its own name. Its shadow tables are reported only to an observer whose region names
  /// them. A view stores nothing, so the region of a view never changes: name the tables that the
  /// view reads.
  ///
  /// Names are compared without regard to the case of ASCII letters, as in SQLite. The name of a
  /// table in an attached database includes the name of the database: `archive.book`.
  public struct Region: Sendable, Equatable {
    struct Part: Sendable, Equatable {
      /// The observed columns, or `nil` for all columns.
      var columns: Set<ExactString>?
      var rows: Set<Int64>?
    }

    /// The observed part of each table, keyed by the name of the table with its ASCII letters in
    /// lower case, or `nil` for the whole database.
    var parts: [ExactString: Part]?

    /// The region that covers the whole database, without the shadow tables of virtual tables.
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

    /// Returns a region that covers this region and `other`.
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
      guard let parts else { return !change.isShadow }
      guard let part = parts[change.table.folded] else { return false }
      if let observed = part.columns, let columns = change.columnNames,
        !columns.contains(where: { observed.contains($0.text.folded) })
      {
        return false
      }
      guard !part.isWholeTable, let rows = change.rows else { return true }
      return rows.contains(where: part.covers)
    }

    /// Returns the part of `change` that is in this region, or `nil` if this region contains no
    /// part of `change`.
    func part(of change: TableChange) -> TableChange? {
      guard covers(change) else { return nil }
      guard let part = parts?[change.table.folded], !part.isWholeTable, let rows = change.rows
      else { return change }
      let covered = rows.filter(part.covers)
      return covered.count == rows.count ? change : change.limited(to: covered)
    }
  }
}

extension Database.Region.Part {
  fileprivate var isWholeTable: Bool { columns == nil && rows == nil }

  fileprivate func covers(_ row: RowChange) -> Bool {
    if let rows, let id = row.rowID, !rows.contains(id),
      row.previousRowID.map(rows.contains) != true
    {
      return false
    }
    // If all columns may have changed, so may have the rowid, which is none of them.
    guard let columns, row.operation == .update, row.columnMask != .all else { return true }
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
