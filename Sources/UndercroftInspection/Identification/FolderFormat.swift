import UndercroftFoundation

/// Identification of folders by the names and the first bytes of the files in them.
enum FolderFormat {
  /// Identifies a folder, or returns `nil` if its format is unknown.
  static func identify(
    _ folder: URL, _ reader: StoreCandidate.Reader?
  ) -> IdentifiedFormat? {
    func start(_ name: String) -> Data? {
      let url = folder.appending(path: name)
      guard case .file = FileKind(url) else { return nil }
      return StoreCandidate(at: url, readingBy: reader).start
    }
    // The file CURRENT contains the name of the manifest.
    if let current = start("CURRENT"), current.starts(with: Data("MANIFEST-".utf8)) {
      return start("IDENTITY") == nil
        ? IdentifiedFormat("LevelDB database", "read it with leveldbutil, or with plyvel in Python")
        : IdentifiedFormat("RocksDB database", "read it with ldb --db=FOLDER scan")
    }
    if let data = start("data.mdb") {
      let format = FormatSignature.all.first { $0.matches([UInt8](data)) }?.format
      if format?.name == "LMDB environment" { return format }
    }
    if start("__db.001") != nil || start("log.0000000001") != nil {
      return IdentifiedFormat(
        "Berkeley DB environment", "read its databases with db_dump -h FOLDER of its version")
    }
    return nil
  }
}
