import UndercroftCore
import UndercroftFoundation

// The tables of the application, and the copies of rows in the tables of synchronisation, contain
// decrypted values. Sent operations, and pulled rows that are not applied yet, contain encrypted
// values.

extension ReplicaTransaction {
  /// Returns an operation whose values are encrypted for the server.
  ///
  /// - Throws: an error of the cipher, such as for a missing key.
  func encrypted(_ operation: SyncOperation) throws -> SyncOperation {
    guard cipher != nil, let table = tables[ExactString(operation.table)] else { return operation }
    var operation = operation
    operation.change.values = try encrypted(
      operation.change.values, of: table, operation.dataIdentifier)
    return operation
  }

  /// Returns the values of a row, encrypted for the server.
  ///
  /// - Throws: an error of the cipher, such as for a missing key.
  func encrypted(
    _ fields: FieldValues, of table: CapturedTable, _ identifier: DataIdentifier
  ) throws -> FieldValues {
    guard let cipher else { return fields }
    var encrypted = fields
    for column in table.columns where column.role == .value {
      let name = ExactString(column.name)
      guard let value = fields[name], cipher.encrypts(column.name, of: table.name) else { continue }
      if case .encrypted = value { continue }
      let place = SyncValuePlace(
        scope: state.scope, table: table.name, dataIdentifier: identifier, column: column.name)
      encrypted[name] = .encrypted(
        try cipher.encrypt(JSONWriter.data(value.stored.json), at: place))
    }
    return encrypted
  }

  /// Returns the values of a pulled row, decrypted.
  ///
  /// - Throws: ``RowRefusal`` if a value cannot be decrypted, or is readable although it must be
  ///   encrypted.
  func decrypted(
    _ fields: FieldValues, of table: CapturedTable, _ identifier: DataIdentifier
  ) throws -> FieldValues {
    var readable = fields
    for column in table.syncedColumns {
      let name = ExactString(column.name)
      guard let value = fields[name] else { continue }
      guard case .encrypted(let value) = value else {
        try requireEncryption(of: column, in: table)
        continue
      }
      guard column.role == .value else {
        throw RowRefusal(
          """
          the value of the \(column.role.rawValue) column \(quoted(column.name)) is encrypted, but \
          a \(column.role.rawValue) column must not be encrypted
          """)
      }
      let place = SyncValuePlace(
        scope: state.scope, table: table.name, dataIdentifier: identifier, column: column.name)
      readable[name] = try value.decrypted(by: cipher, at: place)
    }
    return readable
  }

  private func requireEncryption(of column: CapturedColumn, in table: CapturedTable) throws {
    guard let cipher, column.role == .value, !cipher.acceptsPlainValues,
      cipher.encrypts(column.name, of: table.name)
    else { return }
    throw RowRefusal(
      """
      the value of the column \(quoted(column.name)) is not encrypted, but the cipher of the \
      SyncEngine requires encryption
      """)
  }
}

extension EncryptedValue {
  /// Returns the decrypted value.
  ///
  /// - Throws: ``RowRefusal`` if the value cannot be decrypted.
  fileprivate func decrypted(
    by cipher: (any SyncValueCipher)?, at place: SyncValuePlace
  ) throws -> SyncValue {
    guard let cipher else {
      throw RowRefusal(
        "the column \(quoted(place.column)) is encrypted, but the SyncEngine has no cipher")
    }
    let bytes: Data
    do { bytes = try cipher.decrypt(self, at: place) } catch {
      throw RowRefusal(
        (error as? StorageError)?.failure
          ?? "the cipher cannot decrypt the value of the column \(quoted(place.column)): \(error)")
    }
    do throws(WireError) {
      let value = try SyncValue(json: try JSONReader.read(bytes))
      if case .encrypted = value { throw WireError("the value was encrypted twice") }
      return value
    } catch {
      throw RowRefusal(
        "the decrypted value of the column \(quoted(place.column)) cannot be decoded: "
          + error.reason)
    }
  }
}

extension Replica {
  /// Returns a conflict whose values are decrypted, as far as their keys are available.
  func readable(_ conflict: SyncConflict) -> SyncConflict {
    var readable = conflict
    readable.values = conflict.values.reduce(into: [:]) { values, field in
      values[field.key] = AuthoredValue(
        value: self.readable(
          field.value.value, field.key, conflict.table, conflict.dataIdentifier),
        author: field.value.author)
    }
    return readable
  }

  /// Returns a blocked row whose values are decrypted, as far as their keys are available.
  func readable(_ row: BlockedRow) -> BlockedRow {
    BlockedRow(
      table: row.table, dataIdentifier: row.dataIdentifier, version: row.version,
      values: row.values?.reduce(into: [:]) { values, field in
        values[field.key] = readable(field.value, field.key, row.table, row.dataIdentifier)
      }, reason: row.reason)
  }

  private func readable(
    _ value: SyncValue, _ column: ExactString, _ table: String, _ identifier: DataIdentifier
  ) -> SyncValue {
    guard case .encrypted(let encrypted) = value else { return value }
    let place = SyncValuePlace(
      scope: scope, table: table, dataIdentifier: identifier, column: column.text)
    return (try? encrypted.decrypted(by: cipher, at: place)) ?? value
  }
}
