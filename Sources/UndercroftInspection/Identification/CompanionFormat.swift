import UndercroftFoundation

/// Identification of files without a signature by a file beside them.
enum CompanionFormat {
  /// Identifies a file of MMKV, or the file with its checksum.
  ///
  /// A file of MMKV begins with the size of its content. A file with the same name and the suffix
  /// `.crc` contains a checksum and the version of the format. Both consist of whole pages.
  static func identify(
    _ url: URL, _ bytes: [UInt8], size: Int, _ reader: StoreCandidate.Reader?
  ) -> IdentifiedFormat? {
    let path = url.path(percentEncoded: false)
    if path.utf8.reversed().starts(with: ".crc".utf8.reversed()) {
      let content = URL(filePath: String(decoding: path.utf8.dropLast(4), as: UTF8.self))
      guard case .file(let contentSize) = FileKind(content),
        isContent([UInt8](StoreCandidate(at: content, readingBy: reader).start), contentSize),
        isChecksum(bytes, size)
      else { return nil }
      return IdentifiedFormat(
        "checksum of an MMKV store", "pass the path of the store, without \".crc\" at its end")
    }
    let checksum = URL(filePath: path + ".crc")
    guard isContent(bytes, size), case .file(let checksumSize) = FileKind(checksum),
      isChecksum([UInt8](StoreCandidate(at: checksum, readingBy: reader).start), checksumSize)
    else { return nil }
    return IdentifiedFormat("MMKV store", "read it with the MMKV library, for example in Python")
  }

  private static let pageSize = 4096

  private static func isContent(_ bytes: [UInt8], _ size: Int) -> Bool {
    guard size > 0, size.isMultiple(of: pageSize), let content = number(bytes, at: 0) else {
      return false
    }
    return content <= size - 4
  }

  private static func isChecksum(_ bytes: [UInt8], _ size: Int) -> Bool {
    guard size > 0, size.isMultiple(of: pageSize), let version = number(bytes, at: 4) else {
      return false
    }
    return version <= 16
  }

  private static func number(_ bytes: [UInt8], at offset: Int) -> Int? {
    guard bytes.count >= offset + 4 else { return nil }
    return bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
