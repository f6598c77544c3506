public import UndercroftSQLite

extension Table {
  /// Inserts a record or updates its existing row, and returns the record as stored, with its key.
  ///
  /// The existing row is found by the columns of a unique constraint, as in
  /// `upsert(book, on: \.isbn, in: db)`. If none are named, or no row matches
  /// them, it is found by the primary key. An existing row retains its key, and no
  /// row is deleted. If every column is written, the upsert is a single statement.
  ///
  /// - Parameters:
  ///   - record: The record to write.
  ///   - unique: The properties of a unique constraint.
  ///   - columns: The properties to update in an existing row: `only: \.rating`. If there are none,
  ///     all columns are updated, including those of properties that still have their default
  ///     value.
  ///   - overwritingWithNil: Whether a `nil` property overwrites the value of an existing row.
  ///   - db: The connection to write to.
  /// - Throws: ``StorageError/Code/misuse`` if the named columns are not a
  ///   unique constraint, or if they are `nil` in a record without a key.
  @discardableResult
  public func upsert(
    _ record: Record, on unique: PartialKeyPath<Record>..., only columns: PartialKeyPath<Record>...,
    overwritingWithNil: Bool = true, in db: Connection
  ) throws -> Record {
    let target = try target(unique)
    let only = columns.isEmpty ? nil : try places(of: columns)
    try prepareToWrite(in: db)
    return try upserted(row(of: record), target, only: only, overwritingWithNil, in: db)
  }

  /// Inserts records or updates their existing rows, and returns
  /// the records as stored, in the same order.
  ///
  /// If one is rejected, nothing is written.
  ///
  /// Rows are found as in ``upsert(_:on:only:overwritingWithNil:in:)``.
  ///
  /// - Throws: A ``BatchElementError`` that names the rejected record.
  @discardableResult
  public func upsert(
    contentsOf records: some Sequence<Record>, on unique: PartialKeyPath<Record>...,
    overwritingWithNil: Bool = true, in db: Connection
  ) throws -> [Record] {
    let target = try target(unique)
    try prepareToWrite(in: db)
    var written: [Record] = []
    try db.transaction { db in
      try BatchElementError.forEach(records) { record in
        try upsert(row(of: record), target, overwritingWithNil, in: db) { row in
          written.append(try codec.decode(row, 0))
        }
      }
    }
    return written
  }

  /// Inserts or updates one row, and returns it as stored.
  func upserted(
    _ row: RowValues<Record>, _ target: UpsertTarget, only: [Int]? = nil,
    _ overwritingWithNil: Bool, in db: Connection
  ) throws -> Record {
    var written: Record?
    try upsert(row, target, only: only, overwritingWithNil, in: db) { row in
      written = try codec.decode(row, 0)
    }
    return try kept(written)
  }

  func target(_ paths: [PartialKeyPath<Record>]) throws -> UpsertTarget {
    try UpsertTarget(try places(of: paths), of: definition, statements)
  }

  /// Inserts or updates one row, and calls `body` with the stored row.
  func upsert(
    _ row: RowValues<Record>, _ target: UpsertTarget, only: [Int]? = nil,
    _ overwritingWithNil: Bool, in db: Connection,
    _ body: (borrowing Row) throws -> Void
  ) throws {
    try target.require(row, of: definition, statements)
    let changed = row.places.filter { place in
      !statements.keyPlaces.contains(place) && (overwritingWithNil || !row.isNil(place))
        && only?.contains(place) != false
    }
    // SQLite checks all values of a new row before it detects that the row
    // already exists. A missing value, or one that would not be written to an
    // existing row, could therefore cause a constraint violation. In addition,
    // a check in Swift must know whether the row is inserted or updated.
    let isPartial = requiredPlaces.contains { !row.places.contains($0) }
    let isWhole = row.places.allSatisfy {
      changed.contains($0) || statements.keyPlaces.contains($0) || target.named.contains($0)
    }
    guard isPartial || !isWhole || !codec.checks.isEmpty else {
      return try insertOrUpdate(row, changed, target, in: db, body)
    }
    try db.transaction { db in
      guard let found = try match(row, target, in: db) else {
        return try insertOrUpdate(row, changed, target, in: db, body)
      }
      let sql = DMLBuilder.update(definition, changed, where: found) + statements.returning
      try write(sql, .update, given: row.given, in: db) { update in
        try row.bind(changed + found, update)
      } _: { row in
        try body(row)
      }
    }
  }

  /// Runs the upsert, whose SQL `DMLBuilder` builds and `TableStatements` caches.
  private func insertOrUpdate(
    _ row: RowValues<Record>, _ changed: [Int], _ target: UpsertTarget,
    in db: Connection,
    _ body: (borrowing Row) throws -> Void
  ) throws {
    let sql = statements.upsert(into: definition, row.places, updating: changed, on: target.all)
    try write(sql, .insert, given: row.given, in: db) { upsert in
      try row.bind(row.places, upsert)
    } _: { row in
      try body(row)
    }
  }

  /// The indices of the columns for which a new row must have a value.
  private var requiredPlaces: [Int] {
    definition.writtenPlaces.filter { place in
      let column = definition.columns[place]
      let isGenerated = statements.isKeyGenerated && column.isPrimaryKey
      return !column.isOptional && column.defaultValue == nil && !isGenerated
    }
  }

  /// Returns the columns by which an existing row is found, or `nil` if there is no existing row.
  private func match(
    _ row: RowValues<Record>, _ target: UpsertTarget, in db: Connection
  ) throws -> [Int]? {
    for columns in target.all where columns.allSatisfy({ row.places.contains($0) }) {
      let condition = DMLBuilder.equal(columns, in: definition)
      let sql = "SELECT 1 FROM \(definition.quotedName) WHERE \(condition)"
      let isThere = try db.prepare(SQL(unchecked: sql)) { statement in
        try row.bind(columns, statement)
        return try statement.first { _ in true } ?? false
      }
      if isThere { return columns }
    }
    return nil
  }
}
