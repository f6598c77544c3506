import CSQLite

/// The SQLite library that this program runs with.
///
/// For its optional features see ``Connection/supports(_:)``.
public struct SQLiteLibrary: Sendable {
  /// The SQLite library of this process.
  public static let current = SQLiteLibrary()

  /// The degrees of thread safety with which the library can be compiled. (`sqlite3_threadsafe`)
  public enum Threading: Sendable {
    /// Only one thread can use the library, so ``Database`` cannot be used.
    case none
    /// Only one thread at a time can use each connection.
    ///
    /// ``Database`` ensures this.
    case perConnection
    /// Several threads can use every connection at the same time.
    case serialized
  }

  /// The size in bytes up to which the rollback journal of a statement remains in memory.
  ///
  /// SQLite moves a larger journal to a temporary file, and then writes the journals of all later
  /// statements of the transaction to this file. With SQLite's default of 64 KiB, 20,000 insertions
  /// into a table with capture triggers take up to twice as long. This size is the largest possible
  /// one: SQLite writes at most this many bytes at once, and fails with `SQLITE_FULL` if the
  /// journal has to be moved in a larger piece.
  private static let journalSize: Int32 = 0x1_FFFF

  /// The result code of setting the size of statement journals for the whole process.
  /// (`sqlite3_config`, `SQLITE_CONFIG_STMTJRNL_SPILL`)
  ///
  /// The first read of this property sets the size, so read it before a connection is opened. The
  /// call fails with `SQLITE_MISUSE`, and has no effect, if any part of the process has already
  /// initialised SQLite.
  package static let configuration = undercroft_sqlite_retain_statement_journals(journalSize)

  /// The version of the library, which may differ from the version of the C headers.
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

  /// The thread safety with which the library was compiled. (`sqlite3_threadsafe`)
  public var threading: Threading {
    switch sqlite3_threadsafe() {
    case 0: .none
    case 1: .serialized
    default: .perConnection
    }
  }
}
