import CSQLite
import UndercroftCore
import UndercroftFileSystem

/// An open connection of libsqlite3 and its prepared statements, closed exactly once.
///
/// The handle is `Sendable` although the library acquires no locks for it (`SQLITE_OPEN_NOMUTEX`):
/// a connection can move between threads if only one thread at a time uses it. ``PooledConnection``
/// and the serial queue of ``Checkpointer`` ensure this.
struct SQLiteHandle: ~Copyable, @unchecked Sendable {
  let raw: OpaquePointer
  let state: ConnectionState

  /// The way in which a file is opened.
  enum Mode {
    case readWrite
    case readOnly
    /// Reading without locks and without a check for a journal: only for a file that no process
    /// writes.
    case immutable
    /// Reading through the VFS that the parameters of the URI name.
    case virtual(parameters: String)
    case memory
  }

  /// Opens the file at `path`, which must exist, or an in-memory database. (`sqlite3_open_v2`)
  ///
  /// - Parameter interruption: if it is cancelled, every wait for a lock ends early. The
  ///   interruption applies until another one is set in the connection's busy policy.
  init(
    _ path: String, _ mode: Mode, lockTimeout: Duration = .seconds(5),
    _ interruption: Interruption? = nil
  ) throws(StorageError) {
    _ = SQLiteLibrary.configuration
    let name = Self.name(path, mode)
    let flags =
      SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE | Self.flags(of: mode)
    var connection: OpaquePointer?
    let code = sqlite3_open_v2(name, &connection, flags, nil)
    guard code == SQLITE_OK, let connection else {
      let error = SQLiteError(code, on: connection, sql: nil)
      let number = connection.map { sqlite3_system_errno($0) } ?? 0
      sqlite3_close_v2(connection)
      if .cannotOpen ~= error.code, number == EACCES || number == EPERM {
        throw .system("open", path, number: number).naming(backend: SQLiteBackend.name)
      }
      throw .sqlite("open \(quoted(path))", error)
    }
    _ = undercroft_sqlite_defend(connection)
    undercroft_sqlite_refuse_quoted_texts(connection)
    undercroft_sqlite_avoid_seek_scan(connection)
    raw = connection
    state = ConnectionState(of: connection, lockTimeout: lockTimeout)
    state.busyPolicy.interruption = interruption
  }

  deinit {
    state.end()
    sqlite3_close_v2(raw)
  }

  /// Whether SQLite opened the file for reading only. (`sqlite3_db_readonly`)
  var isReadOnly: Bool { sqlite3_db_readonly(raw, "main") == 1 }

  /// Whether any file of the connection was removed, moved or replaced after the connection opened
  /// the file. (`SQLITE_FCNTL_HAS_MOVED`)
  var hasMoved: Bool {
    var index: Int32 = 0
    while let name = sqlite3_db_name(raw, index) {
      // Index 1 is the temporary database, which has no name in the file system.
      index += index == 0 ? 2 : 1
      var hasMoved: Int32 = 0
      let code = sqlite3_file_control(raw, name, SQLITE_FCNTL_HAS_MOVED, &hasMoved)
      if code == SQLITE_OK, hasMoved != 0 { return true }
    }
    return false
  }

  private static func flags(of mode: Mode) -> Int32 {
    switch mode {
    case .readWrite: SQLITE_OPEN_READWRITE
    case .readOnly: SQLITE_OPEN_READONLY
    case .immutable, .virtual: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
    // Not SQLITE_OPEN_MEMORY, which would also apply to attached files. The name ":memory:" has the
    // same effect.
    case .memory: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    }
  }

  /// Returns a path that SQLite does not confuse with ":memory:" or a "file:" URI.
  static func plain(_ path: String) -> String { Folder.isAbsolute(path) ? path : "./" + path }

  private static func name(_ path: String, _ mode: Mode) -> String {
    switch mode {
    case .memory: ":memory:"
    case .readWrite, .readOnly: plain(path)
    case .immutable: uri(path) + "?immutable=1"
    case .virtual(let parameters): uri(path) + "?" + parameters
    }
  }

  /// Returns a URI in which each byte of the path that has another meaning in a URI is encoded.
  static func uri(_ path: String) -> String {
    var uri = "file:"
    for byte in plain(path).utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."):
        uri.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16)
        uri += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return uri
  }
}
