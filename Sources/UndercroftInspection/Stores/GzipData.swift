package import UndercroftFoundation

/// Data in the format of gzip, which a value can contain whatever its backend is.
package enum GzipData {
  /// The first bytes of gzip data.
  package static let signature = FileSignature.gzip

  /// Returns whether bytes are gzip data by their beginning.
  package static func isOne(_ bytes: Data) -> Bool { bytes.starts(with: signature) }

  /// Returns whether bytes begin with a valid header of gzip data, so that decompression fails only
  /// if they are damaged.
  package static func hasHeader(_ bytes: Data) -> Bool {
    // The three upper flags are reserved.
    isOne(bytes) && bytes.dropFirst(signature.count).first.map { $0 & 0xe0 == 0 } ?? false
  }

  /// Returns whether bytes are gzip data by their beginning.
  package static func isOne(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.starts(with: signature)
  }
}
