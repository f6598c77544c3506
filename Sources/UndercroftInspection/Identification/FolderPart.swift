import UndercroftFoundation

/// Identification of files that are parts of a database, which is a folder.
enum FolderPart {
  /// Identifies a file by its name and by the format of its folder.
  static func identify(_ url: URL, _ reader: StoreCandidate.Reader?) -> IdentifiedFormat? {
    let name = url.lastPathComponent
    guard isPartOfLevelDB(name) || isPartOfLMDB(name) else { return nil }
    let path = url.path(percentEncoded: false)
    let end = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = end.map { String(decoding: path.utf8[...$0], as: UTF8.self) } ?? "./"
    guard let format = FolderFormat.identify(URL(filePath: folder), reader)?.name else {
      return nil
    }
    let isLMDB = format.hasPrefix("LMDB")
    let isLevelDB = format.hasPrefix("LevelDB") || format.hasPrefix("RocksDB")
    guard isLMDB && isPartOfLMDB(name) || isLevelDB && isPartOfLevelDB(name) else { return nil }
    return IdentifiedFormat(
      "part of \(isLMDB ? "an" : "a") \(format)",
      "pass the path of the folder that contains the file")
  }

  /// Returns whether LMDB gives a file such a name.
  ///
  /// The file with the data is recognised by its signature.
  private static func isPartOfLMDB(_ name: String) -> Bool { name == "lock.mdb" }

  /// Returns whether LevelDB or RocksDB gives a file such a name.
  private static func isPartOfLevelDB(_ name: String) -> Bool {
    ["CURRENT", "IDENTITY", "LOCK", "LOG"].contains(name)
      || ["MANIFEST-", "OPTIONS-", "LOG.old"].contains { name.hasPrefix($0) }
      || [".ldb", ".sst", ".log", ".blob", ".dbtmp"].contains { name.hasSuffix($0) }
  }
}
