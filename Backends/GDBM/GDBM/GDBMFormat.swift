public import UndercroftCore
import UndercroftFileSystem
public import UndercroftKeyValue

/// A snapshot that every GDBM tool can read: names as keys, values as they are.
///
/// Linking it makes a program subject to the GNU General Public License, version 3 or later, which is GDBM's.
public struct GDBMFormat: SnapshotFormat {
  /// Makes the format.
  public init() {}

  public var name: String { "gdbm" }
  public var isForOtherTools: Bool { true }

  /// The magic numbers of the four kinds of GDBM files, in either byte order.
  private static let magics: [UInt32] = [0x1357_9acd, 0x1357_9ace, 0x1357_9acf, 0x1357_9ad0]

  public func recognises(_ start: [UInt8]) -> Bool {
    guard start.count >= 4 else { return false }
    let number = start[..<4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return Self.magics.contains(number) || Self.magics.contains(number.byteSwapped)
  }

  public func open(_ path: String) throws(StorageError) -> (any Snapshot)? {
    guard access(path, F_OK) == 0 else { return nil }
    return try GDBMSnapshot(reading: path)
  }

  public func write(_ entries: SnapshotEntries, to path: String) throws(StorageError) {
    let file = try GDBMFile(writingNew: path)
    for name in entries.names { try file.store(name, try entries.bytes(name)) }
    try file.synchronize()
  }
}
