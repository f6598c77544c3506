import UndercroftFoundation

/// A row of the application with its state, as `sync_record` describes it.
struct TrackedRecord {
  let recordID: Int64
  let table: CapturedTable
  /// The value of the primary key in this database, or `nil` if the table has integer keys and the
  /// row does not exist in this database.
  var key: SyncValue?
  /// The stored identifier, which only rows with integer keys have.
  let storedIdentifier: DataIdentifier?
  /// The version of the row that was pulled last, or 0 if none was pulled.
  let version: Int64

  /// The identifier that all replicas share, or `nil` if no identifier can be made from the key.
  var dataIdentifier: DataIdentifier? {
    storedIdentifier ?? key.flatMap { table.identity.dataIdentifier(ofKey: $0) }
  }
}

extension CapturedTable.Identity {
  /// Returns the identifier that is made from a key, or `nil` for an integer or an invalid key.
  func dataIdentifier(ofKey key: SyncValue) -> DataIdentifier? {
    switch (self, key) {
    case (.text, .text(let text)): DataIdentifier(text)
    case (.blob, .blob(let bytes)) where bytes.count == 16:
      DataIdentifier(
        UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }).uuidString
          .lowercased())
    default: nil
    }
  }

  /// Returns the key that is made from an identifier, or `nil` if the keys are integers, or if they
  /// are UUIDs and the identifier is not a UUID in lower case.
  func key(of identifier: DataIdentifier) -> SyncValue? {
    switch self {
    case .text: return .text(identifier.text)
    case .integer: return nil
    case .blob:
      guard let uuid = UUID(uuidString: identifier.text),
        // Another spelling would be another row on the server.
        uuid.uuidString.lowercased().utf8.elementsEqual(identifier.text.utf8)
      else { return nil }
      return .blob(withUnsafeBytes(of: uuid.uuid) { Data($0) })
    }
  }
}
