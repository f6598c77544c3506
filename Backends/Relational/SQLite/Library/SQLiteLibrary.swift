import CSQLite

/// The SQLite library that this program runs with; what it can do is told by ``Connection/supports(_:)``.
public struct SQLiteLibrary: Sendable {
  /// The library at hand.
  public static let current = SQLiteLibrary()

  /// Whether and how the library may be used by several threads. (`sqlite3_threadsafe`)
  public enum Threading: Sendable {
    /// Not at all; a ``Database`` must not be used.
    case none
    /// A connection by one thread at a time, as ``Database`` sees to.
    case perConnection
    /// Without restriction.
    case serialized
  }

  /// Its version, which may be another than that of the headers. (`sqlite3_libversion_number`)
  public let version = SQLiteVersion(number: Int(sqlite3_libversion_number()))

  /// The check-in it was made of. (`sqlite3_sourceid`)
  public var sourceID: String { String(cString: sqlite3_sourceid()) }

  /// How it was compiled, as in "ENABLE_FTS5" or "MAX_COLUMN=2000". (`sqlite3_compileoption_get`)
  public var compileOptions: [String] {
    var options: [String] = []
    while let option = sqlite3_compileoption_get(Int32(clamping: options.count)) {
      options.append(String(cString: option))
    }
    return options
  }

  /// Whether it was compiled with an option, such as "ENABLE_FTS5". (`sqlite3_compileoption_used`)
  public func has(_ option: String) -> Bool { sqlite3_compileoption_used(option) != 0 }

  /// Whether and how it may be used by several threads.
  public var threading: Threading {
    switch sqlite3_threadsafe() {
    case 0: .none
    case 1: .serialized
    default: .perConnection
    }
  }
}
