public import UndercroftCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension UUID: SQLBindable, SQLReadable {
  /// Returns its 16 bytes as a blob, most significant first; bind `uuidString` to keep text. (RFC 9562, section 4)
  public func sqlValue() throws(StorageError) -> SQLValue {
    .blob(withUnsafeBytes(of: uuid) { Data($0) })
  }

  /// Reads 16 bytes, or text of 36 characters in either case.
  public static func read(from column: borrowing SQLColumn) throws(StorageError) -> UUID {
    if column.type == .text {
      let text = try column.text()
      // Foundation takes more than the standard form.
      guard text.utf8.count == 36, let identifier = UUID(uuidString: text) else {
        throw column.failure("the text is no UUID")
      }
      return identifier
    }
    let bytes = try column.data()
    guard bytes.count == 16 else { throw column.failure("a UUID has 16 bytes") }
    return UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
  }
}
