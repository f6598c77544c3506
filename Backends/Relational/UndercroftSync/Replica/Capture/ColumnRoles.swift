import UndercroftCore
import UndercroftSQLite

/// The roles of a table's columns, as a ``SyncedTable`` declares them or `sync_column` stores them.
struct ColumnRoles {
  /// The columns with a role other than ``CapturedColumn/Role/value``, by their names in lower
  /// case.
  private var roles: [ExactString: (role: CapturedColumn.Role, referencedTable: String?)] = [:]

  /// Creates the roles of a table that is added.
  ///
  /// - Throws: ``StorageError`` if a column does not exist, cannot have its role, or has two roles.
  init(_ table: SyncedTable, _ source: SourceTable) throws {
    for name in table.local { try set(name, .local, in: source) }
    for (column, referenced) in table.references {
      try set(column.text, .reference, referenced.text, in: source)
    }
    for name in table.allCounters {
      try set(name, .counter, in: source)
      guard source.column(name)?.affinity == .integer else {
        throw StorageError.cannotCapture(
          table.name,
          "the column \(quoted(name)) is a counter, but is not declared as INTEGER",
          suggestion: """
            declare the column as INTEGER, or remove the column from `counters` and from the \
            columns with the policy .counter
            """)
      }
    }
    try validate(table.policy, of: table, source)
  }

  /// Creates the roles that are stored for a captured table.
  ///
  /// A reference to a table that is no longer captured becomes a value.
  init(_ table: CapturedTable, among tables: [CapturedTable]) {
    let names = Set(tables.map(\.name.folded))
    for column in table.columns where column.role != .value {
      let isKnown = column.referencedTable.map { names.contains($0.folded) } ?? true
      if isKnown { roles[column.name.folded] = (column.role, column.referencedTable) }
    }
  }

  /// Throws if the policy of a table is invalid.
  ///
  /// The policy must not name a missing column, and its default must not be
  /// ``ConflictPolicy/counter``. A counter must not have another policy, and a local column
  /// must not have a policy.
  private func validate(
    _ policy: TablePolicy, of table: SyncedTable, _ source: SourceTable
  ) throws {
    if case .counter = policy.columnDefault {
      throw StorageError.cannotCapture(
        table.name,
        "the default policy of the table is .counter, which is permitted only for single columns",
        suggestion: """
          choose another default policy, and pass the names of the counters to \
          SyncedTable(_:counters:)
          """, code: .misuse)
    }
    for (column, policy) in policy.columns {
      guard source.column(column.text) != nil else {
        throw StorageError.cannotCapture(
          table.name,
          """
          the policy of the table names the column \(quoted(column.text)), but \
          \(source.obstacle(toSynchronising: column.text))
          """,
          suggestion:
            "pass only columns of the table that are neither the primary key nor generated",
          code: .misuse)
      }
      let role = roles[column.text.folded]?.role
      if case .counter = policy { continue }
      guard role != .counter, role != .local else {
        throw StorageError.cannotCapture(
          table.name,
          """
          the column \(quoted(column.text)) is a \(role == .local ? "local column" : "counter"), \
          but has the policy \(policy.name)
          """,
          suggestion: """
            remove the policy of the column, or remove the column from \
            `\(role == .local ? "local" : "counters")`
            """, code: .misuse)
      }
    }
  }

  private mutating func set(
    _ name: String, _ role: CapturedColumn.Role, _ referenced: String? = nil,
    in source: SourceTable
  ) throws {
    guard source.column(name) != nil else {
      throw StorageError.cannotCapture(
        source.name,
        """
        the column \(quoted(name)) is declared as a \(role.rawValue) column, but \
        \(source.obstacle(toSynchronising: name))
        """,
        suggestion: "pass only columns of the table that are neither the primary key nor generated",
        code: .misuse)
    }
    if let other = roles.updateValue((role, referenced), forKey: name.folded) {
      throw StorageError.cannotCapture(
        source.name,
        "the column \(quoted(name)) is declared twice"
          + (other.role == role
            ? " as a \(role.rawValue) column"
            : ", as a \(other.role.rawValue) column and as a \(role.rawValue) column"),
        suggestion: "declare the column once, with one role", code: .misuse)
    }
  }

  /// Returns a column with its role.
  ///
  /// If no role was determined for the column, a foreign key to the primary key of a captured table
  /// is a reference, and any other column is a value.
  ///
  /// - Throws: ``StorageError`` if the column refers to a table that is not captured, or if a
  ///   counter has a foreign key to a captured table.
  func column(
    _ column: SourceTable.Column, of source: SourceTable, position: Int,
    among tables: [CapturedTable]
  ) throws -> CapturedColumn {
    guard let found = roles[column.name.folded] else {
      let referenced = Self.referencedTable(by: column, of: source, among: tables)
      return CapturedColumn(
        column.name, position: position, role: referenced == nil ? .value : .reference,
        referencedTable: referenced)
    }
    if found.role == .counter,
      let target = Self.referencedTable(by: column, of: source, among: tables)
    {
      throw StorageError.cannotCapture(
        source.name,
        """
        the column \(quoted(column.name)) is a counter, but has a foreign key to the table \
        \(quoted(target))
        """,
        suggestion: """
          remove the column from `counters` and from the columns with the policy .counter
          """, code: .misuse)
    }
    let target = tables.first { $0.name.folded == found.referencedTable?.folded }
    guard found.role != .reference || target != nil else {
      throw StorageError.cannotCapture(
        source.name,
        """
        the column \(quoted(column.name)) refers to the table \
        \(quoted(found.referencedTable ?? "")), which is not synchronised
        """,
        suggestion: """
          add the table \(quoted(found.referencedTable ?? "")) to the tables of the SyncEngine, or \
          remove the column from `references`
          """, code: .misuse)
    }
    return CapturedColumn(
      column.name, position: position, role: found.role, referencedTable: target?.name)
  }

  private static func referencedTable(
    by column: SourceTable.Column, of source: SourceTable, among tables: [CapturedTable]
  ) -> String? {
    for key in source.foreignKeys where key.column.folded == column.name.folded {
      let target = tables.first { $0.name.folded == key.table.folded }
      guard let target else { continue }
      if (key.referencedColumn ?? target.keyColumn).folded == target.keyColumn.folded {
        return target.name
      }
    }
    return nil
  }
}
