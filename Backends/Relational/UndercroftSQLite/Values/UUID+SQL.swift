public import UndercroftCore
public import UndercroftFoundation

extension UUID: SQLBindable, SQLReadable {
  /// Returns the 16 bytes of the UUID as a blob, most significant byte first. (RFC 9562, section 4)
  ///
  /// To store text, bind `uuidString` instead.
  public func sqlValue() throws(StorageError) -> SQLValue {
    .blob(withUnsafeBytes(of: uuid) { Data($0) })
  }

  /// Reads a blob of 16 bytes, or text in the standard form of 36 characters, in upper or lower
  /// case.
  public static func read(from column: borrowing SQLColumn) throws(StorageError) -> UUID {
    if column.type == .text {
      let text = try column.text()
      // Foundation accepts more than the standard form.
      guard text.utf8.count == 36, let identifier = UUID(uuidString: text) else {
        throw column.failure("the text is not a UUID in the standard form of 36 characters")
      }
      return identifier
    }
    let bytes = try column.data()
    guard bytes.count == 16 else {
      throw column.failure("the blob has \(bytes.count) bytes, but a UUID has 16 bytes")
    }
    return UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
  }
}
