/// Identification of encrypted data, whose bytes are evenly distributed.
enum RandomBytes {
  /// Identifies a file whose first bytes seem random.
  ///
  /// Of 512 random bytes, about 221 values differ, and fewer than 190 only in one of 10^9 files.
  /// Machine code, text and tables of numbers have far fewer different values.
  static func identify(_ bytes: [UInt8], size: Int) -> IdentifiedFormat? {
    guard bytes.count >= 512, Set(bytes).count >= 190 else { return nil }
    // A database has whole pages. The page size of SQLCipher is 4,096 bytes by default.
    guard size.isMultiple(of: 4096) else {
      return IdentifiedFormat(
        "encrypted or compressed data", "open it with the application that wrote the file")
    }
    return IdentifiedFormat(
      "encrypted data, which may be an encrypted SQLite database",
      "open it with the application that has the key, or with sqlcipher if it is such a database")
  }
}
