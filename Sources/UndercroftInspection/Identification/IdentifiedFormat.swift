/// A format that an inspector recognises by its content, but does not open as a store.
package struct IdentifiedFormat: Sendable, Equatable {
  /// The format as a noun phrase, such as "LMDB environment".
  package let name: String
  /// The suggestion of a program that opens the file, such as "read it with mdb_dump".
  package let suggestion: String

  init(_ name: String, _ suggestion: String) {
    self.name = name
    self.suggestion = suggestion
  }

  /// Identifies a file or folder by its first bytes, its size and the names of files in it or
  /// beside it; returns `nil` if the format is unknown.
  ///
  /// - Parameters:
  ///   - candidate: the file or folder.
  ///   - reader: reads the first bytes of other files, as in ``StoreCandidate``.
  package init?(of candidate: StoreCandidate, readingBy reader: StoreCandidate.Reader? = nil) {
    if candidate.isFolder {
      guard let format = FolderFormat.identify(candidate.url, reader) else { return nil }
      self = format
      return
    }
    let bytes = [UInt8](candidate.start)
    guard case .file(let size) = FileKind(candidate.url) else { return nil }
    if let part = FolderPart.identify(candidate.url, reader) {
      self = part
      return
    }
    if size == 0 {
      self.init("empty file", "check that the application has written the file")
      return
    }
    guard !bytes.isEmpty else { return nil }
    // The header of a database has 100 bytes.
    if size < 100, bytes.starts(with: FileSignature.sqlite) {
      self.init("truncated SQLite database", "restore the file from a backup")
      return
    }
    let format =
      FormatSignature.all.first { $0.matches(bytes) }?.format
      ?? CompanionFormat.identify(candidate.url, bytes, size: size, reader)
      ?? TextFormat.identify(bytes, isWhole: bytes.count == size)
      // A text in another encoding than UTF-8.
      ?? (PropertyListText.isOne(candidate.start) ? TextFormat.propertyList : nil)
      ?? RandomBytes.identify(bytes, size: size)
    guard let format else { return nil }
    self = format
  }
}
