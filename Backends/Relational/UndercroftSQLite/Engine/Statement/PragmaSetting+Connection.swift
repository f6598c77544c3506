extension PragmaSetting {
  /// The names of the `PRAGMA` settings that SQLite stores for each connection.
  ///
  /// Such a setting is refused outside of ``DatabaseOptions/setUp``, because it would apply to only
  /// one connection of the pool.
  ///
  /// The set does not contain settings such as `synchronous`, for which
  /// `refusal(of:isSettingUp:)` has a separate case. The set does not contain `defer_foreign_keys`,
  /// because that setting ends with the transaction. The set does not contain `legacy_alter_table`,
  /// because that setting matters only on the connection that alters tables.
  static let settingsOfConnection: Set<String> = [
    "analysis_limit", "automatic_index", "cache_spill", "case_sensitive_like", "cell_size_check",
    "checkpoint_fullfsync", "count_changes", "empty_result_callbacks", "full_column_names",
    "fullfsync", "ignore_check_constraints", "journal_size_limit", "max_page_count", "mmap_size",
    "read_uncommitted", "recursive_triggers", "reverse_unordered_selects", "secure_delete",
    "short_column_names", "temp_store", "threads", "trusted_schema",
  ]

  /// Returns whether SQLite interprets `value`, which must be in lower case, as true.
  /// (`sqlite3GetBoolean`)
  static func isOn(_ value: String) -> Bool {
    let text = Array(value.utf8)
    guard let first = text.first, isDigit(first) else {
      // "full" and "extra" are values of settings that are not boolean.
      return ["on", "yes", "true"].contains(value)
    }
    return UInt8(truncatingIfNeeded: integer(text)) != 0
  }

  /// Returns the number at the beginning of `text`, or 0 if there is no number or the number does
  /// not fit in a signed 32-bit integer. (`sqlite3Atoi`)
  private static func integer(_ text: [UInt8]) -> Int64 {
    if text.starts(with: "0x".utf8), text.count > 2, isHexadecimal(text[2]) {
      let digits = text.dropFirst(2).drop { $0 == UInt8(ascii: "0") }.prefix(while: isHexadecimal)
      guard digits.count <= 8 else { return 0 }
      let number = digits.isEmpty ? 0 : Int64(String(decoding: digits, as: UTF8.self), radix: 16)
      return number.map { $0 > Int64(Int32.max) ? 0 : $0 } ?? 0
    }
    let digits = text.drop { $0 == UInt8(ascii: "0") }.prefix(while: isDigit)
    guard digits.count <= 10 else { return 0 }
    let number = digits.isEmpty ? 0 : Int64(String(decoding: digits, as: UTF8.self))
    return number.map { $0 > Int64(Int32.max) ? 0 : $0 } ?? 0
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }
}
