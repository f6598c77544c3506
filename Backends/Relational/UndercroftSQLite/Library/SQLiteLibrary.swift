import CSQLite

/// The SQLite library that this program runs with.
///
/// For its optional features see ``Connection/supports(_:)``.
public struct SQLiteLibrary: Sendable {
  /// The SQLite library of this process.
  public static let current = SQLiteLibrary()

  /// The degree to which several threads may use the library. (`sqlite3_threadsafe`)
  public enum Threading: Sendable {
    /// The library may be used by one thread only, so ``Database`` cannot be used.
    case none
    /// Each connection may be used by one thread at a time.
    ///
    /// ``Database`` ensures this.
    case perConnection
    /// Every connection may be used by several threads at the same time.
    case serialized
  }

  /// The version of the library, which may differ from that of the headers.
  /// (`sqlite3_libversion_number`)
  public let version = SQLiteVersion(number: Int(sqlite3_libversion_number()))

  /// The identifier of the source check-in that the library was built from. (`sqlite3_sourceid`)
  public var sourceID: String { String(cString: sqlite3_sourceid()) }

  /// The options that the library was compiled with, such as "ENABLE_FTS5" or "MAX_COLUMN=2000".
  /// (`sqlite3_compileoption_get`)
  public var compileOptions: [String] {
    var options: [String] = []
    while let option = sqlite3_compileoption_get(Int32(clamping: options.count)) {
      options.append(String(cString: option))
    }
    return options
  }

  /// Returns whether the library was compiled with an option such as "ENABLE_FTS5".
  /// (`sqlite3_compileoption_used`)
  public func has(_ option: String) -> Bool { sqlite3_compileoption_used(option) != 0 }

  /// The degree to which several threads may use the library. (`sqlite3_threadsafe`)
  public var threading: Threading {
    switch sqlite3_threadsafe() {
    case 0: .none
    case 1: .serialized
    default: .perConnection
    }
  }
}
