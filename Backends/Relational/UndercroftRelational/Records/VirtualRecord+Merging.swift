// Merging matches properties by column name. A name that only one of the two records has is
// ignored. The argument is read and never changed.

extension VirtualRecord {
  /// Returns a copy of the record with the values of another record for the names that both records
  /// have: `card.merging(portrait).merging(token)`.
  ///
  /// If `other` is the record of a table, only the values of this table's columns are merged. If
  /// only this record is the record of a table, the same applies to its table. If this record is an
  /// object, the copy is a reference to the same object, so use `merge` for objects instead.
  ///
  /// - Parameters:
  ///   - other: A virtual record of any type.
  ///   - isOverriding: Whether the value of `other` replaces the value of this record, even if the
  ///     value of `other` is NULL. If `false`, the value of `other` replaces only NULL.
  /// - Throws: ``StorageError/Code/decodingFailed`` if a property does not
  ///   accept the value, such as NULL for a property that is not optional.
  public func merging(
    _ other: some VirtualRecord, overriding isOverriding: Bool = true
  ) throws -> Self {
    var merged = self
    try merged.mergeInPlace(other, isOverriding)
    return merged
  }

  /// Returns a copy of the record with the values of another record for the columns of `table` that
  /// both records supply.
  ///
  /// The parameters have the same meaning as in ``merging(_:overriding:)``.
  public func merging<Record>(
    _ other: some VirtualRecord, in table: Table<Record>, overriding isOverriding: Bool = true
  ) throws -> Self {
    var merged = self
    try merged.mergeInPlace(other, in: table.definition, isOverriding)
    return merged
  }

  /// Merges the values of another record into this record, for the names that both records have.
  ///
  /// The parameters have the same meaning as in ``merging(_:overriding:)``.
  public mutating func merge(
    _ other: some VirtualRecord, overriding isOverriding: Bool = true
  ) throws {
    try mergeInPlace(other, isOverriding)
  }

  /// Merges the values of another record into this record, for the columns of `table` that both
  /// records supply.
  ///
  /// The parameters have the same meaning as in ``merging(_:overriding:)``.
  public mutating func merge<Record>(
    _ other: some VirtualRecord, in table: Table<Record>, overriding isOverriding: Bool = true
  ) throws {
    try mergeInPlace(other, in: table.definition, isOverriding)
  }

  fileprivate mutating func mergeInPlace(
    _ other: some VirtualRecord, _ isOverriding: Bool
  ) throws {
    // If one of the two records is the record of a table, that table defines the meaning of the
    // names.
    if let table = Self.table(of: other) ?? Self.table(of: self) {
      return try mergeInPlace(other, in: table, isOverriding)
    }
    let changes = try columnValues().changes(
      merging: other.columnValues(), overriding: isOverriding)
    if !changes.values.isEmpty { try assign(changes) }
  }

  fileprivate mutating func mergeInPlace(
    _ other: some VirtualRecord, in table: TableDefinition, _ isOverriding: Bool
  ) throws {
    let changes = try values(for: table).changes(
      merging: other.values(for: table), overriding: isOverriding)
    if !changes.values.isEmpty { try assign(changes, from: table) }
  }

  private static func table(of record: some VirtualRecord) -> TableDefinition? {
    (type(of: record) as? any TableRecord.Type)?.definition
  }
}

extension VirtualRecord where Self: AnyObject {
  /// Merges the values of another record into this object, for the names that both have, and
  /// returns the object: `view.merge(portrait).merge(token)`.
  ///
  /// The parameters have the same meaning as in ``merging(_:overriding:)``.
  @discardableResult
  public func merge(
    _ other: some VirtualRecord, overriding isOverriding: Bool = true
  ) throws -> Self {
    var object = self
    try object.mergeInPlace(other, isOverriding)
    return object
  }

  /// Merges the values of another record into this object, for the columns of `table` that both
  /// supply, and returns the object.
  ///
  /// The parameters have the same meaning as in ``merging(_:overriding:)``.
  @discardableResult
  public func merge<Record>(
    _ other: some VirtualRecord, in table: Table<Record>, overriding isOverriding: Bool = true
  ) throws -> Self {
    var object = self
    try object.mergeInPlace(other, in: table.definition, isOverriding)
    return object
  }
}
