public import UndercroftSQLite

// The reads of a record type's own table, called on the type: `Book.find(1, in: db)`. Each method
// is documented at ``TableRows`` or at ``Table``. The methods are inlinable, because a call that is
// not specialised would copy the whole table.

extension TableRecord {
  /// Returns the record with this primary key, or `nil` if there is no such record.
  @inlinable
  public static func find<Key: ColumnValue>(
    _ key: Key, in db: Connection
  ) throws -> Self? where Key.Unwrapped == Key {
    try table.find(key, in: db)
  }

  /// Returns the record with this composite primary key, or `nil` if there is no such record.
  @inlinable
  public static func find<First: ColumnValue, Second: ColumnValue, each Key: ColumnValue>(
    _ first: First, _ second: Second, _ key: repeat each Key, in db: Connection
  ) throws -> Self?
  where
    First.Unwrapped == First, Second.Unwrapped == Second, repeat (each Key).Unwrapped == each Key
  {
    try table.find(first, second, repeat each key, in: db)
  }

  /// Returns the records with these primary keys, each once, in the order of `keys`.
  @inlinable
  public static func find<Keys: Sequence>(
    keys: Keys, in db: Connection
  ) throws -> [Self] where Keys.Element: ColumnValue, Keys.Element.Unwrapped == Keys.Element {
    try table.find(keys: keys, in: db)
  }

  /// Returns all records, in the order of their primary key if there is one.
  @inlinable
  public static func fetchAll(in db: Connection) throws -> [Self] {
    try table.fetchAll(in: db)
  }

  /// Returns the records that a query in SQL finds.
  @inlinable
  public static func fetchAll(sql: SQL, in db: Connection) throws -> [Self] {
    try table.fetchAll(sql: sql, in: db)
  }

  /// Returns the first record, or `nil` if the table has no rows.
  ///
  /// Any record can be the first. To define an order, call `order(by:)` first, as in
  /// `Book.order { $0.title }.fetchOne(in: db)`.
  @inlinable
  public static func fetchOne(in db: Connection) throws -> Self? {
    try table.fetchOne(in: db)
  }

  /// Returns the first record that a query in SQL finds, or `nil` if the query finds no record.
  @inlinable
  public static func fetchOne(sql: SQL, in db: Connection) throws -> Self? {
    try table.fetchOne(sql: sql, in: db)
  }

  /// Returns the record with the greatest primary key, or `nil` if the table has no rows.
  @inlinable
  public static func fetchLastByPrimaryKey(in db: Connection) throws -> Self? {
    try table.fetchLastByPrimaryKey(in: db)
  }

  /// Returns the first page of at most `size` records, or the page after the cursor `end`.
  @inlinable
  public static func fetchPage(
    of size: Int, after end: PageCursor? = nil, in db: Connection
  ) throws -> RecordPage<Self> {
    try table.fetchPage(of: size, after: end, in: db)
  }

  /// Calls `body` once for each record of the table.
  @inlinable
  public static func forEach(
    in db: Connection, _ body: (Self) throws -> Void
  ) throws {
    try table.forEach(in: db, body)
  }

  /// Calls `body` with one record after another, until `body` returns ``IterationControl/stop``.
  @inlinable
  public static func forEachUntil(
    in db: Connection, _ body: (Self) throws -> IterationControl
  ) throws {
    try table.forEachUntil(in: db, body)
  }

  // MARK: Values

  /// Returns the number of rows of the table.
  @inlinable
  public static func fetchCount(in db: Connection) throws -> Int {
    try table.fetchCount(in: db)
  }

  /// Returns whether the table has at least one row.
  @inlinable
  public static func exists(in db: Connection) throws -> Bool {
    try table.exists(in: db)
  }

  /// Returns one value that is aggregated over all rows:
  /// `Book.fetchValue(in: db) { $0.rating.max }`.
  @inlinable
  public static func fetchValue<Value: SQLReadable & Sendable>(
    in db: Connection, _ aggregate: (Columns<Self>) -> SQLExpression<Value>
  ) throws -> Value {
    try table.fetchValue(in: db, aggregate)
  }

  /// Returns one value of each row: `Book.fetchValues(in: db) { $0.title }`.
  @inlinable
  public static func fetchValues<Value: SQLReadable & Sendable>(
    in db: Connection, _ value: (Columns<Self>) -> SQLExpression<Value>
  ) throws -> [Value] {
    try table.fetchValues(in: db, value)
  }

  /// Returns the distinct values of an expression over all rows.
  @inlinable
  public static func fetchDistinctValues<Value: SQLReadable & Sendable>(
    in db: Connection, _ value: (Columns<Self>) -> SQLExpression<Value>
  ) throws -> [Value] {
    try table.fetchDistinctValues(in: db, value)
  }

  /// Returns the primary keys of all rows of the table.
  @inlinable
  public static func fetchKeys<Key: SQLReadable & Sendable>(
    as type: Key.Type = Int64.self, in db: Connection
  ) throws -> [Key] {
    try table.fetchKeys(as: type, in: db)
  }

  // MARK: Other types

  /// Returns one virtual record for each row.
  ///
  /// `make` creates the record, and the values of the row are assigned to the record.
  @inlinable
  public static func fetchAll<Filled: VirtualRecord>(
    filling make: () throws -> Filled, in db: Connection
  ) throws -> [Filled] {
    try table.fetchAll(filling: make, in: db)
  }

  /// Returns a virtual record for the first row, or `nil` if there is no row.
  ///
  /// `make` creates the record, and the values of the row are assigned to the record.
  @inlinable
  public static func fetchOne<Filled: VirtualRecord>(
    filling make: () throws -> Filled, in db: Connection
  ) throws -> Filled? {
    try table.fetchOne(filling: make, in: db)
  }

  /// Returns all rows, decoded as `type`: each property from the column with the name of the
  /// property.
  @inlinable
  public static func fetchAll<Value: Decodable>(
    as type: Value.Type, in db: Connection
  ) throws -> [Value] {
    try table.fetchAll(as: type, in: db)
  }

  /// Returns the first row, decoded as `type`, or `nil` if there is no row.
  @inlinable
  public static func fetchOne<Value: Decodable>(
    as type: Value.Type, in db: Connection
  ) throws -> Value? {
    try table.fetchOne(as: type, in: db)
  }

  /// Calls `body` once for each row, with the row decoded as `type`.
  @inlinable
  public static func forEach<Value: Decodable>(
    as type: Value.Type, in db: Connection, _ body: (Value) throws -> Void
  ) throws {
    try table.forEach(as: type, in: db, body)
  }
}
