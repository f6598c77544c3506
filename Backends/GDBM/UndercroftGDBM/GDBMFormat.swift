public import UndercroftCore
import UndercroftFileSystem
public import UndercroftFoundation
public import UndercroftKeyValue

/// A snapshot format that every GDBM tool can read, with names as keys and unchanged values.
///
/// A program that links this format is subject to GDBM's licence, the GNU General Public License,
/// version 3 or later.
public struct GDBMFormat: SnapshotFormat {
  /// The maximum size of one value in bytes: 2 GiB minus 16 MiB.
  ///
  /// GDBM adds the sizes of the key and the value, and rounds the sum up to whole blocks, in signed
  /// 32-bit arithmetic. The 16 MiB are reserved for the key and for the rounding.
  public let maximumValueSize: Int?

  /// Creates the GDBM snapshot format.
  public init() { self.init(maximumValueSize: 1 << 31 - 1 << 24) }

  /// Creates the GDBM snapshot format with another limit, for tests.
  package init(maximumValueSize: Int) { self.maximumValueSize = maximumValueSize }

  public var name: String { "gdbm" }
  public var isForOtherTools: Bool { true }

  /// The magic numbers of the five kinds of GDBM files, in either byte order.
  ///
  /// The numbers belong, in this order, to the format with 32-bit file offsets, the original
  /// format, the format with 64-bit file offsets, and the extended format ("numsync") with 32-bit
  /// and with 64-bit file offsets.
  private static let magics: [UInt32] = [
    0x1357_9acd, 0x1357_9ace, 0x1357_9acf, 0x1357_9ad0, 0x1357_9ad1,
  ]

  public func recognises(_ start: [UInt8]) -> Bool {
    guard start.count >= 4 else { return false }
    let number = start[..<4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return Self.magics.contains(number) || Self.magics.contains(number.byteSwapped)
  }

  public func read(_ path: String) throws(StorageError) -> [ExactString: Data]? {
    guard try Folder.hasEntry(at: path) else { return nil }
    // Throws if the path is not a regular file,
    // because GDBM would wait for the other end of a pipe.
    _ = try Descriptor(regularFile: path, O_RDONLY)
    let file = try GDBMFile(reading: path)
    let count = try file.count()
    var values: [ExactString: Data] = [:]
    // Overlapping entries could fill more memory than the file has bytes. The limit is the size of
    // the open file, because another instance of the store may have replaced the file at the path.
    var rest = try file.size()
    try file.forEach { (key, value) throws(StorageError) in
      guard let name = String(validating: key, as: UTF8.self) else {
        throw StorageError(
          .notSupported,
          """
          cannot open \(quoted(path)): the entry name that begins with \
          \(quoted(String(decoding: key.prefix(80), as: UTF8.self))) is not valid UTF-8
          """,
          suggestion: "remove the entry with gdbmtool, or choose another path")
      }
      rest -= key.count + value.count
      guard rest >= 0 else {
        throw Self.damaged(path, "the entries declare more bytes than the size of the file")
      }
      // In a damaged file the sequence of keys may form a cycle.
      guard values.updateValue(value, forKey: name.exact) == nil else {
        throw Self.damaged(path, "the key \(quoted(name)) occurs twice")
      }
    }
    guard values.count == count else {
      throw Self.damaged(
        path,
        """
        the number of entries that the file declares is \(count), and the number of entries found \
        is \(values.count)
        """)
    }
    return values
  }

  public func write(_ values: [ExactString: Data], to path: String) throws(StorageError) {
    let file = try GDBMFile(writingNew: path)
    try file.check()
    for (name, value) in values.sorted(by: { $0.key < $1.key }) { try file.store(name.text, value) }
    try file.synchronize()
  }

  private static func damaged(_ path: String, _ reason: String) -> StorageError {
    StorageError(
      .corrupted, "cannot read \(quoted(path)): \(reason)",
      suggestion: StorageError.repairingGDBM)
  }
}
