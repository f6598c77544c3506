public import UndercroftSQLite

extension Table {
  /// Inserts a record or, where its row is there already, changes that; returns it as it is kept, with its key.
  ///
  /// The row is found by a unique constraint, as in `upsert(book, on: \.isbn, in: db)`, or by the
  /// primary key when none is named or no row matches it. A row that is found keeps its key.
  /// Nothing is deleted. Where every column is written it is one statement.
  ///
  /// - Parameters:
  ///   - columns: what is changed of a row that is there, `only: \.rating`; every column when none is named, also by the default of a property.
  ///   - overwritingWithNil: whether a property that is `nil` takes away what the row has.
  /// - Throws: ``StorageError/Code/misuse`` when the columns named are no unique constraint, or are `nil` in a record without a key.
  @discardableResult
  public func upsert(
    _ record: Record, on unique: PartialKeyPath<Record>..., only columns: PartialKeyPath<Record>...,
    overwritingWithNil: Bool = true, in db: borrowing Connection
  ) throws -> Record {
    let target = try target(unique)
    let only = columns.isEmpty ? nil : try places(of: columns)
    try begin(in: db)
    return try upserted(row(of: record), target, only: only, overwritingWithNil, in: db)
  }

  /// Does so with records, all or none, and returns them as they are kept, in the same order.
  ///
  /// - Throws: an ``ElementError`` that says which was refused.
  @discardableResult
  public func upsert(
    contentsOf records: some Sequence<Record>, on unique: PartialKeyPath<Record>...,
    overwritingWithNil: Bool = true, in db: borrowing Connection
  ) throws -> [Record] {
    let target = try target(unique)
    try begin(in: db)
    var written: [Record] = []
    try db.transaction { db in
      try ElementError.forEach(records) { record in
        try upsert(row(of: record), target, overwritingWithNil, in: db) { row in
          written.append(try codec.decode(row, 0))
        }
      }
    }
    return written
  }

  /// Writes one row, and returns it as it is kept.
  func upserted(
    _ row: WrittenRow<Record>, _ target: UpsertTarget, only: [Int]? = nil,
    _ overwritingWithNil: Bool, in db: borrowing Connection
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

  /// Writes one row by one statement, and calls `body` with it as it is kept.
  func upsert(
    _ row: WrittenRow<Record>, _ target: UpsertTarget, only: [Int]? = nil,
    _ overwritingWithNil: Bool, in db: borrowing Connection,
    _ body: (borrowing Row) throws -> Void
  ) throws {
    try target.require(row, of: definition, statements)
    let changed = row.places.filter { place in
      !statements.keyPlaces.contains(place) && (overwritingWithNil || !row.isNil(place))
        && only?.contains(place) != false
    }
    // SQLite looks at every value of a new row before it looks whether there is one: a missing
    // value, or one that a row that is there would not take over, could refuse it. And a check in
    // Swift must know which of both it is.
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
      let sql = WritingText.update(definition, changed, where: found) + statements.returning
      try write(sql, .update, given: row.given, in: db) { update in
        try row.bind(changed + found, update)
      } _: { row in
        try body(row)
      }
    }
  }

  private func insertOrUpdate(
    _ row: WrittenRow<Record>, _ changed: [Int], _ target: UpsertTarget,
    in db: borrowing Connection,
    _ body: (borrowing Row) throws -> Void
  ) throws {
    let sql = statements.upsert(into: definition, row.places, updating: changed, on: target.all)
    try write(sql, .insert, given: row.given, in: db) { upsert in
      try row.bind(row.places, upsert)
    } _: { row in
      try body(row)
    }
  }

  /// The places of the columns that a new row must have a value for.
  private var requiredPlaces: [Int] {
    definition.writtenPlaces.filter { place in
      let column = definition.columns[place]
      let isGenerated = statements.isKeyGenerated && column.isPrimaryKey
      return !column.isOptional && column.defaultValue == nil && !isGenerated
    }
  }

  /// The columns by which a row is found that is there already, or `nil` when there is none.
  private func match(
    _ row: WrittenRow<Record>, _ target: UpsertTarget, in db: borrowing Connection
  ) throws -> [Int]? {
    for columns in target.all where columns.allSatisfy({ row.places.contains($0) }) {
      let condition = WritingText.equal(columns, in: definition)
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
