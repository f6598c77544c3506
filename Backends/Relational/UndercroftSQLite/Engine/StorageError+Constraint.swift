public import UndercroftCore

extension StorageError {
  /// A constraint of a database schema.
  ///
  /// `SQLiteError(causeOf:)` finds the violated constraint even if other errors wrap the error of
  /// SQLite:
  ///
  /// ```swift
  /// do {
  ///   try database.write { db in try Book.insertAll(books, in: db) }
  /// } catch let error
  ///   where SQLiteError(causeOf: error)?.constraint == .unique(columns: ["isbn"])
  /// {
  ///   // A book has this number already.
  /// }
  /// ```
  public enum Constraint: Hashable, Sendable {
    /// A primary key, a `UNIQUE` constraint or a unique index, with its columns.
    ///
    /// The columns are empty for an index on expressions, whose columns SQLite does not report.
    case unique(columns: [String])
    /// A foreign key.
    ///
    /// SQLite does not report which foreign key was violated. For the action `RESTRICT`, the result
    /// code is ``SQLiteError/Code/constraintTrigger``.
    case foreignKey
    /// A `NOT NULL` constraint.
    case notNull(column: String)
    /// A `CHECK` constraint with its name, or with its expression if it has no name.
    case check(name: String)
    /// The type that a column of a `STRICT` table or an integer primary key requires.
    case dataType
    /// A trigger that ended the statement with `RAISE`, and the message that it passed to `RAISE`.
    case trigger(message: String)
  }

  /// The violated constraint, or `nil` if no constraint was violated or ``Constraint`` does not
  /// describe the violation.
  public var constraint: Constraint? { sqliteError?.constraint }

  /// The error of SQLite that caused this error, or `nil` if SQLite reported no error.
  public var sqliteError: SQLiteError? { SQLiteError(causeOf: self) }
}

extension StorageError.Constraint: CustomStringConvertible {
  /// The constraint as in SQL, such as `UNIQUE (title, author_id)`.
  public var description: String {
    switch self {
    case .unique(let columns):
      columns.isEmpty ? "UNIQUE" : "UNIQUE (\(escaped(columns.joined(separator: ", "))))"
    case .foreignKey: "FOREIGN KEY"
    case .notNull(let column): "NOT NULL (\(escaped(column)))"
    case .check(let name): "CHECK (\(escaped(name)))"
    case .dataType: "data type"
    case .trigger(let message): "RAISE (\(escaped(message)))"
    }
  }
}

extension SQLiteError {
  /// The violated constraint, or `nil` if no constraint was violated or ``StorageError/Constraint``
  /// does not describe the violation.
  public var constraint: StorageError.Constraint? {
    switch code {
    case .constraintUnique, .constraintPrimaryKey, .constraintRowID:
      .unique(columns: failedColumns)
    case .constraintForeignKey: .foreignKey
    // SQLite enforces the action RESTRICT as a trigger.
    case .constraintTrigger where message == "FOREIGN KEY constraint failed": .foreignKey
    case .constraintNotNull: failedColumns.first.map { .notNull(column: $0) }
    case .constraintCheck: failedPart.map { .check(name: $0) }
    case .constraintDataType, .mismatch: .dataType
    case .constraintTrigger: .trigger(message: message)
    default: nil
    }
  }

  /// The columns that the message of SQLite lists, as in `book.title, book.author_id`.
  private var failedColumns: [String] {
    guard let failedPart, !failedPart.utf8.starts(with: "index '".utf8) else { return [] }
    return failedPart.split(separator: ", ").map { part in
      let table = tableName(before: part)
      return String(decoding: part.utf8.dropFirst(table + 1), as: UTF8.self)
    }
  }

  /// Returns the number of bytes of the table name at the beginning of `part`.
  ///
  /// A table name can contain a period. This function therefore searches the SQL of the statement
  /// for names with which `part` begins and which a period follows in `part`. The longest of these
  /// names is the table name. If there is no such name, the first period ends the table name.
  private func tableName(before part: Substring) -> Int {
    let folded = String(part).folded.text.utf8
    let known = SQLTokenizer.split(sql ?? "").map { $0.name.text.utf8 }.filter {
      folded.starts(with: $0) && folded.dropFirst($0.count).first == UInt8(ascii: ".")
    }
    if let longest = known.map(\.count).max() { return longest }
    return part.utf8.prefix { $0 != UInt8(ascii: ".") }.count
  }

  /// The part of the message after `constraint failed: `, or `nil` if the message has no such part.
  private var failedPart: String? {
    guard let separator = message.utf8.firstRange(of: " constraint failed: ".utf8) else {
      return nil
    }
    return String(message.utf8[separator.upperBound...])
  }
}
