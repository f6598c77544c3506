import UndercroftCore
public import UndercroftSQLite

extension Table {
  /// Returns the record with this primary key, or `nil` if there is no such record.
  ///
  /// The compiler rejects an optional key. ``TableRecord/related(_:as:in:)``
  /// reads the record whose key is an optional property.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the primary key is not a single column of the type
  ///   of the key.
  @inlinable
  public func find<Key: ColumnValue>(
    _ key: Key, in db: Connection
  ) throws -> Record? where Key.Unwrapped == Key {
    try fetchOne(key: try key.sqlValue(), of: Key.columnType, in: db)
  }

  /// Returns the record with this primary key, or `nil` if there is no such record.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the key is NULL, or if the primary key is not a
  ///   single column of the type of the key.
  @usableFromInline
  func fetchOne(key: SQLValue, of type: ColumnType, in db: Connection) throws -> Record? {
    let key = try value(ofKey: key, of: type)
    // The closure assigns the record, because each generic function that returned the record would
    // copy it.
    var found: Record?
    try db.withRow(try ready(definition.reads.find, in: db), for: key) { row in
      found = try codec.decode(row, 0)
    }
    return found
  }

  /// Returns the record with this composite primary key, or `nil` if there is no such record.
  ///
  /// The values are in the order in which the columns are declared.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the number of values is not the number of key
  ///   columns, or if a value is of another type than its column.
  public func find<First: ColumnValue, Second: ColumnValue, each Key: ColumnValue>(
    _ first: First, _ second: Second, _ key: repeat each Key, in db: Connection
  ) throws -> Record?
  where
    First.Unwrapped == First, Second.Unwrapped == Second, repeat (each Key).Unwrapped == each Key
  {
    var values: [SQLValue] = []
    var types = [First.columnType, Second.columnType]
    try values.append(first.sqlValue())
    try values.append(second.sqlValue())
    for key in repeat each key {
      types.append(type(of: key).columnType)
      try values.append(key.sqlValue())
    }
    for (index, type) in types.enumerated() { try check(type, at: index, of: types.count) }
    return try db.prepare(try ready(definition.reads.find, in: db)) { statement in
      for (offset, value) in values.enumerated() {
        try statement.bind(try required(value), at: offset + 1)
      }
      return try statement.fetchOne { row in try codec.decode(row, 0) }
    }
  }

  /// Returns the records with these primary keys, each once, in the order of `keys`.
  ///
  /// Keys without a row are ignored.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the primary key is not a single column of the type
  ///   of the keys.
  public func find<Keys: Sequence>(
    keys: Keys, in db: Connection
  ) throws -> [Record] where Keys.Element: ColumnValue, Keys.Element.Unwrapped == Keys.Element {
    try check(Keys.Element.columnType, at: 0, of: 1)
    var found: [Record] = []
    var seen: Set<SQLValue> = []
    // A collation can make different strings match the same row.
    var stored: Set<SQLValue> = []
    let isText = definition.reads.keyType == .text
    let columnIndex = definition.reads.keyColumnIndices[0]
    try db.prepare(try ready(definition.reads.find, in: db)) { statement in
      for key in keys {
        let value = try key.sqlValue()
        guard seen.insert(value).inserted else { continue }
        try statement.bind(try required(value), at: 1)
        _ = try statement.fetchOne { row in
          if isText, try !stored.insert(row.value(at: columnIndex)).inserted { return }
          found.append(try codec.decode(row, 0))
        }
      }
    }
    return found
  }

  private func check(_ type: ColumnType, at index: Int, of count: Int) throws(StorageError) {
    let keyIndices = definition.reads.keyColumnIndices
    guard keyIndices.count == count, index < count else {
      let columns = "\(keyIndices.count) column\(keyIndices.count == 1 ? "" : "s")"
      let reason =
        keyIndices.isEmpty
        ? "the table has no primary key" : "the primary key of the table has \(columns)"
      throw StorageError(
        .misuse,
        """
        cannot find a row of \(quoted(name)) by a primary key of \(count) \
        value\(count == 1 ? "" : "s"): \(reason)
        """,
        suggestion: keyIndices.isEmpty
          ? "select the row with where { … }"
          : """
          pass one value for each column of the primary key, or select the row with where { … }
          """,
        backend: "sqlite")
    }
    let key = definition.columns[keyIndices[index]]
    if key.type != type {
      throw StorageError(
        .misuse,
        """
        cannot find a row of \(quoted(name)) by its primary key: the value passed for the column \
        \(quoted(key.name)) has the type \(type.rawValue), but the column has the type \
        \(key.type.rawValue)
        """,
        suggestion: """
          for the column \(quoted(key.name)), pass a value of a Swift type that is stored as \
          \(key.type.rawValue)
          """,
        backend: "sqlite")
    }
  }

  /// Returns the value to bind for a primary key of one column.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the key is `nil`, or if the primary key is not a
  ///   single column of the type of the key.
  func value<Key: ColumnValue>(ofKey key: Key) throws -> SQLValue {
    try value(ofKey: try key.sqlValue(), of: Key.columnType)
  }

  private func value(ofKey key: SQLValue, of type: ColumnType) throws(StorageError) -> SQLValue {
    if type != definition.reads.keyType { try check(type, at: 0, of: 1) }
    return try required(key)
  }

  private func required(_ value: SQLValue) throws(StorageError) -> SQLValue {
    guard case .null = value else { return value }
    throw StorageError(
      .misuse,
      "cannot find a row of \(quoted(name)) by its primary key: a value passed as the key is nil",
      suggestion: "pass values that are not nil, or select the row with where { … }",
      backend: "sqlite")
  }
}
