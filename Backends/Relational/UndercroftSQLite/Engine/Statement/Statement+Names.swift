import CSQLite
public import UndercroftCore

extension Statement {
  /// Binds any value to the placeholder `:name`, `@name` or `$name`.
  /// (`sqlite3_bind_parameter_index`)
  ///
  /// - Parameters:
  ///   - value: the value to bind.
  ///   - name: the name, with or without its prefix (`:`, `@` or `$`).
  /// - Throws: ``StorageError/Code/misuse`` if the statement has no such placeholder, or several
  ///   such placeholders, with different prefixes.
  public func bind(_ value: some SQLBindable, named name: String) throws(StorageError) {
    let value = try sqlValue(of: value, for: quoted(name))
    let positions = placeholders.filter { placeholder in
      guard let found = placeholder.name else { return false }
      return found.isExactly(name) || String(found.dropFirst()).isExactly(name)
    }
    guard let position = positions.first?.position else {
      let names = placeholders.compactMap { $0.name.map(quoted) }
      throw .sqliteMisuse(
        """
        cannot bind a value to \(quoted(name)): the statement \(printedSQL) has no placeholder \
        with this name
        """,
        suggestion: names.isEmpty
          ? "write a placeholder with a name in the SQL, such as :title"
          : "pass the name of a placeholder in the statement: \(names.joined(separator: ", "))")
    }
    guard positions.count == 1 else {
      let names = positions.compactMap { $0.name.map(quoted) }
      throw .sqliteMisuse(
        """
        cannot bind a value to \(quoted(name)): several placeholders of the statement \
        \(printedSQL) have this name
        """,
        suggestion: "pass the name with its prefix: \(names.joined(separator: " or "))")
    }
    try bind(value, at: position)
  }

  /// Binds NULL to the placeholder `:name`, `@name` or `$name`: `bind(nil, named: "shelf")`.
  public func bind(_ null: SQLNull, named name: String) throws(StorageError) {
    try bind(SQLValue.null, named: name)
  }

  /// Binds one value to each placeholder, in order.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if there are more or fewer values than placeholders. In
  ///   this case, no value is bound.
  public func bind(_ values: [any SQLBindable]) throws(StorageError) {
    var converted: [SQLValue] = []
    for (offset, value) in values.enumerated() {
      converted.append(
        try sqlValue(
          of: value, for: "the placeholder at the position \(offset + 1), counted from 1,"))
    }
    try bind(converted)
  }

  /// Binds one value to each placeholder, in order, and NULL for `nil`: `bind(["Emma", nil])`.
  public func bind(_ values: [(any SQLBindable)?]) throws(StorageError) {
    try bind(values.map { $0 ?? SQLValue.null })
  }

  /// Binds one value to each placeholder by its name, and NULL for `nil`.
  public func bind(_ values: [String: (any SQLBindable)?]) throws(StorageError) {
    try bind(values.mapValues { $0 ?? SQLValue.null })
  }

  /// Binds one value to each placeholder by its name, and ignores values without a placeholder.
  ///
  /// - Parameter values: the values by name. The prefix of a name (`:`, `@` or `$`) is optional,
  ///   and names are compared by bytes.
  /// - Throws: ``StorageError/Code/misuse`` if a placeholder has no value or no name. In this case,
  ///   no value is bound.
  public func bind(_ values: [String: any SQLBindable]) throws(StorageError) {
    var found: [(position: Int32, value: SQLValue)] = []
    for (position, name) in placeholders {
      guard let name else {
        throw .sqliteMisuse(
          """
          cannot bind values by name: the placeholder at the position \(position), counted from 1, \
          of the statement \(printedSQL) has no name
          """,
          suggestion: "write a name such as :title for each placeholder")
      }
      guard let value = values.exactly(named: name) else {
        throw .sqliteMisuse(
          """
          cannot bind values by name: no value was passed for the placeholder \(quoted(name)) of \
          the statement \(printedSQL)
          """,
          suggestion: "pass a value for each placeholder, or nil for NULL")
      }
      found.append((position, try sqlValue(of: value, for: quoted(name))))
    }
    for (position, value) in found { try bind(value, at: position) }
  }

  /// The position and the name of each placeholder.
  ///
  /// The name of `?` is `nil`. (`sqlite3_bind_parameter_name`)
  private var placeholders: [(position: Int32, name: String?)] {
    (0..<sqlite3_bind_parameter_count(raw)).map { offset in
      (offset + 1, sqlite3_bind_parameter_name(raw, offset + 1).map { String(cString: $0) })
    }
  }
}
