/// The bytes at an offset by which files of a format are recognised.
struct FormatSignature {
  let format: IdentifiedFormat
  private let offset: Int
  private let bytes: [UInt8]

  private init(_ offset: Int, _ bytes: [UInt8], _ name: String, _ suggestion: String) {
    self.offset = offset
    self.bytes = bytes
    format = IdentifiedFormat(name, suggestion)
  }

  private init(_ offset: Int, _ text: String, _ name: String, _ suggestion: String) {
    self.init(offset, Array(text.utf8), name, suggestion)
  }

  /// Whether the file with the first bytes `start` has the signature.
  func matches(_ start: [UInt8]) -> Bool {
    start.count - offset >= bytes.count && start[offset...].starts(with: bytes)
  }

  /// Returns the signatures of a number that is stored in either byte order.
  private static func number(
    _ number: UInt32, at offset: Int, _ name: String, _ suggestion: String
  ) -> [FormatSignature] {
    let bytes = withUnsafeBytes(of: number.bigEndian) { Array($0) }
    return [bytes, bytes.reversed()].map { FormatSignature(offset, $0, name, suggestion) }
  }

  /// The signatures in the order in which they are tested.
  static let all: [FormatSignature] = lmdb + berkeley + oldBerkeley + sqliteParts + plain

  private static let lmdb = number(
    0xbeef_c0de, at: 16, "LMDB environment", "read its folder with mdb_stat -a and mdb_dump -a")

  private static let berkeley =
    [
      (0x0005_3162, "btree"), (0x0006_1561, "hash"), (0x0004_2253, "queue"), (0x0007_4582, "heap"),
    ].flatMap { magic, kind in
      number(
        magic, at: 12, "Berkeley DB \(kind) database",
        "read it with db_dump of its version, such as db5.3_dump -p")
    } + number(0x0004_0988, at: 12, "Berkeley DB log", "read it with db_printlog of its version")

  private static let oldBerkeley = [(0x0005_3162, "btree"), (0x0006_1561, "hash")]
    .flatMap { magic, kind in
      number(
        magic, at: 0, "Berkeley DB 1.85 \(kind) database", "read it with db_dump185")
    }

  private static let sqliteParts =
    [0x377f_0682, 0x377f_0683].map {
      FormatSignature(
        0, withUnsafeBytes(of: UInt32($0).bigEndian) { Array($0) },
        "write-ahead log of a SQLite database", besideDatabase("-wal"))
    } + number(3_007_000, at: 0, "index of a write-ahead log of SQLite", besideDatabase("-shm")) + [
      FormatSignature(
        0, [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7],
        "rollback journal of a SQLite database", besideDatabase("-journal")),
      FormatSignature(
        0, "** This file contains an SQLite 2", "SQLite 2 database",
        "convert it with the program sqlite of version 2"),
      FormatSignature(
        0, "UNDJRNL1", "journal of a store of this toolkit",
        "pass the path of the store, which has no \".journal\" at its end"),
    ]

  private static func besideDatabase(_ suffix: String) -> String {
    "pass the path of the database, which has no \"\(suffix)\" at its end"
  }

  private static let plain = [
    FormatSignature(16, "T-DB", "Realm database", "open it with Realm Studio"),
    FormatSignature(0, "TDB file\n", "TDB database", "read it with tdbdump"),
    FormatSignature(8, "DUCK", "DuckDB database", "open it with duckdb -readonly"),
    FormatSignature(
      0, FileSignature.propertyList, "binary property list",
      "show it with undercroft tree, or with plutil -p"),
    FormatSignature(0, FileSignature.zip, "ZIP archive", "list its files with unzip -l"),
    FormatSignature(0, "PK\u{5}\u{6}", "empty ZIP archive", "list its files with unzip -l"),
    FormatSignature(0, FileSignature.gzip, "gzip data", unpacking("gzip -dc")),
    FormatSignature(0, "BZh", "bzip2 data", unpacking("bzip2 -dc")),
    FormatSignature(0, [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], "xz data", unpacking("xz -dc")),
    FormatSignature(0, [0x28, 0xb5, 0x2f, 0xfd], "Zstandard data", unpacking("zstd -dc")),
    FormatSignature(257, "ustar", "tar archive", "list its files with tar -tf"),
  ]

  private static func unpacking(_ command: String) -> String {
    "decompress it with \(command), and pass the path of the result"
  }
}
