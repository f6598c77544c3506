// Merging goes by name: what one of the two does not know stays as it is. The argument is only asked, never changed.

extension VirtualRecord {
  /// Returns the record with what another one, of whatever type, knows by the same names: `card.merging(portrait).merging(token)`.
  ///
  /// The record of a table is merged as what that table shows. Merge an object by `merge`, which changes it.
  ///
  /// - Parameter isOverriding: whether `other` wins, even where it has no value; otherwise it only fills what has none here.
  /// - Throws: ``StorageError/Code/decodingFailed`` where a property cannot take the value, such as none where it must have one.
  public func merging(
    _ other: some VirtualRecord, overriding isOverriding: Bool = true
  ) throws -> Self {
    var merged = self
    try merged.mergeInPlace(other, isOverriding)
    return merged
  }

  /// Returns the record with what another one would show to `table`, and nothing else.
  public func merging<Record>(
    _ other: some VirtualRecord, in table: Table<Record>, overriding isOverriding: Bool = true
  ) throws -> Self {
    var merged = self
    try merged.mergeInPlace(other, in: table.definition, isOverriding)
    return merged
  }

  /// Merges another record into this one: see ``merging(_:overriding:)``.
  public mutating func merge(
    _ other: some VirtualRecord, overriding isOverriding: Bool = true
  ) throws {
    try mergeInPlace(other, isOverriding)
  }

  /// Merges what another record would show to `table` into this one.
  public mutating func merge<Record>(
    _ other: some VirtualRecord, in table: Table<Record>, overriding isOverriding: Bool = true
  ) throws {
    try mergeInPlace(other, in: table.definition, isOverriding)
  }

  fileprivate mutating func mergeInPlace(
    _ other: some VirtualRecord, _ isOverriding: Bool
  ) throws {
    // Where one of the two is the record of a table, that table says what the names mean.
    if let table = Self.table(of: other) ?? Self.table(of: self) {
      return try mergeInPlace(other, in: table, isOverriding)
    }
    let changes = try columnValues().changes(
      merging: other.columnValues(), overriding: isOverriding)
    if !changes.values.isEmpty { try take(changes) }
  }

  fileprivate mutating func mergeInPlace(
    _ other: some VirtualRecord, in table: TableDefinition, _ isOverriding: Bool
  ) throws {
    let changes = try values(for: table).changes(
      merging: other.values(for: table), overriding: isOverriding)
    if !changes.values.isEmpty { try take(changes, from: table) }
  }

  private static func table(of record: some VirtualRecord) -> TableDefinition? {
    guard let type = type(of: record) as? any TableRecord.Type else { return nil }
    return definition(of: type)
  }

  private static func definition<Record: TableRecord>(
    of type: Record.Type
  ) -> TableDefinition { type.table.definition }
}

extension VirtualRecord where Self: AnyObject {
  /// Merges another record into this object, and returns the object: `view.merge(portrait).merge(token)`.
  ///
  /// See ``merging(_:overriding:)``.
  @discardableResult
  public func merge(
    _ other: some VirtualRecord, overriding isOverriding: Bool = true
  ) throws -> Self {
    var object = self
    try object.mergeInPlace(other, isOverriding)
    return object
  }

  /// Merges what another record would show to `table` into this object, and returns the object.
  @discardableResult
  public func merge<Record>(
    _ other: some VirtualRecord, in table: Table<Record>, overriding isOverriding: Bool = true
  ) throws -> Self {
    var object = self
    try object.mergeInPlace(other, in: table.definition, isOverriding)
    return object
  }
}
