/// The first bytes by which files and values of common formats are recognised.
package enum FileSignature {
  /// The signature of gzip data that is compressed with the only method in use. (RFC 1952)
  package static let gzip: [UInt8] = [0x1f, 0x8b, 0x08]
  /// The signature of a ZIP archive that has an entry.
  package static let zip = Array("PK\u{3}\u{4}".utf8)
  /// The signature of a binary property list of any version.
  package static let propertyList = Array("bplist".utf8)
  /// The signature of a SQLite database.
  package static let sqlite = Array("SQLite format 3\0".utf8)
  /// The signature of an image in the format PNG.
  package static let png: [UInt8] = [0x89] + Array("PNG".utf8)
  /// The signature of an image in the format JPEG.
  package static let jpeg: [UInt8] = [0xff, 0xd8, 0xff]
  /// The signature of an image in the format GIF.
  package static let gif = Array("GIF8".utf8)
  /// The signature of a document in the format PDF.
  package static let pdf = Array("%PDF-".utf8)
}
